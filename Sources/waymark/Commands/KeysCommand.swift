import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark keys`: creates, lists and revokes API keys, and rotates metadata keys.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Create, list and revoke API keys; encrypt metadata with a new key.",
        subcommands: [Create.self, List.self, Revoke.self, RotateDataKey.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a key and print it. It can't be shown again.")

        @Option(name: .long, help: "What the key is for.")
        var name: String

        @Option(name: .long, help: "The application it is for; without it, all of them.")
        var app: String?

        @Option(
            name: .long, parsing: .singleValue,
            help: "What it may do: resolve, create, read, links or admin; may be repeated.")
        var scope: [String]

        @Option(name: .long, help: "Where the app runs that gets it: web, iphone, ipad, ios or android.")
        var platform: String?

        @Option(name: .long, help: "When it ends, such as 2027-01-31T00:00:00Z.")
        var expiresAt: String?

        @Flag(name: .long, help: "Read the key's text, 20 to 255 visible ASCII characters, from standard input.")
        var keyStdin = false

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            var body: JSONObject = ["name": JSONValue(name), "scopes": JSONValue(scope.map { JSONValue($0) })]
            if let app { body["app"] = JSONValue(app) }
            if let platform { body["platform"] = JSONValue(platform) }
            if let expiresAt { body["expiresAt"] = JSONValue(expiresAt) }
            // Not an argument, because other users can see those.
            if keyStdin {
                guard let key = readLine() else { throw CommandFailure.usage("there is no key on standard input") }
                body["key"] = JSONValue(key)
            }
            let request = JSONValue(body)
            try await client.perform {
                try await $0.json("POST", "/api/v1/keys", request)
            } text: {
                $0["key"]?.string ?? ""
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys, without their secrets.")

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            try await client.perform {
                try await $0.json("GET", "/api/v1/keys")
            } text: {
                Table(
                    ["ID", "NAME", "APP", "SCOPES", "EXPIRES", "LAST USED"],
                    ($0["keys"]?.array ?? []).map { key in
                        [
                            key["id"]?.string ?? "", key["name"]?.string ?? "", key["app"]?.string ?? "all",
                            (key["scopes"]?.array ?? []).compactMap(\.string).joined(separator: ","),
                            key["expiresAt"]?.string ?? "never", key["lastUsedAt"]?.string ?? "never",
                        ]
                    }
                ).text
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a key.")

        @Argument(help: "The key's id, as `keys list` shows it.")
        var id: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let id = id
            try await client.perform(.isDestructive) {
                try await $0.json("DELETE", "/api/v1/keys/\(PercentEncoding.encode(id))")
            } text: { _ in
                "revoked \(id)"
            }
        }
    }
}
