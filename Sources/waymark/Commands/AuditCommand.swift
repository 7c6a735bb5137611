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
    var key: String?

    @Option(name: .long, help: "Only this action, such as link.created, or a group of them, such as 'link.*'.")
    var action: String?

    @Option(name: .long, help: "Only from this time on, such as 2026-11-21 or 2026-11-21T10:00:00Z.")
    var from: String?

    @Option(name: .long, help: "Only before this time, or up to this date.")
    var to: String?

    @Option(name: .long, help: "How many entries at most: 1 to 200.")
    var limit = 50

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let given = [("person", person), ("key", key), ("action", action), ("from", from), ("to", to)]
        let query = (given + [("limit", String(limit))]).compactMap { name, value in
            value.map { "\(name)=\(PercentEncoding.encode($0))" }
        }
        let path = "/api/v1/audit?" + query.joined(separator: "&")
        try await client.perform {
            try await $0.json("GET", path)
        } text: {
            Table(
                ["AT", "BY", "ACTION", "OBJECT", "APP", "FROM"],
                ($0["entries"]?.array ?? []).map { entry in
                    [
                        entry["at"]?.string ?? "", Self.name(entry["by"]), entry["action"]?.string ?? "",
                        entry["object"]?["id"]?.string ?? entry["object"]?["type"]?.string ?? "",
                        entry["app"]?.string ?? "", entry["address"]?.string ?? "",
                    ]
                }
            ).text
        }
    }

    private static func name(_ actor: JSONValue?) -> String {
        actor?["person"]?["name"]?.string ?? actor?["key"]?["name"]?.string ?? actor?["via"]?.string ?? ""
    }
}
