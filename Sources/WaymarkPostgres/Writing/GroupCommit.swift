#if PostgreSQL
    internal import Synchronization
    internal import WaymarkStores
    internal import WaymarkLinks
    internal import WaymarkMetrics

    /// Group commit: writes that arrive while transactions run share the next.
    ///
    /// A commit waits for the disk and the network; one per write would limit a server to some hundreds or thousands
    /// of writes a second. Each connection takes all waiting writes into one transaction once it has finished the
    /// previous one.
    final class GroupCommit: Sendable {
        /// Limit of retries for a transaction that conflicts with another server's.
        static let repetitions = 20

        /// Number of writes per transaction.
        let sizes = Histogram(.sizes)
        private let line: RequestQueue<Write>
        private let metadataKeys: MetadataKeyRing
        private let origin: ChangeNotice.Origin
        /// Numbers of hosts, which never change.
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

        /// Rejects writes that have waited too long.
        func expire() { line.expire() }

        private func run(_ group: [Write], on pooledConnection: PooledConnection, by deadline: Deadline) {
            do {
                let completions = try repeating(group, on: pooledConnection, by: deadline)
                sizes.record(group.count)
                for completion in completions { completion() }
            } catch  where group.count > 1 && Self.isOfOneWrite(error) {
                // Each write runs alone, so that the others succeed.
                for write in group { run([write], on: pooledConnection, by: deadline) }
            } catch {
                let reason = StoreError(error)
                for write in group { write.fail(reason) }
            }
        }

        /// Whether the server rejects something in a group, or one of its links can't be read.
        private static func isOfOneWrite(_ error: any Error) -> Bool {
            switch error {
            case PostgresFailure.refused, StoreError.corrupt: true
            default: false
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
                    // The connection had died before, for example at a restart of the server. Once COMMIT was sent,
                    // its outcome is unknown, and a retry might apply everything twice.
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
            // Bounded, because it only contains hosts on which a link was made.
            hosts.withLock { $0.merge(known) { $1 } }
            return completions
        }
    }
#endif
