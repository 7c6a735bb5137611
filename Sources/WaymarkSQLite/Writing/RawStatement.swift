internal import GRDB
internal import GRDBSQLite
internal import WaymarkStores

/// A statement whose values are bound to SQLite one by one.
///
/// For the few frequent statements that bypass GRDB: boxing, checking and binding their arguments costs half as much
/// again as SQLite's own work (docs/decisions/2026-11-22-link-insertion-without-boxes.md). Confined to the database's
/// serial queue, and valid for one transaction.
///
/// Safety: GRDB keeps the statement and the connection alive, and SQLite copies what is bound.
struct RawStatement {
    private let database: Database
    private let statement: Statement
    private let sql: String

    init(_ sql: String, _ database: Database) throws {
        self.sql = sql
        self.database = database
        statement = try database.cachedStatement(sql: sql)
        // GRDB may have used it, and resets it only before its next use: until then, nothing can be bound. unsafe because this
        // is C; GRDB keeps the statement.
        unsafe sqlite3_reset(statement.sqliteStatement)
    }

    /// Runs it with the bound values, which stay bound.
    ///
    /// - Returns: How many rows it changed.
    @discardableResult
    func run() throws -> Int {
        // unsafe, here and below, because this is C; GRDB keeps the statement and the connection alive.
        let code = unsafe sqlite3_step(statement.sqliteStatement)
        // An error's message exists only until the statement is reset.
        let message = code == SQLITE_DONE ? nil : database.lastErrorMessage
        unsafe sqlite3_reset(statement.sqliteStatement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
        }
        return unsafe Int(sqlite3_changes(database.sqliteConnection))
    }

    /// Whether there is a row.
    func isThere() throws -> Bool {
        // unsafe because this is C; GRDB keeps the statement and the connection alive.
        let code = unsafe sqlite3_step(statement.sqliteStatement)
        let message = code == SQLITE_ROW || code == SQLITE_DONE ? nil : database.lastErrorMessage
        unsafe sqlite3_reset(statement.sqliteStatement)
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
        }
        return code == SQLITE_ROW
    }

    /// The bytes in the first column of the first row; nil if there is no row.
    func bytes() throws -> [UInt8]? {
        let code = unsafe sqlite3_step(statement.sqliteStatement)
        let message = code == SQLITE_ROW || code == SQLITE_DONE ? nil : database.lastErrorMessage
        defer { unsafe sqlite3_reset(statement.sqliteStatement) }
        switch code {
        case SQLITE_DONE: return nil
        case SQLITE_ROW: return try RawRow(statement: statement).bytes(0)
        default: throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
        }
    }

    func forEachRow(_ body: (RawRow) throws -> Void) throws {
        defer { unsafe sqlite3_reset(statement.sqliteStatement) }
        while true {
            let code = unsafe sqlite3_step(statement.sqliteStatement)
            switch code {
            case SQLITE_DONE: return
            case SQLITE_ROW: try body(RawRow(statement: statement))
            default:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: sql)
            }
        }
    }

    /// The first two columns of the first row; nil if there is no row.
    func numbers() throws -> (Int64, Int64)? {
        // unsafe, here and below, because this is C; GRDB keeps the statement and the connection alive.
        let code = unsafe sqlite3_step(statement.sqliteStatement)
        let message = code == SQLITE_ROW || code == SQLITE_DONE ? nil : database.lastErrorMessage
        defer { unsafe sqlite3_reset(statement.sqliteStatement) }
        switch code {
        case SQLITE_DONE: return nil
        case SQLITE_ROW:
            return unsafe (
                sqlite3_column_int64(statement.sqliteStatement, 0), sqlite3_column_int64(statement.sqliteStatement, 1)
            )
        default: throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
        }
    }

    // Binding fails only for an index that the statement does not have, or a text of gigabytes. unsafe because C
    // reads texts and bytes through pointers, which live as long as the call: SQLite copies them.

    func bind(_ index: Int32, _ number: Int64?) {
        if let number {
            unsafe sqlite3_bind_int64(statement.sqliteStatement, index, number)
        } else {
            unsafe sqlite3_bind_null(statement.sqliteStatement, index)
        }
    }

    func bind(_ index: Int32, _ text: String?) {
        if let text {
            unsafe sqlite3_bind_text(statement.sqliteStatement, index, text, Int32(text.utf8.count), Self.copied)
        } else {
            unsafe sqlite3_bind_null(statement.sqliteStatement, index)
        }
    }

    func bind(_ index: Int32, _ bytes: [UInt8]?) {
        if let bytes, bytes.isEmpty {
            // Without an address, as that of no bytes may be, it would be NULL.
            unsafe sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0)
        } else if let bytes {
            unsafe sqlite3_bind_blob(statement.sqliteStatement, index, bytes, Int32(bytes.count), Self.copied)
        } else {
            unsafe sqlite3_bind_null(statement.sqliteStatement, index)
        }
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the bytes before the call returns.
    private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// The current row of a `RawStatement`: valid until its next step.
///
/// Safety: SQLite's pointers are read before the counts, as it requires, and stay valid until the next step.
struct RawRow: SQLRow {
    fileprivate let statement: Statement

    func optionalNumber(_ column: Int) throws(StoreError) -> Int64? {
        guard try holds(SQLITE_INTEGER, column) else { return nil }
        return unsafe sqlite3_column_int64(statement.sqliteStatement, Int32(column))
    }

    func optionalText(_ column: Int) throws(StoreError) -> String? {
        guard try holds(SQLITE_TEXT, column) else { return nil }
        let start = unsafe sqlite3_column_text(statement.sqliteStatement, Int32(column))
        guard let start = unsafe start else { throw Row.damaged }
        let count = unsafe Int(sqlite3_column_bytes(statement.sqliteStatement, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func optionalUnicode(_ column: Int) throws(StoreError) -> String? { try optionalText(column) }

    func optionalBytes(_ column: Int) throws(StoreError) -> [UInt8]? {
        guard try holds(SQLITE_BLOB, column) else { return nil }
        let start = unsafe sqlite3_column_blob(statement.sqliteStatement, Int32(column))
        let count = unsafe Int(sqlite3_column_bytes(statement.sqliteStatement, Int32(column)))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Whether the column has a value, which must be of the type.
    private func holds(_ type: Int32, _ column: Int) throws(StoreError) -> Bool {
        let found = unsafe sqlite3_column_type(statement.sqliteStatement, Int32(column))
        guard found == type || found == SQLITE_NULL else { throw Row.damaged }
        return found == type
    }
}
