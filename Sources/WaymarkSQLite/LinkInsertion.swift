internal import GRDB
internal import GRDBSQLite
internal import WaymarkLinks

/// The statement that adds a link, with its values handed to SQLite one by one.
///
/// The only one that runs past GRDB: boxing, checking and binding its arguments cost half as much again as the row
/// itself, on the one thread that all creations wait for (docs/decisions/2026-11-22-link-insertion-without-boxes.md).
/// Confined to the database's serial queue, and kept for a transaction.
struct LinkInsertion {
    private let database: Database
    private let statement: Statement

    // RETURNING would have SQLite make a table of its own for each link: half of what the row costs.
    private static let sql = """
        INSERT INTO link (application, host, slug, version, has_metadata, redeem_limit, redeemed, max_clicks, reserved,
            created_at, updated_at, content, identity)
        VALUES (?1, ?2, ?3, 1, ?4, ?5, 0, ?6, 0, ?7, ?7, ?8, ?9)
        ON CONFLICT (slug, host) DO NOTHING
        """

    init(_ database: Database) throws {
        self.database = database
        statement = try database.cachedStatement(sql: Self.sql)
    }

    /// - Parameters:
    ///   - application: and `host`: their numbers.
    ///   - content: what `LinkContentCodec` gives for the link's.
    /// - Returns: nil where the slug is taken on the host; nothing is stored then.
    func add(_ link: NewLink, application: Int64, host: Int64, content: [UInt8]) throws -> LinkID? {
        bind(1, application)
        bind(2, host)
        bind(3, link.slug.text)
        bind(4, link.metadata == nil ? 0 : 1)
        bind(5, Int64(link.content.redeemLimit))
        bind(6, link.content.maxClicks.map(Int64.init))
        bind(7, link.createdAt.rawValue)
        bind(8, content)
        bind(9, link.identity)
        // unsafe, here and below, because this is C; GRDB keeps the statement and the connection alive.
        let code = unsafe sqlite3_step(statement.sqliteStatement)
        // An error's message is only there until the statement is reset.
        let message = code == SQLITE_DONE ? nil : database.lastErrorMessage
        unsafe sqlite3_reset(statement.sqliteStatement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: Self.sql)
        }
        let connection = unsafe database.sqliteConnection
        guard unsafe sqlite3_changes(connection) > 0 else { return nil }
        return LinkID(rawValue: unsafe sqlite3_last_insert_rowid(connection))
    }

    // Binding fails only for a place that the statement has not, or a text of gigabytes. unsafe because C reads texts and
    // bytes through pointers, which live as long as the call: SQLite copies what they point to.

    private func bind(_ place: Int32, _ number: Int64?) {
        if let number {
            unsafe sqlite3_bind_int64(statement.sqliteStatement, place, number)
        } else {
            unsafe sqlite3_bind_null(statement.sqliteStatement, place)
        }
    }

    private func bind(_ place: Int32, _ text: String) {
        unsafe sqlite3_bind_text(statement.sqliteStatement, place, text, Int32(text.utf8.count), Self.copied)
    }

    private func bind(_ place: Int32, _ bytes: [UInt8]?) {
        if let bytes {
            unsafe sqlite3_bind_blob(statement.sqliteStatement, place, bytes, Int32(bytes.count), Self.copied)
        } else {
            unsafe sqlite3_bind_null(statement.sqliteStatement, place)
        }
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the bytes before the call returns.
    private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
