#if PostgreSQL
    internal import Synchronization
    internal import WaymarkLinks

    /// Keeps connections from being tried again and again while the database is away: after each failure for a longer
    /// time, up to a second, and never for all servers alike. No longer, because changes that
    /// others make as soon as the database is back are to be seen within two.
    final class ConnectionGate: Sendable {
        private struct State {
            var failures = 0
            var closedUntil: Deadline?
            var reason = StoreError(PostgresFailure.lost)
        }

        static let firstPause = 50
        static let longestPause = 1_000

        private let state = Mutex(State())

        /// - Throws: The last failure, while it is too early to try again.
        func pass() throws(StoreError) {
            let reason = state.withLock { state -> StoreError? in
                guard let end = state.closedUntil, !end.hasPassed else { return nil }
                return state.reason
            }
            if let reason { throw reason }
        }

        func failed(_ reason: StoreError) {
            let jitter = Double.random(in: 0.5...1)
            state.withLock { state in
                let pause = min(Self.firstPause << min(state.failures, 10), Self.longestPause)
                state.failures += 1
                state.reason = reason
                state.closedUntil = .after(milliseconds: Int(Double(pause) * jitter))
            }
        }

        func succeeded() { state.withLock { $0 = State() } }
    }
#endif
