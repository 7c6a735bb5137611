import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark audit`: who changed what.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "List who changed what, the newest first.")

    @Option(name: .long, help: "Only what this person did, by the id.")
    var person: String?

    @Option(name: .long, help: "Only what this key did, by its id.")
    var keyID: String?

    @Option(name: .long, help: "Only this action, such as link.created, or a group of them, such as 'link.*'.")
    var action: String?

    @Option(name: .long, help: "Only from this time on, such as 2026-11-21 or 2026-11-21T10:00:00Z.")
    var from: String?

    @Option(name: .long, help: "Only before this time, or up to this date.")
    var to: String?

    @Option(name: .long, help: "How many entries at most: 1 to 10,000.")
    var limit = 50

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let given = [("person", person), ("key", keyID), ("action", action), ("from", from), ("to", to)]
        guard (1...10_000).contains(limit) else { throw CommandFailure.usage("--limit must be 1 to 10000") }
        let most = limit
        try await client.perform { api in
            var entries: [JSONValue] = []
            var cursor: String?
            // A page may have no entries and yet not be the last one.
            repeat {
                let query = given + [("limit", String(min(200, most - entries.count))), ("cursor", cursor)]
                let page = try await api.json("GET", "/api/v1/audit" + PercentEncoding.query(query))
                entries += page["entries"]?.array ?? []
                cursor = page["cursor"]?.string
            } while entries.count < most && cursor != nil
            return ["entries": JSONValue(entries), "cursor": cursor.map { JSONValue($0) } ?? .null]
        } text: { answer in
            let table = Table(
                ["AT", "BY", "ACTION", "OBJECT", "APP", "FROM"],
                (answer["entries"]?.array ?? []).map { entry in
                    [
                        entry["at"]?.string ?? "", Self.name(entry["by"]), entry["action"]?.string ?? "",
                        entry["object"]?["id"]?.string ?? entry["object"]?["type"]?.string ?? "",
                        entry["app"]?.string ?? "", entry["address"]?.string ?? "",
                    ]
                }
            ).text
            return answer["cursor"]?.string == nil ? table : table + "\nThere are more: give a higher --limit."
        }
    }

    private static func name(_ actor: JSONValue?) -> String {
        actor?["person"]?["name"]?.string ?? actor?["key"]?["name"]?.string ?? actor?["via"]?.string ?? ""
    }
}
