#if os(Linux)
    import CWaymarkSystem
    import Glibc

    /// Wakes an epoll loop at a deadline: a kernel timer that stays unchanged while deadlines move later.
    ///
    /// A timeout for each `epoll_wait` would do the same, but the kernel would arm and disarm a timer with each sleep
    /// of the loop, which takes longer than all of the loop's work for a request
    /// (docs/decisions/2026-11-23-one-timer-per-event-loop.md).
    ///
    /// Isolation: its loop only.
    struct LoopTimer: ~Copyable {
        /// Milliseconds by which the loop's clock may be behind the timer's (a kernel tick, at most 10): if woken on
        /// time, the loop would find nothing due.
        private static let lag: Int64 = 10

        /// To be watched for readability, never read.
        let descriptor: FileDescriptor
        /// The time it is set for; `.distantFuture` if none.
        private var moment = CoarseInstant.distantFuture

        init() throws(SystemError) {
            let number = CWaymarkSystem_makeTimer()
            guard number >= 0 else { throw SystemError(operation: "timerfd_create") }
            descriptor = FileDescriptor(owning: number)
        }

        /// Ensures that it fires at `deadline` at the latest. An earlier setting is kept: when it fires, the loop
        /// sets it again.
        mutating func set(for deadline: CoarseInstant) {
            guard deadline < moment else { return }
            moment = deadline
            // Can't fail for any value of the clock. A time before the machine's boot is also due, and the kernel
            // accepts no negative value.
            let moment = max(1, deadline.advanced(by: Self.lag).milliseconds)
            let code = CWaymarkSystem_setTimer(descriptor.number, moment)
            precondition(code == 0, "timerfd_settime failed")
        }

        /// Marks the timer as fired and unset.
        mutating func didFire() { moment = .distantFuture }
    }
#endif
