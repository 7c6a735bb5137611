import WaymarkSQLite

enum Version {
    static let text = "0.3.0"
    /// In requests of this program.
    static let userAgent = "waymark/\(text)"
    /// Of the tables in a database; the same for SQLite and PostgreSQL.
    static let schema = SQLiteLinkStore.schemaVersion
}
