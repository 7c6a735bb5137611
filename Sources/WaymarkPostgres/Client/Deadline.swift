#if PostgreSQL
    internal import Dispatch

    /// A moment by which something must be done, on a clock that never jumps.
    struct Deadline: Sendable, Comparable {
        private let uptime: UInt64

        static func after(milliseconds: Int) -> Deadline {
            Deadline(uptime: DispatchTime.now().uptimeNanoseconds &+ UInt64(clamping: milliseconds) &* 1_000_000)
        }

        static var now: Deadline { after(milliseconds: 0) }

        var hasPassed: Bool { self <= .now }

        /// Whole milliseconds from now, rounded up; 0 where it has passed.
        var remainingMilliseconds: Int {
            let now = DispatchTime.now().uptimeNanoseconds
            return uptime <= now ? 0 : Int(clamping: (uptime - now + 999_999) / 1_000_000)
        }

        /// Whether so little of a transaction's time is over that a connection may be made for it once more.
        var allowsReconnecting: Bool { remainingMilliseconds > TimeLimit.transaction - 1_000 }

        static func < (one: Deadline, other: Deadline) -> Bool { one.uptime < other.uptime }
    }

    /// How long things may take, in milliseconds. Together they keep every call of the store below 10 s: it waits for
    /// its turn, and then its transaction runs.
    enum TimeLimit {
        /// Opening one connection, to each host that the URL names.
        static let connecting = 3_000
        /// Before a call's turn comes.
        static let waiting = 3_000
        /// One transaction with all its statements and repetitions, or one batch of reads.
        static let transaction = 5_000
        /// Bringing tables up to date, which may wait for another server that does.
        static let migration = 60_000
    }
#endif
