#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    /// Distributes reads over a few connections; reads that wait while a batch is in flight are sent together in the
    /// next.
    final class ReadQueue: Sendable {
        struct Read: WaitingEntry {
            enum Work: Sendable {
                /// One statement, whose result is processed on the connection's queue.
                case one(Connection.Command, @Sendable (QueryResult) throws -> Write.Completion)
                /// Several statements, in order.
                case several(@Sendable (Connection, Deadline) throws -> Write.Completion)
            }
            var work: Work
            var fail: @Sendable (StoreError) -> Void
            var expiry = Deadline.after(milliseconds: TimeLimit.waiting)

            static let batchLimit = 64

            /// One read with several statements, or all consecutive reads with a single one.
            static func groupSize(_ line: [Read]) -> Int {
                guard case .one = line[0].work else { return 1 }
                var end = 1
                while end < min(line.count, batchLimit), case .one = line[end].work { end += 1 }
                return end
            }
        }

        private let line: RequestQueue<Read>

        init(_ pooledConnections: [PooledConnection]) { line = RequestQueue(pooledConnections, of: "reads") }

        func submit(_ read: Read) {
            line.enter(read) { batch, pooledConnection in self.run(batch, on: pooledConnection) }
        }

        /// Rejects reads that have waited too long.
        func expire() { line.expire() }

        private func run(_ batch: [Read], on pooledConnection: PooledConnection) {
            let deadline = Deadline.after(milliseconds: TimeLimit.transaction)
            do {
                do {
                    try perform(batch, on: pooledConnection.connection(), by: deadline)
                } catch PostgresFailure.disconnected(_) where deadline.allowsReconnecting {
                    // The connection may have died long ago; reads are safe to retry.
                    try perform(batch, on: pooledConnection.connection(), by: deadline)
                }
            } catch {
                let reason = StoreError(error)
                for read in batch { read.fail(reason) }
            }
        }

        /// - Throws: If none of the reads has been answered.
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
