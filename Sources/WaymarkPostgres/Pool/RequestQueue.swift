#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    internal import WaymarkLinks

    /// What stands in a `RequestQueue`.
    protocol WaitingEntry: Sendable {
        /// When nobody waits for it any more.
        var expiry: Deadline { get }
        var fail: @Sendable (StoreError) -> Void { get }

        /// How many of those in front a lane takes at once; at least 1.
        ///
        /// - Precondition: `line` is not empty.
        static func groupSize(_ line: [Self]) -> Int
    }

    /// Calls of the store in the order in which they came, and the lanes that take them: each as many at once as go
    /// together, as soon as it is done with those before.
    final class RequestQueue<Entry: WaitingEntry>: Sendable {
        typealias Run = @Sendable ([Entry], PooledConnection) -> Void

        private struct State {
            var waiting: [Entry] = []
            /// Lanes with nothing to do.
            var idle: [Int]
        }

        /// More than these are refused: their callers would time out before their turn.
        static var capacity: Int { 16_384 }

        private let pooledConnections: [PooledConnection]
        /// What too many of them are called.
        private let noun: String
        private let state: Mutex<State>

        init(_ pooledConnections: [PooledConnection], of noun: String) {
            self.pooledConnections = pooledConnections
            self.noun = noun
            state = Mutex(State(idle: Array(pooledConnections.indices)))
        }

        /// - Parameter run: What a lane does with those that it takes; on the lane's queue, with the lane connected.
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

        /// Refuses what has waited too long.
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
                // First the connection: while it is being made, the entries stay in the line, where they can expire.
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

        /// Those in front that go together; nil, and the lane is idle, where nobody waits.
        private func leave(to pooledConnection: Int) -> [Entry]? {
            state.withLock { state in
                guard !state.waiting.isEmpty else {
                    // Under the lock that `enter` decides under: whoever enters now wakes the lane again.
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
