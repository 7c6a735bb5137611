import ArgumentParser
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkSockets

/// `waymark dashboard`: prints a link that signs in to the dashboard once.
struct DashboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard", abstract: "Print a link that signs in to the dashboard once, within ten minutes.",
        discussion: """
            The session can do what the key can. Without a key, on the database, an admin key that ends with the session \
            is made for it.
            """)

    /// How long the key of a link for the database is valid, in milliseconds: until the longest session ends.
    private static let keyDuration: Int64 = (12 * 60 + 10) * 60 * 1_000

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let remote = try client.remote()
        let base =
            try remote?.base ?? Configuration(config: client.config, database: client.database).localURL ?? ""
        let given = remote?.key ?? client.givenKey
        try await client.perform(missingDatabase: .isCreated) { api in
            let key: String
            if let given { key = given } else { key = try await Self.makeKey(api) }
            let made = try await api.json(
                "POST", "/_/session", JSONValue(["key": JSONValue(key), "link": JSONValue(true)] as JSONObject))
            // The server that has the database open knows where it listens.
            let path = made["link"]?.string ?? ""
            let link: JSONObject = [
                "link": JSONValue(path.hasPrefix("/") ? base + path : path),
                "expiresAt": JSONValue(made["expiresAt"]?.string ?? ""),
            ]
            return JSONValue(link)
        } text: {
            $0["link"]?.string ?? ""
        }
    }

    private static func makeKey(_ api: any API) async throws -> String {
        let end = Timestamp(rawValue: WallClock.milliseconds() + keyDuration)
        let request: JSONObject = [
            "name": "waymark dashboard", "scopes": JSONValue([JSONValue("admin")]),
            "expiresAt": JSONValue(end.rfc3339),
        ]
        let made = try await api.json("POST", "/api/v1/keys", JSONValue(request))
        return made["key"]?.string ?? ""
    }
}
