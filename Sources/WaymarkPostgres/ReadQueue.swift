#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    internal import WaymarkLinks

    /// Spreads reads over a few connections; those that wait while one batch is on its way go out together in the next.
    final class ReadQueue: Sendable {
        struct Read: Sendable {
            enum Work: Sendable {
                /// One statement, whose answer is looked at on the lane's queue.
                case one(Connection.Command, @Sendable (QueryResult) throws -> Write.Completion)
                /// Several, one after the other.
                case several(@Sendable (Connection, Deadline) throws -> Write.Completion)
            }
            var work: Work
            var fail: @Sendable (StoreError) -> Void
            var expiry = Deadline.after(milliseconds: TimeLimit.waiting)
        }

        private struct State {
            var waiting: [Read] = []
            var idle: [Int]
        }

        static let capacity = 16_384
        static let batchLimit = 64

        private let lanes: [Lane]
        private let state: Mutex<State>

        init(_ lanes: [Lane]) {
            self.lanes = lanes
            state = Mutex(State(idle: Array(lanes.indices)))
        }

        func submit(_ read: Read) {
            let step = state.withLock { state -> (isAccepted: Bool, lane: Int?) in
                guard state.waiting.count < Self.capacity else { return (false, nil) }
                state.waiting.append(read)
                return (true, state.idle.popLast())
            }
            guard step.isAccepted else {
                return read.fail(.unavailable("too many reads are waiting for the database"))
            }
            if let lane = step.lane { lanes[lane].queue.async { self.drain(lane) } }
        }

        /// Refuses what has waited too long.
        func expire() {
            let late = state.withLock { state -> [Read] in
                let now = Deadline.now
                guard state.waiting.contains(where: { $0.expiry <= now }) else { return [] }
                let late = state.waiting.filter { $0.expiry <= now }
                state.waiting.removeAll { $0.expiry <= now }
                return late
            }
            for read in late { read.fail(StoreError(PostgresFailure.late)) }
        }

        private func drain(_ place: Int) {
            let lane = lanes[place]
            while true {
                let refusal: StoreError?
                do {
                    _ = try lane.connection()
                    refusal = nil
                } catch {
                    refusal = StoreError(error)
                }
                guard let batch = next(place) else { return }
                if let refusal {
                    for read in batch { read.fail(refusal) }
                } else {
                    run(batch, on: lane)
                }
            }
        }

        /// One read of several statements, or as many of one statement as wait in a row.
        private func next(_ lane: Int) -> [Read]? {
            state.withLock { state in
                guard let first = state.waiting.first else {
                    state.idle.append(lane)
                    return nil
                }
                var end = 1
                if case .one = first.work {
                    while end < min(state.waiting.count, Self.batchLimit), case .one = state.waiting[end].work {
                        end += 1
                    }
                }
                let batch = Array(state.waiting[..<end])
                state.waiting.removeFirst(end)
                return batch
            }
        }

        private func run(_ batch: [Read], on lane: Lane) {
            let deadline = Deadline.after(milliseconds: TimeLimit.transaction)
            do {
                do {
                    try perform(batch, on: lane.connection(), by: deadline)
                } catch PostgresFailure.disconnected(_) where deadline.allowsReconnecting {
                    // It may have died long ago, and reading twice does no harm.
                    try perform(batch, on: lane.connection(), by: deadline)
                }
            } catch {
                let reason = StoreError(error)
                for read in batch { read.fail(reason) }
            }
        }

        /// - Throws: Where none of the reads has been answered.
        private func perform(_ batch: [Read], on connection: Connection, by deadline: Deadline) throws {
            var commands: [Connection.Command] = []
            for read in batch {
                switch read.work {
                case .one(let command, _): commands.append(command)
                case .several(let body):
                    let completion: Write.Completion
                    do {
                        completion = try body(connection, deadline)
                    } catch let failure as PostgresFailure where !connection.isOpen {
                        throw failure
                    } catch {
                        return read.fail(StoreError(error))
                    }
                    return completion()
                }
            }
            let results = try connection.exchangeEach(commands, by: deadline)
            for (read, result) in zip(batch, results) {
                guard case .one(_, let take) = read.work else { continue }
                answer(read) { try take(result.get()) }
            }
        }

        private func answer(_ read: Read, _ body: () throws -> Write.Completion) {
            do {
                try body()()
            } catch {
                read.fail(StoreError(error))
            }
        }
    }
#endif
