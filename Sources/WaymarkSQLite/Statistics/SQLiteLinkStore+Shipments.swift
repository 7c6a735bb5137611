internal import GRDB
import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    /// Always: no other server uses the file.
    package func holdsShipping() async throws(StoreError) -> Bool { true }

    package func storedBlocks(_ keys: [ClickBlock.Key]) async throws(StoreError) -> [ShippedBlock] {
        // Several statements without a common snapshot: blocks are immutable, and a deletion in between is noted.
        try await readBackground { database in
            let statement = try RawStatement(ShipmentRows.block, database)
            var blocks: [ShippedBlock] = []
            blocks.reserveCapacity(keys.count)
            for key in keys {
                statement.bind(1, Int64(key.day))
                statement.bind(2, key.link.rawValue)
                statement.bind(3, key.number)
                try statement.forEachRow { blocks.append(try ShippedBlock($0)) }
            }
            return blocks
        }
    }

    package func shippedBlocks(
        of day: Int, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ShippedBlock] {
        let start = ClickBlock.Key(link: LinkID(rawValue: .min), day: day, number: .min)
        let after = after ?? start
        guard after.day <= day, limit > 0 else { return [] }
        let last = after.day < day ? start : after
        return try await readBackground { database in
            let statement = try RawStatement(ShipmentRows.blocksOfDay, database)
            statement.bind(1, Int64(day))
            statement.bind(2, last.link.rawValue)
            statement.bind(3, last.number)
            statement.bind(4, Int64(limit))
            var blocks: [ShippedBlock] = []
            try statement.forEachRow { blocks.append(try ShippedBlock($0)) }
            return blocks
        }
    }
}

extension ShippedBlock {
    /// Decodes a row of the statements of `ShipmentRows`.
    fileprivate init(_ row: RawRow) throws(StoreError) {
        let key = ClickBlock.Key(
            link: LinkID(rawValue: try row.number(1)), day: Int(try row.number(0)), number: try row.number(2))
        self.init(
            block: ClickBlock(key: key, bytes: try row.bytes(3)),
            application: try row.present(ApplicationID(row.text(4))),
            domain: try row.present(HostName(row.text(5))), slug: try row.optionalText(6))
    }
}

extension WriteSession {
    /// Read once per transaction. Mostly it is one lookup in an empty table.
    func shipsClicks() throws -> Bool {
        if let knownShipping { return knownShipping }
        let ships = try RawStatement("SELECT one FROM click_shipping", database).isThere()
        knownShipping = ships
        return ships
    }

    func lockClickTotals() {}

    func add(_ note: ClickNote) throws {
        guard !note.isEmpty, try shipsClicks() else { return }
        let insertion = try RawStatement(ShipmentRows.insertion, database)
        insertion.bind(1, Int64(note.clicks))
        insertion.bind(2, note.first)
        insertion.bind(3, note.last)
        insertion.bind(4, note.encodedBlocks)
        insertion.bind(5, note.encodedLinks)
        try insertion.run()
        guard note.clicks > 0 else { return }
        let counting = try RawStatement("UPDATE click_shipping SET clicks = clicks + ?1", database)
        counting.bind(1, Int64(note.clicks))
        try counting.run()
    }

    /// Notes the deletion before the commit, once for all links of the transaction.
    func noteDeletion(ofClicksOf link: LinkID) throws {
        if try shipsClicks() { pendingDeletions.append(link) }
    }

    func writePendingDeletions() throws {
        guard !pendingDeletions.isEmpty else { return }
        try add(ClickNote(deletedLinks: pendingDeletions))
        pendingDeletions = []
    }
}

/// Statements for what is shipped.
enum ShipmentRows {
    static let insertion = """
        INSERT INTO click_note (at, clicks, first, last, blocks, links)
        VALUES (CAST(strftime('%s', 'now') AS INTEGER) * 1000, ?1, ?2, ?3, ?4, ?5)
        """
    /// CROSS JOIN keeps SQLite from reordering: the blocks are in the order of their table.
    private static let selection = """
        SELECT block.day, block.link, block.number, block.bytes, application.name, host.name, link.slug
        FROM click_block AS block LEFT JOIN link ON link.id = block.link
            LEFT JOIN long_link ON long_link.number = block.link
            CROSS JOIN application ON application.number = coalesce(link.application, long_link.application)
            CROSS JOIN host ON host.number = coalesce(link.host, long_link.host)

        """
    static let block = selection + "WHERE block.day = ?1 AND block.link = ?2 AND block.number = ?3"
    static let blocksOfDay =
        selection + """
            WHERE block.day = ?1 AND (block.link, block.number) > (?2, ?3)
            ORDER BY block.link, block.number LIMIT ?4
            """
}
