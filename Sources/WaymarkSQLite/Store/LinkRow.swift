internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The columns of a link in the database.
enum LinkRow {
    private static let columns = """
        SELECT link.id, application.name, host.name, link.slug, link.content, link.has_metadata, link.redeemed,
            \(ClickCountPage.column), link.reserved, link.created_at,
            link.updated_at, link.version, link.free_clicks

        """
    /// CROSS JOIN makes SQLite keep the order of the tables: the link first, by the condition's index, then one row
    /// of each of the two small tables.
    private static let names = """
        CROSS JOIN host ON host.number = link.host CROSS JOIN application ON application.number = link.application

        """
    static let selection = columns + "FROM link " + names
    static let byID = selection + "WHERE link.id = ?"
    static let byAddress = selection + "WHERE link.slug = ? AND link.host = (SELECT number FROM host WHERE name = ?)"
    /// The same by an alias, or by the folded slug of an application that ignores case, for slugs that `byAddress` does not
    /// find. The address is looked up again, because the link may be given the slug between the two statements.
    static let byAlias =
        selection
            + """
            WHERE link.id = coalesce(
                (SELECT named.id FROM link AS named
                    WHERE named.slug = ?1 AND named.host = (SELECT number FROM host WHERE name = ?2)),
                (SELECT link FROM link_alias
                    WHERE link_alias.slug = ?1 AND link_alias.host = (SELECT number FROM host WHERE name = ?2)),
                (SELECT link FROM link_folded
                    WHERE link_folded.slug = ?3 AND link_folded.host = (SELECT number FROM host WHERE name = ?2)))
            """
    static let bySlug =
        selection
            + """
            WHERE link.id IN (
                SELECT named.id FROM link AS named WHERE named.slug = ?1
                UNION SELECT link FROM link_alias WHERE link_alias.slug = ?1
                UNION SELECT link FROM link_folded WHERE link_folded.slug = ?3)
            ORDER BY link.id LIMIT ?2
            """
    // Listings, each along one index; the first two arguments are the position to start after and the limit.
    static let newest = listing("WHERE link.id < ?1 ORDER BY link.id DESC LIMIT ?2")
    static let oldest = listing("WHERE link.id > ?1 ORDER BY link.id LIMIT ?2")
    static let newestOfApplication = listing(ofApplication + "AND link.id < ?1 ORDER BY link.id DESC LIMIT ?2")
    static let oldestOfApplication = listing(ofApplication + "AND link.id > ?1 ORDER BY link.id LIMIT ?2")
    static let newestOfTag = listing(
        "WHERE link_tag.tag = ?3 AND link_tag.link < ?1 ORDER BY link_tag.link DESC LIMIT ?2", from: "link_tag")
    static let oldestOfTag = listing(
        "WHERE link_tag.tag = ?3 AND link_tag.link > ?1 ORDER BY link_tag.link LIMIT ?2", from: "link_tag")
    /// ?3 is the state; of the versions that the links still have.
    static let newestVerified = listing(
        """
        WHERE link_verification.state = ?3 AND link_verification.link < ?1
            AND link_verification.version = link.version
        ORDER BY link_verification.link DESC LIMIT ?2
        """, from: "link_verification")
    static let oldestVerified = listing(
        """
        WHERE link_verification.state = ?3 AND link_verification.link > ?1
            AND link_verification.version = link.version
        ORDER BY link_verification.link LIMIT ?2
        """, from: "link_verification")
    /// ?3 is the number of clicks to start after.
    static let mostClicked = listing(
        """
        WHERE (click_order.clicks, click_order.link) < (?3, ?1)
        ORDER BY click_order.clicks DESC, click_order.link DESC LIMIT ?2
        """, key: "click_order.clicks", from: "click_order")
    static let neverClicked = listing(
        """
        WHERE link.id < ?1 AND NOT EXISTS (SELECT 1 FROM click_order WHERE click_order.link = link.id)
        ORDER BY link.id DESC LIMIT ?2
        """)
    /// ?3 is the expiry to start after.
    static let nextToExpire = listing(
        """
        WHERE (link_expiry.expires_at, link_expiry.link) > (?3, ?1)
        ORDER BY link_expiry.expires_at, link_expiry.link LIMIT ?2
        """, key: "link_expiry.expires_at", from: "link_expiry")

    static let between = listing("WHERE link.id BETWEEN ? AND ? ")
    private static let ofApplication = "WHERE link.application = (SELECT number FROM application WHERE name = ?3) "

