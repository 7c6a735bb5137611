internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

/// One transaction of the writing connection, with its lookups and pending counts.
///
/// Confined to the database's serial queue. The writes themselves are in extensions.
final class WriteSession {
    struct KnownApplication {
        var number: Int64
        var domains: [HostName]
        var slugRules: SlugRules
    }

    let database: Database
    /// The keys for encrypting stored metadata, and for reading it.
    let metadataKeys: MetadataKeys
    /// Numbers looked up in this transaction.
    private var hosts: [HostName: Int64] = [:]
    private var applications: [ApplicationID: KnownApplication] = [:]
    // The last ones: most transactions have links of one application on one host, and to compare a text costs less than to
    // hash it.
    private var lastHost: (name: HostName, number: Int64)?
    private var lastApplication: (id: ApplicationID, known: KnownApplication)?
    private var knownInsertion: LinkInsertion?
    /// Whether any link has an alias; nil until it is looked up. True stays true.
    var hasAliases: Bool?
    /// Events for the outbox, as stored; written once per transaction.
    var pendingEvents: [[UInt8]] = []
    static let eventsAtOnce = 8
    /// Entries for the audit; written once per transaction.
    var pendingEntries: [AuditEntry] = []
    /// Links that were deleted, of which another database has to know; written once per transaction.
    var pendingDeletions: [LinkID] = []
    /// The call whose write is performed; nil if no call makes it.
    var auditCall: AuditCall?
    /// The subscriptions of webhooks, as read in this transaction.
    var knownSubscriptions: EventSubscriptions?
    /// Whether clicks are shipped, as read in this transaction.
    var knownShipping: Bool?
    /// Changes of `application_use`, written once per transaction instead of once per link.
    private var useChanges = UseChanges()

    init(_ database: Database, metadataKeys: MetadataKeys) {
        self.database = database
        self.metadataKeys = metadataKeys
    }

    /// Runs one write in a savepoint: if it throws, only its own changes are undone.
    func isolate<Value>(_ body: () throws -> Value) throws -> Value {
        try database.run("SAVEPOINT write")
        let (changes, events, entries) = (useChanges, pendingEvents.count, pendingEntries.count)
        let deletions = pendingDeletions.count
        do {
            let value = try body()
            try database.run("RELEASE write")
            return value
        } catch {
            useChanges = changes
            pendingEvents.removeLast(pendingEvents.count - events)
            pendingEntries.removeLast(pendingEntries.count - entries)
            pendingDeletions.removeLast(pendingDeletions.count - deletions)
            forget()
            if database.isInsideTransaction {
                try database.run("ROLLBACK TO write")
                try database.run("RELEASE write")
            }
            throw error
        }
    }

    /// Before the commit: writes the pending counts, events, entries and deletions.
    func finish() throws {
        try writePendingEvents()
        try writePendingEntries()
        try writePendingDeletions()
        for (use, change) in useChanges.all where change != 0 {
            let counting = try RawStatement(
                """
                INSERT INTO application_use (application, kind, name, links) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET links = links + excluded.links
                """, database)
            counting.bind(1, use.application)
            counting.bind(2, Int64(use.kind.rawValue))
            counting.bind(3, use.name)
            counting.bind(4, Int64(change))
            try counting.run()
            if change < 0 {
                try database.run(
                    "DELETE FROM application_use WHERE application = ? AND kind = ? AND name = ? AND links <= 0",
                    [use.application, use.kind.rawValue, use.name])
            }
        }
        useChanges = UseChanges()
    }

    /// Cached lookups may have been rolled back, or changed by a write to applications.
    func forget() {
        (hosts, lastHost) = ([:], nil)
        (applications, lastApplication) = ([:], nil)
        knownSubscriptions = nil
        knownShipping = nil
    }

    func insertion() throws -> LinkInsertion {
        if let known = knownInsertion { return known }
        let insertion = try LinkInsertion(database)
        knownInsertion = insertion
        return insertion
    }

    func application(_ id: ApplicationID) throws -> KnownApplication? {
        if let lastApplication, lastApplication.id == id { return lastApplication.known }
        if let known = applications[id] {
            lastApplication = (id, known)
            return known
        }
        let found = try database.row("SELECT number, slug_rules FROM application WHERE name = ?", [id.text]) {
            (number: try $0.number(0), rules: SlugRules(rawValue: try $0.count(1)))
        }
        guard let (number, rules) = found else { return nil }
        let domains = try database.rows("SELECT domain FROM application_domain WHERE application = ?", [number]) {
            guard let domain = HostName(try $0.text(0)) else { throw Row.damaged }
            return domain
        }
        let known = KnownApplication(number: number, domains: domains, slugRules: rules)
        applications[id] = known
        lastApplication = (id, known)
        return known
    }

    func number(of host: HostName) throws -> Int64 {
        if let lastHost, lastHost.name == host { return lastHost.number }
        if let known = hosts[host] {
            lastHost = (host, known)
            return known
        }
        let found = try database.row("SELECT number FROM host WHERE name = ?", [host.text]) { try $0.number(0) }
        let number =
            try found
            ?? database.row("INSERT INTO host (name) VALUES (?) RETURNING number", [host.text]) {
                try $0.number(0)
            }
        guard let number else { throw Row.damaged }
        hosts[host] = number
        lastHost = (host, number)
        return number
    }

    func count(_ change: Int, _ uses: [(kind: StoredUse.Kind, name: String)], application: Int64) {
        for (kind, name) in uses { useChanges.add(change, to: .init(application: application, kind: kind, name: name)) }
    }
}
