import Foundation
import GRDBSQLite
import Testing

/// Changes a database as no store does.
struct Tampering {
    let path: String

    init(_ path: String) { self.path = path }

    func run(_ sql: String) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
    }

    /// The number that a query gives.
    func number(_ sql: String) throws -> Int {
        var handle: OpaquePointer?
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return Int(sqlite3_column_int64(statement, 0))
    }

    /// All bytes that the database has on the disk.
    var bytes: Data {
        get throws {
            var all = Data()
            for name in [path, path + "-wal"] where FileManager.default.fileExists(atPath: name) {
                all += try Data(contentsOf: URL(fileURLWithPath: name))
            }
            return all
        }
    }
}
