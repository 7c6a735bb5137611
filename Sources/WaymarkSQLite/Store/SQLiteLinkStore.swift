internal import Dispatch
internal import GRDB
internal import Synchronization
package import WaymarkLinks
package import WaymarkMetrics

/// Links on a file of SQLite, for one server at a time.
///
/// The file is held by a lock file beside it (`<path>.lock`) while the store is open: a second server, or a command
/// that wants to open the file itself, is told so at once. Commands may open the file directly while no server runs.
///
/// Writes share commits (`GroupCommit`) and return once theirs has reached the disk (WAL with `synchronous = FULL`).
/// Reads run on a few connections of their own. Nothing here ever blocks the threads that tasks run on: all of SQLite
/// happens on Dispatch queues.
package final class SQLiteLinkStore: SealingStore {
    let database: any DatabaseWriter
    let commits: GroupCommit
    package let metadataKeys: MetadataKeyRing
    private let reads: ReadQueue
    /// Apart from the others, so that no visit waits until a search is over.
    private let listings: ReadQueue
    private let location: FileLocation?
    /// nil once closed, and for a database in memory.
    private let lock: Mutex<FileLock?>
    private let phase = Mutex(Phase.open)
    /// One after the other, so that a second `close` returns when the first has closed.
    private let closing = DispatchQueue(label: "waymark.sqlite.closing")
    /// What was begun and not yet answered.
    private let begun = DispatchGroup()

    private enum Phase { case open, closing, closed }

    /// Opens the database, makes it where there is none, and brings its tables up to date. Blocks while it does.
    ///
    /// - Parameter path: A file, whose missing folders are made (mode 0700), or `:memory:` for one that is forgotten.
    /// - Parameter metadataKeys: Under which metadata is stored.
    /// - Throws: `.unavailable` (locked by another server or program, read-only, full, no permission) or `.corrupt`
    ///   (no SQLite database, damaged, of another program, of a newer version): one sentence that names the path.
    package init(path: String, metadataKeys: MetadataKeyRing = MetadataKeyRing()) throws(StoreError) {
        let opened = try DatabaseFile.open(path)
        database = opened.database
        self.metadataKeys = metadataKeys
        commits = GroupCommit(opened.database, metadataKeys: metadataKeys, location: opened.location)
        location = opened.location
        reads = ReadQueue(opened.database, lanes: path == ":memory:" ? 1 : DatabaseFile.readers)
        listings = ReadQueue(opened.database, lanes: DatabaseFile.listingReaders)
        lock = Mutex(opened.lock)
    }

    /// Transactions that were committed so far, and the writes in them.
    package var commitCounts: (commits: Int, writes: Int) { commits.counts }

    package var commitSizes: HistogramMetrics? { commits.sizes.metrics }

    /// Runs the body on a reading connection; it is one statement, for which SQLite keeps one snapshot.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(reads, body)
    }

    /// The same on a connection for what takes longer than a look-up.
    func readListing<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(listings, body)
    }

    private func read<Value: Sendable>(
        _ queue: ReadQueue, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try begin()
        defer { begun.leave() }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            queue.submit { database in
                do {
                    continuation.resume(returning: .success(try body(database.get())))
                } catch {
                    continuation.resume(returning: .failure(StoreError(error)))
                }
            }
        }
        return try result.get()
    }

    /// Runs the body in the next transaction, with the other writes that wait; returns when it is on the disk.
    func write<Value: Sendable>(
        weight: Int = 1, _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws(StoreError) -> Value {
        try begin()
        defer { begun.leave() }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            commits.submit(
                GroupCommit.Write(weight: weight) { session in
                    let value = try body(session)
                    return { continuation.resume(returning: .success(value)) }
                } fail: { error in
                    continuation.resume(returning: .failure(error))
                })
        }
        return try result.get()
    }

    private func begin() throws(StoreError) {
        let isOpen = phase.withLock { phase in
            // Under the lock that `close` closes under: what has begun is waited for.
            if phase == .open { begun.enter() }
            return phase == .open
        }
        guard isOpen else { throw .unavailable("the store is closed") }
    }

    package func ping() async throws(StoreError) {
        try location?.check()
        try await read { _ = try $0.rows("SELECT 1") { try $0.number(0) } }
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
        // A second checkpoint would reach a connection that is gone, and GRDB doesn't look.
        let isFirst = phase.withLock { phase in
            defer { phase = .closed }
            return phase == .closing
        }
        guard isFirst else { return }
        // So that the file alone is the whole database, for whoever copies it; where that fails (a full disk), the next
        // start reads the WAL.
        _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? database.close()
        lock.withLock { $0 = nil }
    }
}
