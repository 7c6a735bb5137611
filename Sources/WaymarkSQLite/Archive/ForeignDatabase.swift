internal import Foundation
internal import GRDB

/// A database of another program, opened read-only.
package final class ForeignDatabase {
    private let queue: DatabaseQueue

    /// Whether the file has SQLite's header.
    package static func isDatabase(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    package init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The rows of a statement with one parameter, each value as text; null is empty.
    package func rows(_ sql: String, after number: Int64) throws -> [[String]] {
        try queue.read { database in
            try Row.fetchAll(database, sql: sql, arguments: [number]).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: ""
                    case .int64(let number): String(number)
                    case .double(let number): String(number)
                    case .string(let text): text
                    case .blob(let data): String(decoding: data, as: UTF8.self)
                    }
                }
            }
        }
    }
}
