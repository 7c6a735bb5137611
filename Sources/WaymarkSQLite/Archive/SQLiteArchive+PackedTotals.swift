internal import GRDB
internal import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    /// Days that are unpacked at a time.
    private static let dayPage = 8

    package func totals(after key: ArchivedTotal.Key?, limit: Int) throws(StoreError) -> [ArchivedTotal] {
        try perform { database in
            let applications = try database.rows(
                "SELECT number, name FROM application WHERE name >= ? ORDER BY name", [key?.application.text ?? ""]
            ) { (number: try $0.number(0), name: try $0.text(1)) }
            var found: [ArchivedTotal] = []
            for (number, name) in applications where found.count < limit {
                guard let application = ApplicationID(name) else { throw Row.damaged }
                let isFirst = key?.application == application
                let begin = isFirst ? (key?.quarter ?? .min) + 1 : Int(Int64.min)
                found += try Self.totals(of: number, from: begin, limit: limit - found.count, database).map {
                    ArchivedTotal(
                        key: ArchivedTotal.Key(application: application, quarter: $0.quarter), bytes: $0.bytes)
                }
            }
            return found
        }
    }

    private static func totals(
        of application: Int64, from begin: Int, limit: Int, _ database: Database
    ) throws -> [ApplicationTotal] {
        var totals = try database.rows(
            "SELECT quarter, bytes FROM click_total WHERE application = ? AND quarter >= ? ORDER BY quarter LIMIT ?",
            [application, begin, limit]
        ) { ApplicationTotal(quarter: Int(try $0.number(0)), bytes: try $0.bytes(1)) }
        var day = ClickTotal.day(ofQuarter: begin)
        var unpacked = 0
        while unpacked < limit {
            let days = try database.rows(
                """
                SELECT day, bytes FROM click_total_day WHERE application = ? AND day >= ? ORDER BY day LIMIT \(dayPage)
                """, [application, day]
            ) { (day: Int(try $0.number(0)), packed: PackedTotals(bytes: try $0.bytes(1))) }
            for (day, packed) in days {
                let rows = try packed.rows(of: day, within: begin..<Int.max)
                unpacked += rows.count
                totals += rows
            }
            guard days.count == dayPage, let last = days.last else { break }
            day = last.day + 1
        }
        return Array(totals.sorted { $0.quarter < $1.quarter }.prefix(limit))
    }

    package func totalsDays() throws(StoreError) -> [Int] {
        let days = SQLStatement(
            """
            SELECT day FROM click_total_link UNION SELECT quarter / $1 FROM click_total
            UNION SELECT day FROM click_total_day ORDER BY 1
            """, .number(ClickTotal.quartersOfDay))
        return try rows(days) { Int(try $0.number(0)) }
    }

    package func storedTotals(of day: Int) throws(StoreError) -> DayTotals {
        let quarters = PackedTotals.Key(application: 0, day: day).quarters
        let found = try perform { database in
            try database.rows(PackedRows.ofAll, [quarters.lowerBound, quarters.upperBound, day]) { row in
                let application = try row.number(3)
                let rows =
                    try row.number(2) == 0
                    ? [ApplicationTotal(quarter: Int(try row.number(0)), bytes: try row.bytes(1))]
                    : try PackedTotals(bytes: try row.bytes(1)).rows(of: day, within: quarters)
                return (application: application, rows: rows)
            }
        }
        var totals = try storedLinkTotals(of: day)
        for (application, rows) in found {
            for row in rows { totals.applications[.init(application: application, quarter: row.quarter)] = row.bytes }
        }
        return totals
    }

    /// `storedTotals` without those of applications.
    private func storedLinkTotals(of day: Int) throws(StoreError) -> DayTotals {
        var totals = DayTotals()
        let links = SQLStatement("SELECT page, bytes FROM click_total_link WHERE day = $1", .number(day))
        for (page, bytes) in try self.rows(links, { (try $0.number(0), try $0.bytes(1)) }) {
            totals.links[TotalsChange.PageKey(day: day, page: page)] = bytes
        }
        return totals
    }

    package func linkTotals(
        after key: TotalsChange.PageKey?, limit: Int
    ) throws(StoreError) -> [LinkTotalsRow] {
        let page = SQLStatement(
            """
            SELECT day, page, bytes FROM click_total_link WHERE (day, page) > ($1, $2) ORDER BY day, page LIMIT $3
            """, .number(key?.day ?? .min), .number(key?.page ?? .min), .number(limit))
        return try rows(page) { row in
            LinkTotalsRow(
                key: TotalsChange.PageKey(day: Int(try row.number(0)), page: try row.number(1)),
                bytes: try row.bytes(2))
        }
    }
}
