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
}
