#if PostgreSQL
    internal import Dispatch

    /// A deadline on a monotonic clock.
    struct Deadline: Sendable, Comparable {
        private let uptime: UInt64

        static func after(milliseconds: Int) -> Deadline {
            Deadline(uptime: DispatchTime.now().uptimeNanoseconds &+ UInt64(clamping: milliseconds) &* 1_000_000)
        }

        static var now: Deadline { after(milliseconds: 0) }

        var hasPassed: Bool { self <= .now }

        /// Whole milliseconds from now, rounded up; 0 if it has passed.
        var remainingMilliseconds: Int {
            let now = DispatchTime.now().uptimeNanoseconds
            return uptime <= now ? 0 : Int(clamping: (uptime - now + 999_999) / 1_000_000)
        }

        /// Whether enough of a transaction's time is left to reconnect once.
        var allowsReconnecting: Bool { remainingMilliseconds > TimeLimit.transaction - 1_000 }

        static func < (one: Deadline, other: Deadline) -> Bool { one.uptime < other.uptime }
    }

    /// Time limits in milliseconds. Together they keep every call of the store below 10 s: it waits in a queue, then
    /// its transaction runs.
    enum TimeLimit {
        /// Opening one connection, for each host in the URL.
        static let connecting = 3_000
        /// Time in the queue.
        static let waiting = 3_000
        /// One transaction with all its statements and retries, or one batch of reads.
        static let transaction = 5_000
        /// One step of updating indexes, for which nobody waits.
        static let indexing = 30_000
        /// Bringing tables up to date, which may wait for another server's migration.
        static let migration = 60_000
    }
#endif