    /// - Parameters:
    ///   - key: the key of the link's position, after the columns of the link.
    ///   - table: the table of the index, if it is another one than that of links.
    private static func listing(_ condition: String, key: String = "0", from table: String? = nil) -> String {
        columns + ", \(key) FROM "
            + (table.map { "\($0) CROSS JOIN link ON link.id = \($0).link " } ?? "link ") + names + condition
    }

    static func link(_ row: Row) throws(StoreError) -> Link {
        guard let application = ApplicationID(try row.text(1)), let domain = HostName(try row.text(2)),
            let slug = Slug(try row.text(3))
        else { throw Row.damaged }
        return Link(
            id: LinkID(rawValue: try row.number(0)), application: application, domain: domain, slug: slug,
            content: try LinkContentCodec.decode(try row.bytes(4)), hasMetadata: try row.number(5) != 0,
            redeemed: try row.count(6), clicks: try row.clicks(7), freeClicks: try row.count(12),
            reservedClicks: try row.count(8),
            createdAt: try row.timestamp(9), updatedAt: try row.timestamp(10), version: try row.count(11))
    }

    /// Nil for a link that is damaged, or written by a later version.
    static func readable(_ row: Row) -> Link? { try? link(row) }
}

extension Database {
    func link(_ id: LinkID) throws -> Link? {
        try row(LinkRow.byID, [id.rawValue]) { try LinkRow.link($0) }
    }

    /// Also nil for a link that is damaged, or written by a later version: for work on many links.
    func readableLink(_ id: LinkID) throws -> Link? {
        try row(LinkRow.byID, [id.rawValue]) { LinkRow.readable($0) } ?? nil
    }

    /// The highest ID ever assigned to a link.
    func lastLinkID() throws -> Int64 {
        try row(
            """
            SELECT max(coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'link'), 0),
                coalesce((SELECT max(id) FROM link), 0))
            """, []
        ) { try $0.number(0) } ?? 0
    }

    /// As stored: possibly encrypted.
    func storedMetadata(of id: LinkID) throws -> [UInt8]? {
        try row("SELECT metadata FROM link_metadata WHERE link = ?", [id.rawValue]) { try $0.bytes(0) }
    }

    /// The first row of a cached statement, decoded before the next step can change it.
    func row<Value>(_ sql: String, _ arguments: StatementArguments, _ decode: (Row) throws -> Value) throws -> Value? {
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        let value = try cursor.next().map(decode)
        // Steps to the end: an UPDATE … RETURNING is complete only then.
        while try cursor.next() != nil {}
        return value
    }

    func rows<Value>(
        _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> Value
    ) throws -> [Value] {
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try cursor.next() { values.append(try decode(row)) }
        return values
    }

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

/// Column accessors that replace GRDB's typed subscripts, which trap if a damaged database contains another type.
extension Row {
    func number(_ column: Int) throws(StoreError) -> Int64 {
        guard let number = try optionalNumber(column) else { throw Self.damaged }
        return number
    }

    func count(_ column: Int) throws(StoreError) -> Int {
        guard let count = Int(exactly: try number(column)), count >= 0 else { throw Self.damaged }
        return count
    }

    func optionalNumber(_ column: Int) throws(StoreError) -> Int64? {
        let value: DatabaseValue = self[column]
        switch value.storage {
        case .null: return nil
        case .int64(let number): return number
        default: throw Self.damaged
        }
    }

    func timestamp(_ column: Int) throws(StoreError) -> Timestamp { Timestamp(rawValue: try number(column)) }

    func text(_ column: Int) throws(StoreError) -> String {
        let value: DatabaseValue = self[column]
        guard case .string(let text) = value.storage else { throw Self.damaged }
        return text
    }

    func optionalText(_ column: Int) throws(StoreError) -> String? {
        let value: DatabaseValue = self[column]
        if value.isNull { return nil }
        return try text(column)
    }

    func bytes(_ column: Int) throws(StoreError) -> [UInt8] {
        let value: DatabaseValue = self[column]
        guard case .blob(let data) = value.storage else { throw Self.damaged }
        return [UInt8](data)
    }

    func optionalBytes(_ column: Int) throws(StoreError) -> [UInt8]? {
        let value: DatabaseValue = self[column]
        return value.isNull ? nil : try bytes(column)
    }

    static var damaged: StoreError { .corrupt("a row of the database is damaged") }
}

extension [UInt8] {
    /// As a value for SQLite.
    var blob: DatabaseValue { Data(self).databaseValue }
}

extension [UInt8]? {
    var blob: DatabaseValue { self?.blob ?? .null }
}
