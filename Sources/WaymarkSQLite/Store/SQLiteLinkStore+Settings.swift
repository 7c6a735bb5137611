internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension SQLiteLinkStore {
    /// Number of writes queued behind the current transaction.
    var waitingWrites: Int { commits.waiting }

    /// The current value of a setting of the writing connection, after setting it if a value is passed. For tests:
    /// the settings are fixed when the database is opened.
    func setting(_ name: String, to value: Int? = nil) async throws(StoreError) -> String {
        try await write { session in
            if let value { try session.database.execute(sql: "PRAGMA \(name) = \(value)") }
            return try String.fetchOne(session.database, sql: "PRAGMA \(name)") ?? ""
        }
    }

    /// SQLite's query plan, one line for each table. For tests: with ten million links a scan without an index is an
    /// outage.
    func plan(of sql: String) async throws(StoreError) -> [String] {
        try await read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
            // NULL for every argument: the plan doesn't depend on their values.
            statement.setUncheckedArguments([])
            return try Row.fetchAll(statement).map { try $0.text(3) }
        }
    }
}
