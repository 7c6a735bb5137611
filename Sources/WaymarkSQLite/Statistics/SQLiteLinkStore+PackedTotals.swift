internal import GRDB
import WaymarkLinks
package import WaymarkStores

// Rows of click_total are two to three kilobytes long, and SQLite gives what is beyond one kilobyte of a row a page of its own.
// So the rows of a day that is over are packed into one of click_total_day. A quarter of an hour is in one of the tables.

extension SQLiteLinkStore {
    package func packTotals(
        after last: PackedTotals.Key?, before day: Int
    ) async throws(StoreError) -> PackedTotals.Key? {
        guard let key = try await readBackground({ try $0.unpackedTotals(after: last, before: day) }) else {
            return nil
        }
        try await write(as: .addSummary, weight: ClickTotal.quartersOfDay) { try $0.packTotals(of: key) }
        return key
    }
}

extension Database {
    /// The next totals that are not packed.
    fileprivate func unpackedTotals(after last: PackedTotals.Key?, before day: Int) throws -> PackedTotals.Key? {
        let applications = try rows(
            "SELECT number FROM application WHERE number >= ? ORDER BY number", [last?.application ?? .min]
        ) { try $0.number(0) }
        for application in applications {
            let first = last.flatMap { $0.application == application ? $0.quarters.upperBound : nil } ?? .min
            let quarter = try row(PackedRows.next, [application, first, day * ClickTotal.quartersOfDay]) {
                try $0.number(0)
            }
            if let quarter {
                return PackedTotals.Key(application: application, day: ClickTotal.day(ofQuarter: Int(quarter)))
            }
        }
        return nil
    }

    /// The rows that a statement with the columns of `TotalRows.ofApplication` finds, in no particular order.
    func totals(
        _ sql: String, _ arguments: StatementArguments, within quarters: Range<Int>
    ) throws -> [ApplicationTotal] {
        let found = try rows(sql, arguments) { row in
            if try row.number(2) == 0 {
                return [ApplicationTotal(quarter: Int(try row.number(0)), bytes: try row.bytes(1))]
            }
            return try PackedTotals(bytes: try row.bytes(1)).rows(of: Int(try row.number(0)), within: quarters)
        }
        return found.flatMap { $0 }
    }
}

extension WriteSession {
    fileprivate func packTotals(of key: PackedTotals.Key) throws {
        // There is none, unless another program added rows.
        try unpackTotals(of: key)
        let bounds: StatementArguments = [key.application, key.quarters.lowerBound, key.quarters.upperBound]
        let rows = try database.rows(PackedRows.rowsOfDay, bounds) {
            ApplicationTotal(quarter: Int(try $0.number(0)), bytes: try $0.bytes(1))
        }
        guard !rows.isEmpty, let packed = PackedTotals(rows, day: key.day) else { return }
        try database.run(PackedRows.insertion, [key.application, key.day, packed.bytes.blob])
        try database.run(PackedRows.removalOfRows, bounds)
    }

    /// Makes rows of packed totals, because one of them will be changed.
    func unpackTotals(of key: PackedTotals.Key) throws {
        let stored = try database.row(PackedRows.ofDay, [key.application, key.day]) { try $0.bytes(0) }
        guard let stored else { return }
        for row in try PackedTotals(bytes: stored).rows(of: key.day, within: key.quarters) {
            try database.run(TotalRows.writing, [key.application, row.quarter, row.bytes.blob])
        }
        try database.run(PackedRows.removal, [key.application, key.day])
    }
}

/// Statements for packed totals.
enum PackedRows {
    static let ofDay = "SELECT bytes FROM click_total_day WHERE application = ? AND day = ?"
    static let next = """
        SELECT quarter FROM click_total WHERE application = ? AND quarter >= ? AND quarter < ? ORDER BY quarter LIMIT 1
        """
    static let rowsOfDay = """
        SELECT quarter, bytes FROM click_total WHERE application = ? AND quarter >= ? AND quarter < ? ORDER BY quarter
        """
    static let insertion = "INSERT INTO click_total_day (application, day, bytes) VALUES (?, ?, ?)"
    static let removal = "DELETE FROM click_total_day WHERE application = ? AND day = ?"
    static let removalOfRows = "DELETE FROM click_total WHERE application = ? AND quarter >= ? AND quarter < ?"
    static let removalOfDays = """
        DELETE FROM click_total_day WHERE rowid IN (
            SELECT rowid FROM click_total_day WHERE application = ? AND day < ? ORDER BY day LIMIT ?
        )
        """
    /// As `TotalRows.ofApplication`, of all applications on a day.
    static let ofAll = """
        SELECT quarter, bytes, 0, application FROM click_total
        WHERE application IN (SELECT number FROM application) AND quarter >= ?1 AND quarter < ?2
        UNION ALL
        SELECT day, bytes, 1, application FROM click_total_day
        WHERE application IN (SELECT number FROM application) AND day = ?3
        """
}
