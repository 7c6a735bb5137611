internal import GRDB
import WaymarkLinks
package import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A database file as `StoreArchive`: with its own connection, either alongside a server or exclusively.
package final class SQLiteArchive: StoreArchive {
    package enum Mode: Sendable {
        /// Read-only, even if others use the file. It must exist. If it has an older version, a temporary copy is brought up
        /// to date and read instead.
        case reading
        /// Read-only, for `copy`; the file may have an older version.
        case copying
        /// For changes, even if others use the file. It must exist and have this version.
        case beside
        /// For exclusive use: the file is created if missing, and locked for this archive.
        case alone
    }

    let database: DatabaseQueue
    private var lock: FileLock?
    private var isReading = false
    private let copy: TemporaryCopy?

    /// - Parameters:
    ///   - path: A file; not `:memory:`, which other connections can't see.
    ///   - report: Receives the beginning and the end of a migration, of the file or of a copy of it.
    package init(path: String, mode: Mode, onMigration report: (SchemaChange) -> Void = { _ in }) throws(StoreError) {
        do {
            let opened = try DatabaseFile.openArchive(path, mode: mode, reporting: report)
            database = opened.database
            lock = opened.lock
            copy = opened.copy
        } catch {
            throw StoreError(error).naming(path)
        }
    }

    /// Whether a server, or another process that needs exclusive use, has the file.
    ///
    /// Only for a process that does not have the database open: the check would release SQLite's locks on it.
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

    /// Runs the body in a write transaction, which is rolled back if it throws.
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
            // The snapshot is taken by the first read, not by BEGIN.
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
        copy?.remove()
    }

    deinit { copy?.remove() }
}
