#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    internal import WaymarkStores
    internal import WaymarkLinks

    /// An entry of a `RequestQueue`.
    protocol WaitingEntry: Sendable {
        /// When its caller has timed out.
        var expiry: Deadline { get }
        var fail: @Sendable (StoreError) -> Void { get }

        /// How many entries at the front of the queue one connection takes together; at least 1.
        ///
        /// - Precondition: `line` is not empty.
        static func groupSize(_ line: [Self]) -> Int
    }

    /// A FIFO queue of the store's calls, and the pooled connections that serve it: each takes as many as can be
    /// grouped, once it has finished the previous ones.
    final class RequestQueue<Entry: WaitingEntry>: Sendable {
        typealias Run = @Sendable ([Entry], PooledConnection) -> Void

        private struct State {
            var waiting: [Entry] = []
            /// Idle connections.
            var idle: [Int]
        }

        /// Maximum number of entries; further ones are rejected, because their callers would time out before their turn.
        static var capacity: Int { 16_384 }

        private let pooledConnections: [PooledConnection]
        /// The noun for the entries in the error message.
        private let noun: String
        private let state: Mutex<State>

        init(_ pooledConnections: [PooledConnection], of noun: String) {
            self.pooledConnections = pooledConnections
            self.noun = noun
            state = Mutex(State(idle: Array(pooledConnections.indices)))
        }

        /// - Parameter run: Handles the entries that a connection takes; runs on its queue, once it is connected.
        func enter(_ entry: Entry, run: @escaping Run) {
            let step = state.withLock { state -> (isAccepted: Bool, pooledConnection: Int?) in
                guard state.waiting.count < Self.capacity else { return (false, nil) }
                state.waiting.append(entry)
                return (true, state.idle.popLast())
            }
            guard step.isAccepted else {
                return entry.fail(.unavailable("too many \(noun) are waiting for the database"))
            }
            if let pooledConnection = step.pooledConnection {
                pooledConnections[pooledConnection].queue.async { self.drain(pooledConnection, run) }
            }
        }

        /// Rejects entries that have waited too long.
        func expire() {
            let late = state.withLock { state -> [Entry] in
                let now = Deadline.now
                guard state.waiting.contains(where: { $0.expiry <= now }) else { return [] }
                let late = state.waiting.filter { $0.expiry <= now }
                state.waiting.removeAll { $0.expiry <= now }
                return late
            }
            for entry in late { entry.fail(StoreError(PostgresFailure.late)) }
        }

        private func drain(_ index: Int, _ run: Run) {
            let pooledConnection = pooledConnections[index]
            while true {
                // The connection comes first: while it is being opened, the entries stay in the queue, where they can
                // expire.
                let refusal: StoreError?
                do {
                    _ = try pooledConnection.connection()
                    refusal = nil
                } catch {
                    refusal = StoreError(error)
                }
                guard let group = leave(to: index) else { return }
                if let refusal {
                    for entry in group { entry.fail(refusal) }
                } else {
                    run(group, pooledConnection)
                }
            }
        }

        /// The next group; nil if the queue is empty, and the connection is idle then.
        private func leave(to pooledConnection: Int) -> [Entry]? {
            state.withLock { state in
                guard !state.waiting.isEmpty else {
                    // Under the lock that `enter` uses: a later entry wakes the connection again.
                    state.idle.append(pooledConnection)
                    return nil
                }
                let size = min(max(1, Entry.groupSize(state.waiting)), state.waiting.count)
                let group = Array(state.waiting[..<size])
                state.waiting.removeFirst(size)
                return group
            }
        }
    }
#endif
