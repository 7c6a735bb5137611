internal import GRDB
import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore: EarlierClickStore {
    package var earlierClicks: (any EarlierClickStore)? { self }

    package func blocksToCount(
        of day: Int, after key: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [CountedBlock] {
        try await readBackground { try $0.blocksToCount(of: day, after: key, limit: limit) }
    }

    package func replaceTotals(
        of day: Int, by change: TotalsChange, token: [UInt8]
    ) async throws(StoreError) -> Bool {
        try await write { session in
            let state = try session.database.row(
                SummaryRows.part, [ClickSummaryKey.applications, day, SummaryRows.state]
            ) { try $0.bytes(0) }
            guard state == [SummaryRows.begun] + token else { return false }
            try session.replaceTotals(of: day, by: change)
            try session.database.run("UPDATE click_total_start SET counted = ?", [day])
            return true
        }
    }
}

extension Database {
    func blocksToCount(of day: Int, after key: ClickBlock.Key?, limit: Int) throws -> [CountedBlock] {
        try rows(
            """
            SELECT click_block.link, click_block.number, bytes, coalesce(link.application, long_link.application),
                coalesce(link.host, long_link.host)
            FROM click_block LEFT JOIN link ON link.id = click_block.link
                LEFT JOIN long_link ON long_link.number = click_block.link
            WHERE click_block.day = ? AND (click_block.link, click_block.number) > (?, ?)
                AND coalesce(link.id, long_link.number) IS NOT NULL
            ORDER BY click_block.link, click_block.number LIMIT ?
            """, [day, key?.link.rawValue ?? .min, key?.number ?? .min, limit]
        ) { row in
            let key = ClickBlock.Key(link: LinkID(rawValue: try row.number(0)), day: day, number: try row.number(1))
            return CountedBlock(
                block: ClickBlock(key: key, bytes: try row.bytes(2)), application: try row.number(3),
                host: try row.number(4))
        }
    }

    /// A count of the day's click records, page by page.
    func count(_ day: Int) throws -> TotalsChange {
        var change = TotalsChange()
        var last: ClickBlock.Key?
        while true {
            let blocks = try blocksToCount(of: day, after: last, limit: 1_000)
            guard let end = blocks.last else { return change }
            for block in blocks { change.add(block) }
            last = end.block.key
        }
    }

    func hostName(_ number: Int64) throws -> String {
        guard let name = try row("SELECT name FROM host WHERE number = ?", [number], { try $0.text(0) }) else {
            throw Row.damaged
        }
        return name
    }
}

extension WriteSession {
    func replaceTotals(of day: Int, by change: TotalsChange) throws {
        let quarters = day * ClickTotal.quartersOfDay..<(day + 1) * ClickTotal.quartersOfDay
        for application in try database.rows("SELECT number FROM application", [], { try $0.number(0) }) {
            try database.run(
                PackedRows.removalOfRows, [application, quarters.lowerBound, quarters.upperBound])
            try database.run(PackedRows.removal, [application, day])
        }
        try database.run("DELETE FROM click_total_link WHERE day = ?", [day])
        try add(change)
        try dropSummaries(of: [day])
    }
}
