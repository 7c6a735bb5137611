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
        try perform { try $0.nextClickDay(after: day) }
    }

    package func discardSearchIndex() throws(StoreError) {
        try transact { database in
            // Servers remove the leaves of parts that are not listed.
            try database.run("DELETE FROM search_part")
            try database.run("DELETE FROM search_change")
            try database.run("DELETE FROM search_state")
            try database.run("INSERT INTO search_state (indexed) VALUES (0)")
            try database.run("DELETE FROM click_order")
        }
    }

    package func rebuildTotals(of day: Int) throws(StoreError) {
        try transact { database in
            try WriteSession(database, metadataKeys: .none).replaceTotals(of: day, by: database.count(day))
        }
    }

    package func endRebuilding() throws(StoreError) {
        try transact { database in
            try database.run("DELETE FROM click_total_start")
            try database.run("DELETE FROM click_summary")
        }
    }
}
