#if os(Linux)
    import CWaymarkSystem
    import Glibc

    /// Wakes an epoll loop at a deadline: a timer of the kernel's that stays as it is while deadlines move later.
    ///
    /// A time limit given to each `epoll_wait` would do the same, and the kernel would arm a timer and disarm it with each
    /// sleep of the loop, which takes longer than all that the loop does with a request
    /// (docs/decisions/2026-11-23-one-timer-per-event-loop.md).
    ///
    /// Isolation: its loop only.
    struct LoopTimer: ~Copyable {
        /// Milliseconds by which the loop's own clock may be behind the timer's (a tick of the kernel's, at most 10): woken
        /// on time, the loop would find that nothing is due.
        private static let lag: Int64 = 10

        /// To be watched for arrivals, never read.
        let descriptor: FileDescriptor
        /// What it is set for; `.distantFuture` where it is not.
        private var moment = CoarseInstant.distantFuture

        init() throws(SystemError) {
            let number = CWaymarkSystem_makeTimer()
            guard number >= 0 else { throw SystemError(operation: "timerfd_create") }
            descriptor = FileDescriptor(owning: number)
        }

        /// Makes sure that it goes off at `deadline` at the latest. What is set for an earlier moment stays so: once it
        /// goes off, the loop sets it anew.
        mutating func set(for deadline: CoarseInstant) {
            guard deadline < moment else { return }
            moment = deadline
            // It fails for no number of milliseconds that a clock counts up to.
            // A moment before the machine has started is over as well, and the kernel takes no negative one.
            let moment = max(1, deadline.advanced(by: Self.lag).milliseconds)
            let code = CWaymarkSystem_setTimer(descriptor.number, moment)
            precondition(code == 0, "timerfd_settime failed")
        }

        /// It has gone off, and is set for nothing.
        mutating func didFire() { moment = .distantFuture }
    }
#endif
