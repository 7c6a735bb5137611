#if PostgreSQL
    internal import Synchronization
    internal import WaymarkLinks
    internal import WaymarkMetrics

    /// Lets writes that arrive while transactions run share the next.
    ///
    /// A commit waits for the disk and for the network; one for each write would cap a server at some hundred or some
    /// thousand writes a second. Each lane takes all that waits into one transaction as soon as it is done with the last.
    final class GroupCommit: Sendable {
        /// How often a transaction is begun again that another server's came between.
        static let repetitions = 20

        /// How many writes each transaction held.
        let sizes = Histogram(.sizes)
        private let line: RequestQueue<Write>
        private let metadataKeys: MetadataKeyRing
        private let origin: ChangeNotice.Origin
        /// Numbers of hosts; they never change.
        private let hosts = Mutex<[HostName: Int64]>([:])

        init(_ pooledConnections: [PooledConnection], origin: ChangeNotice.Origin, metadataKeys: MetadataKeyRing) {
            self.metadataKeys = metadataKeys
            line = RequestQueue(pooledConnections, of: "writes")
            self.origin = origin
        }

        func submit(_ write: Write) {
            line.enter(write) { group, pooledConnection in
                self.run(group, on: pooledConnection, by: .after(milliseconds: TimeLimit.transaction))
            }
        }

        /// Refuses what has waited too long.
        func expire() { line.expire() }

        private func run(_ group: [Write], on pooledConnection: PooledConnection, by deadline: Deadline) {
            do {
                let completions = try repeating(group, on: pooledConnection, by: deadline)
                sizes.record(group.count)
                for completion in completions { completion() }
            } catch PostgresFailure.refused(_) where group.count > 1 {
                // Something in the group is not to the server's liking: each alone, so that the others go through.
                for write in group { run([write], on: pooledConnection, by: deadline) }
            } catch {
                let reason = StoreError(error)
                for write in group { write.fail(reason) }
            }
        }

        private func repeating(_ group: [Write], on pooledConnection: PooledConnection, by deadline: Deadline) throws
            -> [Write.Completion]
        {
            var attempts = 0
            while true {
                attempts += 1
                let transaction = Transaction(try pooledConnection.connection(), origin: origin, by: deadline)
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
            let completions = try WriteGroup(writes: links, metadataKeys: metadataKeys.current).run(
                in: transaction, hosts: &known)
            // Bounded, because a domain is only ever in it when a link was made there.
            hosts.withLock { $0.merge(known) { $1 } }
            return completions
        }
    }
#endif
