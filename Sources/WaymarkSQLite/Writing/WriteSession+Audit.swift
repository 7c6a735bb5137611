internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession {
    /// Written before the commit, as events are.
    func add(_ entry: AuditEntry) throws {
        pendingEntries.append(entry)
        if try subscriptions().includes(.auditRecorded, of: entry.application) { add(entry.event) }
    }

    /// One prepared statement for all.
    func writePendingEntries() throws {
        guard !pendingEntries.isEmpty else { return }
        let insertion = try RawStatement(
            "INSERT INTO audit (at, application, person, actor_key, action, entry) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            database)
        for entry in pendingEntries {
            insertion.bind(1, entry.at.rawValue)
            insertion.bind(2, entry.application?.text)
            insertion.bind(3, entry.person)
            insertion.bind(4, entry.key)
            insertion.bind(5, entry.action)
            insertion.bind(6, entry.json)
            try insertion.run()
        }
        pendingEntries = []
    }
}
