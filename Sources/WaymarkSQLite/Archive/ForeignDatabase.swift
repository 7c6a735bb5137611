internal import Foundation
internal import GRDBSQLite

/// A table of another program's database. The file is anybody's, and a database is a program: its views, triggers, defaults and
/// generated columns are SQL. So only the rows of real tables are read, and everything else that a statement may do is denied.
///
/// Safety: the connection and the statement are opened and closed here, and used by one thread at a time. Pointers into a row
/// are read before the next step. Strings that are passed live during the call.
@safe package final class ForeignDatabase {
    package enum Failure: Error, Equatable {
        /// The file can't be opened, or is damaged.
        case unreadable
        /// There is no such table, or it lacks a column.
        case noTable
        /// The rows are more than the file can hold, or need more memory than is allowed.
        case tooLarge
    }

    /// Bytes of one value.
    private static let longestValue: Int32 = 1 << 20
    /// A row of a file takes more bytes than that.
    private static let smallestRow = 8

    private let connection: OpaquePointer
    private let fileBytes: Int

    /// Whether the file has SQLite's header.
    package static func isDatabase(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// Whether rows may be in a log beside the file, which is not read.
    package static func hasLog(_ path: String) -> Bool { size(path + "-wal") > 0 }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Of the whole process; for one that does nothing else.
    package static func limitMemory(_ bytes: Int64) { _ = sqlite3_hard_heap_limit64(bytes) }

    package init(path: String) throws(Failure) {
        fileBytes = Self.size(path)
        guard let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) else { throw .unreadable }
        var opened: OpaquePointer?
        // Immutable: no lock is taken, and no file is made beside it.
        let code = unsafe sqlite3_open_v2(
            "file:\(name.hasPrefix("/") ? "//" : "")\(name)?mode=ro&immutable=1", &opened,
            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        guard let opened = unsafe opened else { throw .unreadable }
        unsafe connection = opened
        guard code == SQLITE_OK else { throw .unreadable }
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, Self.longestValue), (SQLITE_LIMIT_SQL_LENGTH, 1 << 16), (SQLITE_LIMIT_COLUMN, 200),
            (SQLITE_LIMIT_EXPR_DEPTH, 50), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
            (SQLITE_LIMIT_VDBE_OP, 10_000), (SQLITE_LIMIT_COMPOUND_SELECT, 2),
        ] { _ = unsafe sqlite3_limit(connection, limit, value) }
        let settings = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0"
        guard unsafe sqlite3_exec(connection, settings, nil, nil, nil) == SQLITE_OK else { throw .unreadable }
        _ = unsafe sqlite3_set_authorizer(
            connection,
            { _, action, _, _, _, view in
                // What a view or trigger does is denied; reading columns is all that statements here need.
                let isAllowed = unsafe view == nil && (action == SQLITE_SELECT || action == SQLITE_READ)
                return isAllowed ? SQLITE_OK : SQLITE_DENY
            }, nil)
    }

    deinit { _ = unsafe sqlite3_close_v2(connection) }

    /// Gives each row, in the order of the file, each value as the bytes of its text; null is empty.
    ///
    /// - Parameters:
    ///   - table, columns: Names that need no quotes.
    ///   - take: Returns whether to go on.
    package func read(
        _ table: String, _ columns: [String], _ take: ([[UInt8]]) throws -> Bool
    ) throws {
        // A virtual table has no page.
        guard
            try query(
                "SELECT type FROM sqlite_master WHERE name = '\(table)' AND type = 'table' AND rootpage > 0", 1,
                { _ in false }) == 1
        else { throw Failure.noTable }
        _ = try query("SELECT \(columns.joined(separator: ", ")) FROM \(table)", columns.count, take)
    }

    /// Returns the number of rows that were given.
    private func query(_ sql: String, _ width: Int, _ take: ([[UInt8]]) throws -> Bool) throws -> Int {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let statement = unsafe prepared else {
            throw code == SQLITE_ERROR || code == SQLITE_AUTH ? Failure.noTable : Failure.unreadable
        }
        defer { _ = unsafe sqlite3_finalize(statement) }
        var rows = 0
        // A damaged file can name the same page many times.
        var bytes = 0
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW:
                let row = (0..<width).map { unsafe Self.value(statement, Int32($0)) }
                rows += 1
                bytes += row.reduce(Self.smallestRow) { $0 + $1.count }
                // An integer of 8 bytes has 20 digits.
                guard bytes / 4 <= fileBytes else { throw Failure.tooLarge }
                guard try take(row) else { return rows }
            case SQLITE_DONE: return rows
            case SQLITE_NOMEM, SQLITE_TOOBIG: throw Failure.tooLarge
            default: throw Failure.unreadable
            }
        }
    }

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> [UInt8] {
        // The text first: it may convert the value, and the number of bytes is that of the text then.
        guard let text = unsafe sqlite3_column_text(statement, column) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
