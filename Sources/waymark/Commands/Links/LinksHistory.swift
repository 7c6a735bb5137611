import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark links history LINK`: who changed which fields, when, from what to what.
struct LinksHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List who changed which fields of a link, when, and their values.")

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let reference = try LinkReference(link)
        try await client.perform { api in
            var changes: [JSONValue] = []
            var cursor: String?
            repeat {
                let query = PercentEncoding.query([("limit", "100"), ("cursor", cursor)])
                let page = try await api.link("GET", reference, part: "/history" + query)
                changes += page["changes"]?.array ?? []
                cursor = page["cursor"]?.string
            } while cursor != nil
            return JSONValue(["changes": JSONValue(changes)] as JSONObject)
        } text: { answer in
            Table(
                ["VERSION", "WHEN", "BY", "CHANGED", "BEFORE", "AFTER"],
                (answer["changes"]?.array ?? []).map { change in
                    let fields = (change["fields"]?.array ?? []).compactMap(\.string)
                    func text(_ name: String) -> String {
                        guard let values = change[name], !values.isNull else { return "-" }
                        return values.text()
                    }
                    return [
                        change["version"]?.integer.map(String.init) ?? "", change["at"]?.string ?? "",
                        change["by"]?["name"]?.string ?? "-",
                        fields.isEmpty ? "created" : fields.joined(separator: ", "), text("before"), text("after"),
                    ]
                }
            ).text
        }
    }
}

/// `waymark links restore LINK --version N`: a new version with the values of an earlier one.
struct LinksRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Give a link the values of an earlier version.",
        discussion:
            "Makes a new version. Metadata, the password and counts stay; waymark links history lists the versions.")

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @Option(name: .customLong("version"), help: "The version, as waymark links history shows it.")
    var number: Int

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let reference = try LinkReference(link)
        let body: JSONObject = ["version": JSONValue(number)]
        try await client.perform {
            try await $0.link("POST", reference, part: ":restore", JSONValue(body))
        } text: {
            $0.text(style: .pretty)
        }
    }
}
