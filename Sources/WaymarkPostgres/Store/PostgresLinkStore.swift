#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    package import WaymarkLinks
    package import WaymarkMetrics

    /// Links on PostgreSQL (13 or later), for any number of servers at once.
    ///
    /// A bounded pool: one connection that writes, four that read, one for listings, one that listens. All of libpq happens on Dispatch
    /// queues; nothing here ever blocks the threads that tasks run on. Writes share transactions (`GroupCommit`) and
    /// return once theirs is committed. While the database is away every call throws `.unavailable`, within 10 s at the
    /// most and at once where it is known to be away; the store comes back by itself.
    package final class PostgresLinkStore: SealingStore {
        static let readers = 4
        static let writers = 1
        static let listingReaders = 1

        /// What other servers have changed, as they commit it; each change of this store's own is left out. For one
        /// reader. It begins with `everything`, ends when the store is closed, and says `interrupted` while changes may
        /// be missed.
        package let changes: AsyncStream<StoreChange>

        package let metadataKeys: MetadataKeyRing
        let writes: GroupCommit
        private let reads: ReadQueue
        /// Apart from the others, so that no visit waits until a search is over.
        private let listings: ReadQueue
        private let pooledConnections: [PooledConnection]
        private let listener: ChangeListener
        private let sweeper: Sweeper
        private let isClosed = Mutex(false)
        /// What was begun and not yet answered.
        private let begun = DispatchGroup()

        package var isShared: Bool { true }
        package var commitSizes: HistogramMetrics? { writes.sizes.metrics }

        /// Connects and brings the tables up to date. Blocks while it does: up to 3 s for connecting, longer where
        /// another server is changing the tables.
        ///
        /// - Parameters:
        ///   - url: `postgres://…` with whatever libpq knows, `sslmode` for instance.
        ///   - isPatient: Whether a database that can't be reached now is no error: every call throws `.unavailable` until
        ///     it can.
        ///   - metadataKeys: Under which metadata is stored.
        /// - Throws: `.unavailable` or `.corrupt`, one sentence that names the server, and never the URL itself.
        package init(
            url text: String, isPatient: Bool = false, metadataKeys: MetadataKeyRing = MetadataKeyRing()
        ) throws(StoreError) {
            self.metadataKeys = metadataKeys
            let url = try PostgresURL(text)
            let gate = ConnectionGate()
            let tables = TableCheck()
            let writers = (0..<Self.writers).map {
                PooledConnection(url, gate: gate, tables: tables, name: "writes.\($0)")
            }
            let readers = (0..<Self.readers).map {
                PooledConnection(url, gate: gate, tables: tables, name: "reads.\($0)")
            }
            let listers = (0..<Self.listingReaders).map {
                PooledConnection(url, gate: gate, tables: tables, name: "listings.\($0)")
            }
            do {
                _ = try writers[0].queue.sync { try writers[0].connection() }
            } catch PostgresFailure.disconnected where isPatient {
                // The lanes go on trying.
            } catch {
                throw StoreError(error).naming(url.location)
            }
            let origin = ChangeNotice.Origin()
            pooledConnections = writers + readers + listers
            writes = GroupCommit(writers, origin: origin, metadataKeys: metadataKeys)
            reads = ReadQueue(readers)
            listings = ReadQueue(listers)
            listener = try ChangeListener(url, unless: origin)
            changes = listener.changes
            sweeper = Sweeper { [writes, reads, listings] in
                writes.expire()
                reads.expire()
                listings.expire()
            }
            listener.start()
        }

        /// Whether libpq takes the URL. Connects to nothing.
        package static func accepts(url: String) -> Bool { (try? PostgresURL(url)) != nil }

        /// Transactions that were committed so far, and the writes in them.
        package var transactionCounts: (transactions: Int, writes: Int) {
            let sizes = writes.sizes.metrics
            return (sizes.count, sizes.sum)
        }

        /// Runs one statement on a reading connection, with the others that wait.
        func read<Value: Sendable>(
            _ command: Connection.Command, _ take: @escaping @Sendable (QueryResult) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform { continuation in
                self.reads.submit(
                    ReadQueue.Read(
                        work: .one(command) { result in
                            let value = try take(result)
                            return { continuation.resume(returning: .success(value)) }
                        }, fail: { continuation.resume(returning: .failure($0)) }))
            }
        }

        /// Runs statements one after the other on a connection for listings; may begin again where it is lost.
        func readListing<Value: Sendable>(
            _ body: @escaping @Sendable (Connection, Deadline) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform { continuation in
                self.listings.submit(
                    ReadQueue.Read(
                        work: .several { connection, deadline in
                            let value = try body(connection, deadline)
                            return { continuation.resume(returning: .success(value)) }
                        }, fail: { continuation.resume(returning: .failure($0)) }))
            }
        }

        /// Changes links in the next transaction, with the other writes that wait; returns when it is committed.
        func write<Value: Sendable>(
            _ order: LinkWrite.Order, weight: Int = 1, needing gather: @escaping @Sendable (inout Needs) -> Void,
            _ apply: @escaping @Sendable (inout WorkingSet) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform { continuation in
                let change = LinkWrite(order: order, gather: gather) { set in
                    let value = try apply(&set)
                    return { continuation.resume(returning: .success(value)) }
                }
                self.writes.submit(
                    Write(work: .links(change), weight: weight) { continuation.resume(returning: .failure($0)) })
            }
        }

        /// Runs the body in a transaction of its own.
        func writeAlone<Value: Sendable>(
            _ body: @escaping @Sendable (Transaction) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform { continuation in
                self.writes.submit(
                    Write(
                        work: .alone { transaction in
                            let value = try body(transaction)
                            return { continuation.resume(returning: .success(value)) }
                        }, weight: 1
                    ) { continuation.resume(returning: .failure($0)) })
            }
        }

        private func perform<Value: Sendable>(
            _ submit: (CheckedContinuation<Result<Value, StoreError>, Never>) -> Void
        ) async throws(StoreError) -> Value {
            let isOpen = isClosed.withLock { isClosed in
                // Under the lock that `close` closes under: what has begun is waited for.
                if !isClosed { begun.enter() }
                return !isClosed
            }
            guard isOpen else { throw .unavailable("the store is closed") }
            defer { begun.leave() }
            return try await withCheckedContinuation(submit).get()
        }

        package func ping() async throws(StoreError) {
            try await read(.init(.ping)) { _ = try $0.number(0, 0) }
        }

        package func close() async {
            isClosed.withLock { $0 = true }
            await withCheckedContinuation { continuation in
                begun.notify(queue: .global()) { continuation.resume() }
            }
            sweeper.stop()
            for pooledConnection in pooledConnections {
                await withCheckedContinuation { continuation in
                    pooledConnection.queue.async {
                        pooledConnection.disconnect()
                        continuation.resume()
                    }
                }
            }
            await listener.stop()
        }
    }
#endif
