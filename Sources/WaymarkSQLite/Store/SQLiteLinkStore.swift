internal import Dispatch
internal import GRDB
internal import Synchronization
import WaymarkLinks
package import WaymarkMetrics
package import WaymarkStores

/// Stores links in an SQLite file, for one server at a time.
///
/// A lock file (`<path>.lock`) protects the file while the store is open: a second server, or a command that needs
/// exclusive use, fails at once. Commands may open the file directly while no server runs.
///
/// Writes share commits (`GroupCommit`) and return once theirs is on disk (WAL with `synchronous = FULL`). Reads run
/// on a few separate connections. Nothing here blocks the thread pool for tasks: all of SQLite runs on Dispatch
/// queues.
package final class SQLiteLinkStore: SealingStore {
    let database: any DatabaseWriter
    let commits: GroupCommit
    package let metadataKeys: MetadataKeyRing
    package let metrics = StoreMetrics()
    private let reads: ReadQueue
    /// A separate queue, so that no visit waits for a page of links.
    private let pages: ReadQueue
    /// A separate queue, so that neither waits for a search or a report.
    private let listings: ReadQueue
    /// A separate queue for reading what is to be indexed.
    private let background: ReadQueue
    let clicked = ClickedLinks()
    let isIndexing = Mutex(false)
    /// Whether leaves of unfinished parts have been removed since the store was opened.
    let isSearchIndexClean = Mutex(false)
    private let location: FileLocation?
    /// Nil once closed, and for an in-memory database.
    private let lock: Mutex<FileLock?>
    private let phase = Mutex(Phase.open)
    /// Serial, so that a second `close` returns only once the first has closed.
    private let closing = DispatchQueue(label: "waymark.sqlite.closing")
    private let watching = DispatchQueue(label: "waymark.sqlite.watching")
    /// Calls in flight.
    private let begun = DispatchGroup()

    private enum Phase { case open, closing, closed }

    /// Opens the database, creates it if missing, and brings its tables up to date. Blocks.
    ///
    /// - Parameter path: A file, whose missing folders are created (mode 0700), or `:memory:` for a temporary one.
    /// - Parameter metadataKeys: The keys that encrypt stored metadata.
    /// - Parameter report: Receives the beginning and the end of a migration.
    /// - Throws: `.unavailable` (locked by another server or program, read-only, full, no permission) or `.corrupt`
    ///   (not an SQLite database, damaged, of another program, of a newer version): one sentence that names the path.
    package init(
        path: String, metadataKeys: MetadataKeyRing = MetadataKeyRing(),
        onMigration report: (SchemaChange) -> Void = { _ in }
    ) throws(StoreError) {
        let opened = try DatabaseFile.open(path, reporting: report)
        database = opened.database
        self.metadataKeys = metadataKeys
        commits = GroupCommit(opened.database, metadataKeys: metadataKeys, location: opened.location)
        location = opened.location
        reads = ReadQueue(opened.database, concurrency: path == ":memory:" ? 1 : DatabaseFile.readers)
        pages = ReadQueue(opened.database, concurrency: DatabaseFile.pageReaders)
        listings = ReadQueue(opened.database, concurrency: DatabaseFile.listingReaders)
        background = ReadQueue(opened.database, concurrency: DatabaseFile.backgroundReaders)
        lock = Mutex(opened.lock)
    }

    /// The version of the tables that this program uses.
    package static var schemaVersion: Int { Schema.version }

    /// Number of committed transactions, and of the writes in them.
    package var commitCounts: (commits: Int, writes: Int) { commits.counts }

    package var commitSizes: HistogramMetrics? { commits.sizes.metrics }

    /// Runs the body on a reading connection. It must be a single statement, which SQLite runs on one snapshot.
    ///
    /// - Parameter operation: What is measured; nil if nothing is.
    func read<Value: Sendable>(
        as operation: StoreOperation? = nil, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(as: operation, on: reads, body)
    }

    /// The same on a connection for pages of links.
    func readPage<Value: Sendable>(
        as operation: StoreOperation? = nil, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(as: operation, on: pages, body)
    }

    /// The same on a connection for reads that take longer than a lookup.
    func readListing<Value: Sendable>(
        as operation: StoreOperation? = nil, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(as: operation, on: listings, body)
    }

    /// The same for background work, for which listings don't wait.
    func readBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(as: nil, on: background, body)
    }

    private func read<Value: Sendable>(
        as operation: StoreOperation?, on queue: ReadQueue, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform(as: operation) { continuation in
            queue.submit { database in
                do {
                    continuation.resume(returning: .success(try body(database.get())))
                } catch {
                    continuation.resume(returning: .failure(StoreError(error)))
                }
            }
        }
    }

    /// Runs the body in the next transaction, together with other waiting writes; returns when it is on disk.
    func write<Value: Sendable>(
        as operation: StoreOperation? = nil, weight: Int = 1,
        _ body: @escaping @Sendable (inout WriteSession) throws -> Value
    ) async throws(StoreError) -> Value {
        let call = AuditCall.current
        let written = try await perform(as: operation) {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            commits.submit(
                GroupCommit.Write(weight: weight) { session in
                    var session = session
                    session.auditCall = call
                    call?.begin()
                    let value = try body(&session)
                    return { continuation.resume(returning: .success(value)) }
                } fail: { error in
                    continuation.resume(returning: .failure(error))
                })
        }
        call?.commit()
        return written
    }

    private func perform<Value: Sendable>(
        as operation: StoreOperation?, _ submit: (CheckedContinuation<Result<Value, StoreError>, Never>) -> Void
    ) async throws(StoreError) -> Value {
        try await metrics.measure(operation) { () async throws(StoreError) in
            let isOpen = phase.withLock { phase in
                // Under the lock that `close` uses: it waits for calls that have begun.
                if phase == .open { begun.enter() }
                return phase == .open
            }
            guard isOpen else { throw .unavailable("the store is closed") }
            defer { begun.leave() }
            return try await withCheckedContinuation(submit).get()
        }
    }

    @discardableResult
    package func ping() async throws(StoreError) -> StoreCondition {
        try await metrics.measure(.ping) { () async throws(StoreError) in
            // On a queue: a network file system that hangs blocks even `stat`. Before reading, because a connection
            // that is opened makes a deleted write-ahead log again.
            let files: Result<Void, StoreError> = await withCheckedContinuation { continuation in
                watching.async { [location] in
                    continuation.resume(returning: Result { () throws(StoreError) in try location?.check() })
                }
            }
            try files.get()
            return try await read { [location] database in
                var condition = StoreCondition()
                condition.newestLink =
                    try database.row("SELECT created_at FROM link ORDER BY id DESC LIMIT 1", []) { try $0.timestamp(0) }
                    ?? Timestamp(seconds: 0)
                condition.freeBytes = try location?.freeBytes()
                condition.lastBackup = location?.lastBackup
                return condition
            }
        }
    }

    package func close() async {
        phase.withLock { if $0 == .open { $0 = .closing } }
        await withCheckedContinuation { continuation in
            begun.notify(queue: closing) { [self] in
                closeOnce()
                continuation.resume()
            }
        }
    }

    private func closeOnce() {
        // A second checkpoint would use a closed connection, which GRDB doesn't check.
        let isFirst = phase.withLock { phase in
            defer { phase = .closed }
            return phase == .closing
        }
        guard isFirst else { return }
        // So that the file alone is the complete database, for copies; if this fails (a full disk), the next start
        // reads the WAL.
        _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? database.close()
        lock.withLock { $0 = nil }
    }
}

extension SQLiteLinkStore {
    /// Number of writes queued behind the current transaction.
    var waitingWrites: Int { commits.waiting }

    /// The current value of a setting of the writing connection, after setting it if a value is passed. For tests:
    /// the settings are fixed when the database is opened.
    func setting(_ name: String, to value: Int? = nil) async throws(StoreError) -> String {
        try await write { session in
            if let value { try session.database.execute(sql: "PRAGMA \(name) = \(value)") }
            return try String.fetchOne(session.database, sql: "PRAGMA \(name)") ?? ""
        }
    }

    /// SQLite's query plan, one line for each table. For tests: with ten million links a scan without an index is an
    /// outage.
    func plan(of sql: String) async throws(StoreError) -> [String] {
        try await read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
            // NULL for every argument: the plan doesn't depend on their values.
            statement.setUncheckedArguments([])
            return try Row.fetchAll(statement).map { try $0.text(3) }
        }
    }
}
