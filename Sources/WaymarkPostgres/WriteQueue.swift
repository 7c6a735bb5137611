#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    internal import WaymarkLinks
    internal import WaymarkMetrics

    /// Lets writes that arrive while transactions run share the next.
    ///
    /// A commit waits for the disk and for the network; one for each write would cap a server at some hundred or some
    /// thousand writes a second. Each lane takes all that waits into one transaction as soon as it is done with the last.
    final class WriteQueue: Sendable {
        private struct State {
            var waiting: [Write] = []
            /// Lanes with nothing to do.
            var idle: [Int]
            var transactions = 0
            var writes = 0
        }

        /// More waiting writes than these are refused: their callers would time out before their turn.
        static let capacity = 16_384
        /// Rows that one transaction takes before the rest waits for the next.
        static let weightLimit = 4_096
        /// How often a transaction is begun again that another server's came between.
        static let repetitions = 20

        /// How many writes each transaction held.
        let sizes = Histogram(.sizes)
        private let lanes: [Lane]
        private let origin: ChangeNotice.Origin
        private let state: Mutex<State>
        /// Numbers of hosts; they never change.
        private let hosts = Mutex<[HostName: Int64]>([:])

        init(_ lanes: [Lane], origin: ChangeNotice.Origin) {
            self.lanes = lanes
            self.origin = origin
            state = Mutex(State(idle: Array(lanes.indices)))
        }

        var counts: (transactions: Int, writes: Int) { state.withLock { ($0.transactions, $0.writes) } }

        func submit(_ write: Write) {
            let step = state.withLock { state -> (isAccepted: Bool, lane: Int?) in
                guard state.waiting.count < Self.capacity else { return (false, nil) }
                state.waiting.append(write)
                return (true, state.idle.popLast())
            }
            guard step.isAccepted else {
                return write.fail(.unavailable("too many writes are waiting for the database"))
            }
            if let lane = step.lane { lanes[lane].queue.async { self.drain(lane) } }
        }

        /// Refuses what has waited too long.
        func expire() {
            let late = state.withLock { state -> [Write] in
                let now = Deadline.now
                guard state.waiting.contains(where: { $0.expiry <= now }) else { return [] }
                let late = state.waiting.filter { $0.expiry <= now }
                state.waiting.removeAll { $0.expiry <= now }
                return late
            }
            for write in late { write.fail(StoreError(PostgresFailure.late)) }
        }

        private func drain(_ place: Int) {
            let lane = lanes[place]
            while true {
                // First the connection: while it is being made, the writes stay in the queue, where they can expire.
                let refusal: StoreError?
                do {
                    _ = try lane.connection()
                    refusal = nil
                } catch {
                    refusal = StoreError(error)
                }
                guard let group = next(place) else { return }
                if let refusal {
                    for write in group { write.fail(refusal) }
                } else {
                    run(group, on: lane, by: .after(milliseconds: TimeLimit.transaction))
                }
            }
        }

        private func next(_ lane: Int) -> [Write]? {
            state.withLock { state in
                guard let first = state.waiting.first else {
                    // Under the lock that `submit` decides under: whoever queues now wakes the lane again.
                    state.idle.append(lane)
                    return nil
                }
                var end = 1
                if case .links = first.work {
                    var weight = first.weight
                    while end < state.waiting.count, weight < Self.weightLimit, case .links = state.waiting[end].work {
                        weight += state.waiting[end].weight
                        end += 1
                    }
                }
                let group = Array(state.waiting[..<end])
                state.waiting.removeFirst(end)
                return group
            }
        }

        private func run(_ group: [Write], on lane: Lane, by deadline: Deadline) {
            do {
                let completions = try repeating(group, on: lane, by: deadline)
                state.withLock { state in
                    state.transactions += 1
                    state.writes += group.count
                }
                sizes.record(group.count)
                for completion in completions { completion() }
            } catch PostgresFailure.refused(_) where group.count > 1 {
                // Something in the group is not to the server's liking: each alone, so that the others go through.
                for write in group { run([write], on: lane, by: deadline) }
            } catch {
                let reason = StoreError(error)
                for write in group { write.fail(reason) }
            }
        }

        private func repeating(_ group: [Write], on lane: Lane, by deadline: Deadline) throws -> [Write.Completion] {
            var attempts = 0
            while true {
                attempts += 1
                let transaction = Transaction(try lane.connection(), origin: origin, by: deadline)
                do {
                    return try perform(group, in: transaction)
                } catch {
                    transaction.rollback()
                    guard attempts < Self.repetitions, !deadline.hasPassed else { throw error }
                    switch error {
                    case PostgresFailure.raced: continue
                    // A connection that had died before, with the server's restart for instance. Once COMMIT was sent,
                    // nobody knows whether it happened, and a repetition might do everything twice.
                    case PostgresFailure.disconnected
                    where !transaction.isCommitting && attempts == 1 && deadline.allowsReconnecting:
                        continue
                    default: throw error
                    }
                }
            }
        }

        private func perform(_ group: [Write], in transaction: Transaction) throws -> [Write.Completion] {
            var links: [(write: LinkWrite, fail: @Sendable (StoreError) -> Void)] = []
            for write in group {
                switch write.work {
                case .links(let change): links.append((change, write.fail))
                case .alone(let body):
                    _ = try transaction.exchange([.init(.begin)])
                    let completion = try body(transaction)
                    if !transaction.isCommitting { try transaction.commit() }
                    return [completion]
                }
            }
            var known = hosts.withLock { $0 }
            let completions = try WriteGroup(writes: links).run(in: transaction, hosts: &known)
            // Bounded, because a domain is only ever in it when a link was made there.
            hosts.withLock { $0.merge(known) { $1 } }
            return completions
        }
    }
#endif
