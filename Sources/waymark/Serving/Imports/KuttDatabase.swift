import Foundation
import WaymarkImports
import WaymarkSQLite

/// Kutt's own database file. A process of its own reads it (`KuttRows`), because SQLite trusts a file more than a server may trust
/// the file of a tenant (docs/decisions/2026-11-26-databases-in-a-process.md).
enum KuttDatabase {
    /// Nil where the file is none of SQLite's.
    ///
    /// - Parameters:
    ///   - name: Of the file in messages; nil: its path.
    ///   - isStopped: Asked while rows are awaited.
    static func source(
        _ files: [String], named name: String? = nil, time: ForeignTime,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws -> (any LinkSource)? {
        guard let path = files.first, ForeignDatabase.isDatabase(path) else { return nil }
        guard files.count == 1 else { throw SourceError("give one database at a time") }
        let name = name ?? path
        guard !ForeignDatabase.hasLog(path) else {
            throw SourceError(
                "\(name): newer rows are in its -wal file; stop Kutt, so that they are written to the database")
        }
        let file = SourceFile.csv(name) {
            let process = try RowProcess(["kutt-rows", path], isStopped: isStopped)
            return { try await process.read() }
        }
        return TableSource([file], ForeignService.kutt, time: time)
    }

    private static let columns = [
        "id", "address", "target", "description", "password", "banned", "expire_in", "visit_count", "created_at",
    ]

    /// A text that is not UTF-8 stays so, and its row is refused.
    private static func guarded(_ cell: [UInt8]) -> [UInt8] {
        let text = String(decoding: cell, as: UTF8.self)
        return text.utf8.elementsEqual(cell) ? Array(SpreadsheetText.guarded(text).utf8) : cell
    }

    /// Gives the rows as CSV.
    static func write(_ path: String, _ append: ([UInt8]) throws -> Void) throws {
        let database = try ForeignDatabase(path: path)
        var domains: [[UInt8]: [UInt8]] = [:]
        try database.read("domains", ["id", "address"]) { row in
            // Longer ones are no hosts.
            if let id = row.first, let address = row.last, address.count <= 253 { domains[id] = address }
            return domains.count < 10_000
        }
        try append(CSVText.line(columns + ["domain"]))
        try database.read("links", columns + ["domain_id"]) { row in
            var cells = Array(row.dropLast())
            cells.append(row.last.flatMap { domains[$0] } ?? [])
            // Whether there is a password is all that anybody needs to know.
            if let place = columns.firstIndex(of: "password"), !(cells[place].isEmpty) { cells[place] = [0x31] }
            var line: [UInt8] = []
            CSVText.append(cells.map { guarded($0) }, to: &line)
            try append(line)
            return true
        }
    }
}
