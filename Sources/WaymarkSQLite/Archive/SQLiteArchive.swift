internal import GRDB
package import WaymarkLinks

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A database file as `StoreArchive`: one connection of its own, beside a server's or alone.
package final class SQLiteArchive: StoreArchive {
    package enum Mode: Sendable {
        /// For reading, whoever else uses the file. It must be there and of this version.
        case reading
        /// For changing it, whoever else uses the file. It must be there and of this version.
        case beside
        /// For a database that nobody else uses; it is made where there is none, and locked for this archive.
        case alone
    }

    let database: DatabaseQueue
    private var lock: FileLock?
    private var isReading = false

    /// - Parameter path: A file; not `:memory:`, which nobody else could see.
    package init(path: String, mode: Mode) throws(StoreError) {
        do {
            let opened = try DatabaseFile.openArchive(path, mode: mode)
            database = opened.database
            lock = opened.lock
        } catch {
            throw StoreError(error).naming(path)
        }
    }

    /// Whether a server, or somebody else who wants the file alone, has it now.
    ///
    /// Only for a process that does not have the database open: the answer would drop SQLite's locks on it.
    package static func isLocked(path: String) -> Bool {
        guard let absolute = try? DatabaseFile.absolute(path) else { return false }
        // unsafe because C reads the path through a pointer that lives as long as the call.
        guard unsafe access(absolute, F_OK) == 0 else { return false }
        do {
            _ = try FileLock.take(DatabaseFile.resolved(absolute))
            return false
        } catch {
            return true
        }
    }

    func perform<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try database.inDatabase(body)
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs the body in a transaction that writes; nothing of it stays where it throws.
    func transact<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try perform { database in
            var value: Value?
            try database.inTransaction(.immediate) {
                value = try body(database)
                return .commit
            }
            guard let value else { throw Row.damaged }
            return value
        }
    }

    package func beginReading() throws(StoreError) {
        try perform { database in
            try database.execute(sql: "BEGIN DEFERRED")
            // A snapshot begins with the first read, not with BEGIN.
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM application LIMIT 1)")
        }
        isReading = true
    }

    package func endReading() {
        guard isReading else { return }
        isReading = false
        _ = try? perform { try $0.rollback() }
    }

    package func close() {
        endReading()
        try? database.close()
        lock = nil
    }
}
