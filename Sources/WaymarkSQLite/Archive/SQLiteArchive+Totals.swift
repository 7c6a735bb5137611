internal import GRDB
import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func totals(after key: ArchivedTotal.Key?, limit: Int) throws(StoreError) -> [ArchivedTotal] {
        try perform { database in
            try database.rows(
                """
                SELECT application.name, quarter, bytes FROM application
                    JOIN click_total ON click_total.application = application.number
                WHERE (application.name, quarter) > (?, ?) ORDER BY application.name, quarter LIMIT ?
                """, [key?.application.text ?? "", key?.quarter ?? .min, limit]
            ) { row in
                guard let application = ApplicationID(try row.text(0)) else { throw Row.damaged }
                return ArchivedTotal(
                    key: ArchivedTotal.Key(application: application, quarter: Int(try row.number(1))),
                    bytes: try row.bytes(2))
            }
        }
    }

    package func linkTotals(
        after key: TotalsChange.PageKey?, limit: Int
    ) throws(StoreError) -> [LinkTotalsRow] {
        try perform { database in
            try database.rows(TotalRows.ofDays, [key?.day ?? .min, key?.page ?? .min, Int64.max, limit]) {
                try LinkTotalsRow($0)
            }
        }
    }

    package func totalsStart() throws(StoreError) -> Int? {
        try perform { database in
            try database.row("SELECT day FROM click_total_start", []) { Int(try $0.number(0)) }
        }
    }

    package func nextClickDay(after day: Int?) throws(StoreError) -> Int? {
        try perform { database in
            let next = try database.row(ClickRows.nextDay, [day ?? .min]) { try $0.optionalNumber(0) } ?? nil
            return next.map { Int($0) }
        }
    }

    package func discardSearchIndex() throws(StoreError) {
        try transact { database in
            // Servers remove the leaves of parts that are not listed.
            try database.run("DELETE FROM search_part")
            try database.run("DELETE FROM search_change")
            try database.run("UPDATE search_state SET indexed = 0")
        }
    }

    package func rebuildTotals(of day: Int) throws(StoreError) {
        try transact { database in
            let session = WriteSession(database, metadataKeys: .none)
            var change = TotalsChange()
            var last = ClickBlock.Key(link: LinkID(rawValue: .min), day: day, number: .min)
            while true {
                let blocks = try database.rows(
                    """
                    SELECT click_block.link, click_block.number, bytes, link.application, link.host FROM click_block
                        JOIN link ON link.id = click_block.link
                    WHERE click_block.day = ? AND (click_block.link, click_block.number) > (?, ?)
                    ORDER BY click_block.link, click_block.number LIMIT 1000
                    """, [day, last.link.rawValue, last.number]
                ) { row in
                    let key = ClickBlock.Key(
                        link: LinkID(rawValue: try row.number(0)), day: day, number: try row.number(1))
                    change.add(
                        ClickBlock(key: key, bytes: try row.bytes(2)), application: try row.number(3),
                        host: try row.number(4))
                    return key
                }
                guard let end = blocks.last else { break }
                last = end
            }
            let quarters = day * ClickTotal.quartersOfDay..<(day + 1) * ClickTotal.quartersOfDay
            for application in try database.rows("SELECT number FROM application", [], { try $0.number(0) }) {
                try database.run(
                    "DELETE FROM click_total WHERE application = ? AND quarter >= ? AND quarter < ?",
                    [application, quarters.lowerBound, quarters.upperBound])
            }
            try database.run("DELETE FROM click_total_link WHERE day = ?", [day])
            try session.add(change)
            try session.dropSummaries(of: [day])
        }
    }

    package func endRebuilding() throws(StoreError) {
        try perform { try $0.run("DELETE FROM click_total_start") }
    }
}
