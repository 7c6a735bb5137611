#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    import WaymarkLinks
    package import WaymarkMetrics
    package import WaymarkStores

    /// Stores links in PostgreSQL (13 or later), for any number of servers at once.
    ///
    /// A bounded pool: one connection for writes, four for reads, one for pages of listings that an index gives, one for
    /// searches and reports, one that updates indexes, one that listens. All of libpq runs on Dispatch queues; nothing
    /// here blocks the thread pool for tasks. Writes share transactions
    /// (`GroupCommit`) and return once theirs is committed. While the database is unavailable every call throws
    /// `.unavailable`, within 10 s at most and at once if it is known to be unavailable; the store reconnects by
    /// itself.
    package final class PostgresLinkStore: SealingStore {
        static let readers = 4
        static let writers = 1
        static let pageReaders = 1
        static let listingReaders = 1

        /// Other servers' changes, as they are committed; this store's own are omitted. For one reader. It starts
        /// with `everything`, ends when the store is closed, and yields `interrupted` while changes may be missed.
        package let changes: AsyncStream<StoreChange>

        package let metadataKeys: MetadataKeyRing
        package let metrics = StoreMetrics()
        let writes: GroupCommit
        private let reads: ReadQueue
        /// A separate queue, so that no visit waits for a page of links.
        private let pages: ReadQueue
        /// A separate queue, so that neither waits for a search or a report.
        private let listings: ReadQueue
        /// For updating indexes.
        private let background: ReadQueue
        let clicked = ClickedLinks()
        let connected: ConnectedServers
        let origin: ChangeNotice.Origin
        private let pooledConnections: [PooledConnection]
        private let listener: ChangeListener
        private let sweeper: Sweeper
        private let isClosed = Mutex(false)
        let damagedTotals = DamagedTotals()
        /// Calls in flight.
        private let begun = DispatchGroup()

        package var isShared: Bool { true }
        package var hasEarlierServers: Bool { !connected.areCurrent }
        package var commitSizes: HistogramMetrics? { writes.sizes.metrics }

        /// Connects and brings the tables up to date. Blocks: up to 3 s for connecting, longer if another server is
        /// migrating the tables.
        ///
        /// - Parameters:
        ///   - url: `postgres://…` with any parameters of libpq, such as `sslmode`.
        ///   - isPatient: Whether to start even if the database is unavailable: every call throws `.unavailable`
        ///     until it can be reached.
        ///   - metadataKeys: The keys that encrypt stored metadata.
        ///   - report: Receives the beginning and the end of a migration.
        /// - Throws: `.unavailable` or `.corrupt`, one sentence that names the server, and never the URL itself.
        package init(
            url text: String, isPatient: Bool = false, metadataKeys: MetadataKeyRing = MetadataKeyRing(),
            onMigration report: @escaping @Sendable (SchemaChange) -> Void = { _ in }
        ) throws(StoreError) {
            self.metadataKeys = metadataKeys
            let url = try PostgresURL(text)
            let gate = ConnectionGate()
            let tables = TableCheck(reporting: report)
            let connected = ConnectedServers()
            self.connected = connected
            let writers = (0..<Self.writers).map {
                PooledConnection(url, gate: gate, tables: tables, name: "writes.\($0)")
            }
            let readers = (0..<Self.readers).map {
                PooledConnection(url, gate: gate, tables: tables, name: "reads.\($0)")
            }
            let pagers = (0..<Self.pageReaders).map {
                PooledConnection(url, gate: gate, tables: tables, name: "pages.\($0)")
            }
            let listers = (0..<Self.listingReaders).map {
                PooledConnection(url, gate: gate, tables: tables, name: "listings.\($0)")
            }
            let indexers = [PooledConnection(url, gate: gate, tables: tables, name: "indexes.0")]
            do {
                try writers[0].queue.sync {
                    try connected.sample(
                        on: try writers[0].connection(), by: .after(milliseconds: TimeLimit.connecting))
                }
            } catch PostgresFailure.disconnected where isPatient {
                // The pooled connections keep trying.
            } catch {
                throw StoreError(error).naming(url.location)
            }
            let origin = ChangeNotice.Origin()
            self.origin = origin
            pooledConnections = writers + readers + pagers + listers + indexers
            writes = GroupCommit(writers, origin: origin, metadataKeys: metadataKeys)
            reads = ReadQueue(readers)
            pages = ReadQueue(pagers)
            listings = ReadQueue(listers)
            background = ReadQueue(indexers)
            listener = try ChangeListener(url, unless: origin, connected: connected)
            changes = listener.changes
            sweeper = Sweeper { [writes, reads, pages, listings, background] in
                writes.expire()
                reads.expire()
                pages.expire()
                listings.expire()
                background.expire()
            }
            listener.start()
        }

        /// Whether the text is meant as a URL of PostgreSQL.
        package static func isNamed(by url: String) -> Bool {
            url.hasPrefix("postgres://") || url.hasPrefix("postgresql://")
        }

        /// Why a connection to the URL could never be made; nil if it could. Does not connect, and says nothing of the URL.
        package static func problem(with url: String) -> String? {
            do throws(StoreError) {
                _ = try PostgresURL(url)
                return nil
            } catch {
                return error.sentence
            }
        }

        /// Number of committed transactions, and of the writes in them.
        package var transactionCounts: (transactions: Int, writes: Int) {
            let sizes = writes.sizes.metrics
            return (sizes.count, sizes.sum)
        }

        /// Runs one statement on a connection for reads, together with other waiting reads.
        ///
        /// - Parameter operation: What is measured; nil if nothing is.
        func read<Value: Sendable>(
            as operation: StoreOperation? = nil, _ command: Connection.Command,
            _ take: @escaping @Sendable (QueryResult) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform(as: operation) { continuation in
                self.reads.submit(
                    ReadQueue.Read(
                        work: .one(command) { result in
                            let value = try take(result)
                            return { continuation.resume(returning: .success(value)) }
                        }, fail: { continuation.resume(returning: .failure($0)) }))
            }
        }

        /// Runs statements in order on a connection for listings; may restart if the connection is lost.
        func readListing<Value: Sendable>(
            as operation: StoreOperation? = nil, _ body: @escaping @Sendable (Connection, Deadline) throws -> Value
        ) async throws(StoreError) -> Value {
            try await read(as: operation, on: listings, body)
        }

        /// The same on a connection for pages of links.
        func readPage<Value: Sendable>(
            as operation: StoreOperation? = nil, _ body: @escaping @Sendable (Connection, Deadline) throws -> Value
        ) async throws(StoreError) -> Value {
            try await read(as: operation, on: pages, body)
        }

        private func read<Value: Sendable>(
            as operation: StoreOperation?, on queue: ReadQueue,
            _ body: @escaping @Sendable (Connection, Deadline) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform(as: operation) { continuation in
                queue.submit(
                    ReadQueue.Read(
                        work: .several { connection, deadline in
                            let value = try body(connection, deadline)
                            return { continuation.resume(returning: .success(value)) }
                        }, fail: { continuation.resume(returning: .failure($0)) }))
            }
        }

        /// Runs statements on the connection that updates indexes; may restart if the connection is lost.
        func inBackground<Value: Sendable>(
            _ body: @escaping @Sendable (Connection, Deadline) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform(as: nil) { continuation in
                self.background.submit(
                    ReadQueue.Read(
                        work: .several { connection, _ in
                            let value = try body(connection, .after(milliseconds: TimeLimit.indexing))
                            return { continuation.resume(returning: .success(value)) }
                        }, fail: { continuation.resume(returning: .failure($0)) }))
            }
        }

        /// Changes links in the next transaction, together with other waiting writes; returns when it is committed.
        func write<Value: Sendable>(
            as operation: StoreOperation? = nil, order: LinkWrite.Order, weight: Int = 1,
            needing gather: @escaping @Sendable (inout Needs) -> Void,
            _ apply: @escaping @Sendable (inout WorkingSet) throws -> Value
        ) async throws(StoreError) -> Value {
            let call = AuditCall.current
            let written = try await perform(as: operation) {
                (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
                let change = LinkWrite(order: order, gather: gather) { set in
                    set.auditCall = call
                    call?.begin()
                    let value = try apply(&set)
                    return { continuation.resume(returning: .success(value)) }
                }
                self.writes.submit(
                    Write(work: .links(change), weight: weight) { continuation.resume(returning: .failure($0)) })
            }
            call?.commit()
            return written
        }

        /// Runs the body in its own transaction.
        func writeAlone<Value: Sendable>(
            as operation: StoreOperation? = nil, _ body: @escaping @Sendable (Transaction) throws -> Value
        ) async throws(StoreError) -> Value {
            let call = AuditCall.current
            return try await perform(as: operation) { continuation in
                self.writes.submit(
                    Write(
                        work: .alone { transaction in
                            transaction.auditCall = call
                            let value = try body(transaction)
                            return { continuation.resume(returning: .success(value)) }
                        }, weight: 1
                    ) { continuation.resume(returning: .failure($0)) })
            }
        }

        private func perform<Value: Sendable>(
            as operation: StoreOperation?,
            _ submit: (CheckedContinuation<Result<Value, StoreError>, Never>) -> Void
        ) async throws(StoreError) -> Value {
            try await metrics.measure(operation) { () async throws(StoreError) in
                let isOpen = isClosed.withLock { isClosed in
                    // Under the lock that `close` uses: it waits for calls that have begun.
                    if !isClosed { begun.enter() }
                    return !isClosed
                }
                guard isOpen else { throw .unavailable("the store is closed") }
                defer { begun.leave() }
                return try await withCheckedContinuation(submit).get()
            }
        }

        @discardableResult
        package func ping() async throws(StoreError) -> StoreCondition {
            try await read(as: .ping, .init(.ping)) { result in
                var condition = StoreCondition()
                condition.clock = Timestamp(rawValue: try result.number(0, 0))
                condition.connections = Int(try result.number(0, 1))
                condition.connectionLimit = Int(try result.number(0, 2))
                return condition
            }
        }

        /// Through the channel of messages, so that servers of older versions don't take them for changes.
        package func send(_ message: String) async throws(StoreError) {
            let payload = ChangeNotice.message(message, from: origin)
            try await writeAlone { transaction in
                _ = try transaction.run(
                    sql: "SELECT pg_notify('\(ChangeNotice.messageChannel)', $1::text)", .text(payload))
            }
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

    /// Runs a function every half second until it is stopped.
    /// Unchecked because Dispatch's sources are thread-safe, but only according to their documentation.
    final class Sweeper: @unchecked Sendable {
        private let timer: any DispatchSourceTimer

        init(_ body: @escaping @Sendable () -> Void) {
            timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "waymark.postgresql.expiry"))
            timer.setEventHandler(handler: body)
            timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
            timer.resume()
        }

        func stop() { timer.cancel() }

        deinit { timer.cancel() }
    }
#endif
