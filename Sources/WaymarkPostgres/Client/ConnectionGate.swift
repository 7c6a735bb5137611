#if PostgreSQL
    internal import Synchronization
    internal import WaymarkStores
    internal import WaymarkLinks

    /// Backoff for reconnecting while the database is unavailable: the delay grows with each failure, up to a second,
    /// with jitter between servers. No longer, because other servers' changes must be visible within two seconds of
    /// the database's return.
    final class ConnectionGate: Sendable {
        private struct State {
            var failures = 0
            var closedUntil: Deadline?
            var reason = StoreError(PostgresFailure.lost)
        }

        static let firstPause = 50
        static let longestPause = 1_000

        private let state = Mutex(State())

        /// - Throws: The last failure, while it is too early to retry.
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
