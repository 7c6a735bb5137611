internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func scan(_ columns: TableColumns, _ body: (TableRow) throws -> Void) throws {
        try database.inDatabase { database in
            let cursor = try Row.fetchCursor(database, sql: "SELECT \(columns.names) FROM \(columns.table)")
            while let row = try cursor.next() { try body(TableRow(columns, row)) }
        }
    }

    package func tables() throws(StoreError) -> [String] {
        try perform { database in
            try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
                try $0.text(0)
            }
        }
    }

    package func countedTotals(of day: Int) throws(StoreError) -> DayTotals {
        try perform { database in try DayTotals(database.count(day)) { try database.hostName($0) } }
    }

    package func existing(_ links: [LinkID]) throws(StoreError) -> Set<LinkID> {
        try perform { database in
            Set(
                try links.filter { id in
                    try database.row(ClickRows.link, [id.rawValue]) { try $0.number(0) } != nil
                })
        }
    }

    package func searchState() throws(StoreError) -> SearchState { try perform { try $0.searchState() } }

    package func searchLeaves(
        of part: SearchPart, _ body: (_ first: [UInt8], _ bytes: [UInt8]) throws -> Void
    ) throws {
        try database.inDatabase { database in
            let cursor = try Row.fetchCursor(
                database, sql: "SELECT first, bytes FROM search_leaf WHERE segment = ? AND part = ? ORDER BY first",
                arguments: [part.segment, part.number])
            while let row = try cursor.next() { try body(row.bytes(0), row.bytes(1)) }
        }
    }

    package func missingExpiries(_ links: [(id: LinkID, end: Timestamp)]) throws(StoreError) -> [LinkID] {
        try perform { database in
            try links.filter { id, end in
                try database.row(
                    "SELECT 1 FROM link_expiry WHERE expires_at = ? AND link = ?", [end.rawValue, id.rawValue]
                ) { try $0.number(0) } == nil
            }.map(\.id)
        }
    }
}

extension TableRow {
    fileprivate init(_ columns: TableColumns, _ row: Row) throws {
        self.init(
            try columns.columns.enumerated().map { index, column in
                let value: DatabaseValue = row[index]
                if value.isNull { return .null }
                switch column.kind {
                case .number: return .number(try row.number(index))
                case .text: return .text(try row.text(index))
                case .bytes: return .bytes(try row.bytes(index))
                }
            })
    }
}

extension WriteSession {
    /// A link whose last change has no entry in its history was imported: from then on each change has one.
    func noteHistoryStart(of archived: ArchivedLink) throws {
        guard archived.lacksHistory else { return }
        let start = archived.link.updatedAt.rawValue + 1
        try database.run("DELETE FROM link_change_start WHERE at < ?", [start])
        try database.run(
            "INSERT INTO link_change_start SELECT ? WHERE NOT EXISTS (SELECT 1 FROM link_change_start)", [start])
    }
}
