internal import GRDB
internal import WaymarkLinks

/// The statement that inserts a link. Valid for one transaction.
struct LinkInsertion {
    private let database: Database
    private let statement: RawStatement

    // RETURNING would make SQLite build a temporary table for each link: half of the row's cost.
    private static let sql = """
        INSERT INTO link (application, host, slug, version, has_metadata, redeem_limit, redeemed, max_clicks, reserved,
            created_at, updated_at, content, identity)
        VALUES (?1, ?2, ?3, 1, ?4, ?5, 0, ?6, 0, ?7, ?7, ?8, ?9)
        ON CONFLICT (slug, host) DO NOTHING
        """

    init(_ database: Database) throws {
        self.database = database
        statement = try RawStatement(Self.sql, database)
    }

    /// - Parameters:
    ///   - application: and `host`: their numbers.
    ///   - content: as encoded by `LinkContentCodec`.
    /// - Returns: Nil if the slug is taken on the host; nothing is stored then.
    func add(_ link: NewLink, application: Int64, host: Int64, content: [UInt8]) throws -> LinkID? {
        statement.bind(1, application)
        statement.bind(2, host)
        statement.bind(3, link.storedSlug.text)
        statement.bind(4, link.metadata == nil ? 0 : 1)
        statement.bind(5, Int64(link.content.redeemLimit))
        statement.bind(6, link.content.maxClicks.map(Int64.init))
        statement.bind(7, link.createdAt.rawValue)
        statement.bind(8, content)
        statement.bind(9, link.identity)
        guard try statement.run() else { return nil }
        return LinkID(rawValue: database.lastInsertedRowID)
    }
}
