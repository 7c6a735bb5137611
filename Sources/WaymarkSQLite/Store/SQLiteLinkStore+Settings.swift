internal import GRDB
internal import WaymarkLinks

extension SQLiteLinkStore {
    /// How many writes are queued behind the transaction that runs.
    var waitingWrites: Int { commits.waiting }

    /// What a setting of the writing connection reads back, after it was set where a value is given. For tests: the
    /// settings are fixed when the database is opened.
    func setting(_ name: String, to value: Int? = nil) async throws(StoreError) -> String {
        try await write { session in
            if let value { try session.database.execute(sql: "PRAGMA \(name) = \(value)") }
            return try String.fetchOne(session.database, sql: "PRAGMA \(name)") ?? ""
        }
    }

    /// How SQLite goes about a statement, a line for each table. For tests: at ten million links a walk that is not
    /// along an index is an outage.
    func plan(of sql: String) async throws(StoreError) -> [String] {
        try await read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
            // NULL for every argument: the plan doesn't depend on them.
            statement.setUncheckedArguments([])
            return try Row.fetchAll(statement).map { try $0.text(3) }
        }
    }
}
