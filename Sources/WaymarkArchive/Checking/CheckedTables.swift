/// A table of a database, and what `waymark check` does with it. docs/operations/backup-and-restore.md repeats this.
package struct CheckedTable: Sendable {
    package var name: String
    /// What must hold; nil if only the database's own check reads it.
    package var rule: String?
    package var mending: Mending

    init(_ name: String, _ rule: String?, _ mending: Mending = .restore) {
        self.name = name
        self.rule = rule
        self.mending = mending
    }

    /// All tables of both stores.
    package static let all: [CheckedTable] = [
        CheckedTable("application", "its document can be read and names the stored domains"),
        CheckedTable("application_domain", "each domain is one of its application's document"),
        CheckedTable("application_change", "its version and time are possible, what it replaced can be read"),
        CheckedTable("application_extra", "its name and version are possible"),
        CheckedTable("application_host", "each is a host name"),
        CheckedTable("application_use", "a count of the links gives the same"),
        CheckedTable("api_key", "each key and session can be read and has a digest, the person of a key exists"),
        CheckedTable("association_fetch", "its host, file and service are known, its status is possible"),
        CheckedTable("association_file", "its host and file are known"),
        CheckedTable("audit", "each entry can be read, and is of a possible day"),
        CheckedTable(
            "click_block", "each block is of an existing link, or of long links, and a possible day, and can be read"),
        CheckedTable("click_count", "it can be read (SQLite)"),
        CheckedTable("click_leftover", "none is of an existing link"),
        CheckedTable("click_note", "each can be read"),
        CheckedTable("click_order", "no link has more clicks in it than were counted", .rebuildSearch),
        CheckedTable("click_shipment", "each can be read"),
        CheckedTable("click_shipping", "there is at most one, and one for each share of totals"),
        CheckedTable("click_summary", "its state can be read; totals are not compared with it", .rebuildTotals),
        CheckedTable("click_total", "it equals a count of the records, as far as these are stored", .rebuildTotals),
        CheckedTable(
            "click_total_day", "it equals a count of the records, as far as these are stored (SQLite)", .rebuildTotals),
        CheckedTable(
            "click_total_link", "it equals a count of the records, as far as these are stored", .rebuildTotals),
        CheckedTable(
            "click_total_link_share", "added to click_total_link, it equals a count of the records (PostgreSQL)",
            .rebuildTotals),
        CheckedTable(
            "click_total_share", "added to click_total, it equals a count of the records (PostgreSQL)", .rebuildTotals),
        CheckedTable("click_total_start", "there is at most one", .rebuildTotals),
        CheckedTable("conversion", "the day is possible, the count is positive, the sum is a decimal"),
        CheckedTable("document", "it can be opened with metadataKeys: certificates, accounts, states, shared reports"),
        CheckedTable("expiry_report", "there is at most one"),
        CheckedTable("host", "each is a host name"),
        CheckedTable("idempotency", "each record of a retry, claim or event can be read"),
        CheckedTable("import_report", nil),
        CheckedTable("import_run", "what it tells callers can be read"),
        CheckedTable("link", "it can be read, and its limits, version, domain and metadata agree"),
        CheckedTable("link_activity", "it is of an existing link and a possible day, and no count is negative"),
        CheckedTable("link_alias", "each alias of a link finds it, and no other is stored"),
        CheckedTable(
            "link_change",
            "the last change of each link has an entry, none is of a version it has not had, what it replaced can be read"
        ),
        CheckedTable("link_change_start", "there is at most one"),
        CheckedTable("link_deletion", "the days are possible"),
        CheckedTable("link_event", "it is of an existing link and can be read"),
        CheckedTable("link_expiry", "each link that expires is in it", .rebuildSearch),
        CheckedTable("link_folded", "links of applications that ignore case are found by any case", .repairAliases),
        CheckedTable("link_metadata", "it exists when its link says so, decrypts, and is a JSON object"),
        CheckedTable("link_tag", "each tag of a link, and each folder that it is in, finds it, and no other is stored"),
        CheckedTable("link_verification", "its state and findings can be read; the next walk replaces it"),
        CheckedTable("long_link", "each number is negative, which no link's is"),
        CheckedTable("membership", "its role is known"),
        CheckedTable("message", "its type and body can be read"),
        CheckedTable("migration", nil),
        CheckedTable("oauth_client", "it has a name and an address to return to"),
        CheckedTable("oauth_grant", "its digests have the length of one"),
        CheckedTable("outbox", "each event can be read"),
        CheckedTable("passkey", "its id, its key and its count are possible"),
        CheckedTable("person", "each has a name"),
        CheckedTable("person_identity", "it names a provider and an account"),
        CheckedTable("registered_route", "each can be read"),
        CheckedTable("search_change", nil, .rebuildSearch),
        CheckedTable("search_leaf", "each word of each link is found", .rebuildSearch),
        CheckedTable("search_part", "each word of each link is found", .rebuildSearch),
        CheckedTable("search_state", "there is one", .rebuildSearch),
        CheckedTable("secret", "metadataKeys are the right ones; no import is unfinished"),
        CheckedTable("unknown_visit", "it is of a possible day and can be read"),
        CheckedTable("verification_round", nil),
        CheckedTable(
            "webhook", "it can be read, its types are those of its document, its secrets decrypt", .deleteEndpoint),
        CheckedTable("webhook_delivery", "its state, its lane and its attempts can be read"),
        CheckedTable("webhook_removed", nil),
        CheckedTable("written_batch", nil),
    ]

    /// A row of the table in docs/operations/backup-and-restore.md.
    package var documentation: String {
        "| `\(name)` | \(rule ?? "only read by the check of the file or of PostgreSQL") | "
            + "\(rule == nil && mending == .restore ? "" : mending.documentation) |"
    }
}

extension Mending {
    fileprivate var documentation: String {
        switch self {
        case .rebuildTotals, .rebuildSearch, .repairAliases: "`\(command)`"
        case .deleteEndpoint: "`waymark webhooks delete ID`, and create it again"
        case .restore: "a backup"
        }
    }
}
