import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark people`: lists, invites, disables and enables people.
struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List, invite, disable and enable people.",
        subcommands: [List.self, Invite.self, Disable.self, Enable.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the people and what each may do.")

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            try await client.perform {
                try await $0.json("GET", "/api/v1/people")
            } text: {
                Table(
                    ["ID", "NAME", "EMAIL", "MAY", "SIGNS IN WITH", "LAST SIGN-IN"],
                    ($0["people"]?.array ?? []).map { person in
                        [
                            person["id"]?.string ?? "", person["name"]?.string ?? "", person["email"]?.string ?? "",
                            person["disabled"]?.bool == true ? "nothing: disabled" : Self.roles(of: person),
                            Self.means(of: person), person["signedInAt"]?.string ?? "never",
                        ]
                    }
                ).text
            }
        }

        private static func roles(of person: JSONValue) -> String {
            let roles = (person["memberships"]?.array ?? []).map { membership in
                "\(membership["role"]?.string ?? "") of \(membership["app"]?.string ?? "all")"
            }
            return roles.isEmpty ? "nothing" : roles.joined(separator: ", ")
        }

        private static func means(of person: JSONValue) -> String {
            let passkeys = person["passkeys"]?.array?.count ?? 0
            let identities = (person["identities"]?.array ?? []).compactMap { $0["issuer"]?.string }
            let means = (passkeys == 0 ? [] : [passkeys == 1 ? "a passkey" : "\(passkeys) passkeys"]) + identities
            return means.isEmpty ? "an invitation" : means.joined(separator: ", ")
        }
    }

    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link that signs somebody in once, within three days.",
            discussion: """
                Opening it adds a passkey or an account, and signs the person in. It can't be shown again; --person makes \
                another one for somebody who exists.
                """)

        @Option(name: .long, help: "What the person may do: viewer, editor or admin.")
        var role: String?

        @Option(name: .long, help: "The application that the role is for; without it, all of them.")
        var app: String?

        @Option(name: .long, help: "The person's name.")
        var name: String?

        @Option(name: .long, help: "An e-mail address to reach the person. Nothing is sent to it.")
        var email: String?

        @Option(name: .long, help: "The id of somebody who exists, as `people list` shows it, instead of the rest.")
        var person: String?

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            guard role != nil || person != nil else { throw CommandFailure.usage("give --role or --person") }
            let members = [("role", role), ("app", app), ("name", name), ("email", email), ("person", person)]
            var body = JSONObject()
            for case (let name, let value?) in members { body[name] = JSONValue(value) }
            let request = JSONValue(body)
            let base =
                try client.remote()?.base
                ?? Configuration(config: client.config, database: client.database).localURL ?? ""
            try await client.perform { api in
                let made = try await api.json("POST", "/api/v1/people:invite", request)
                // The server that has the database open knows where it listens.
                let path = made["link"]?.string ?? ""
                var invitation = made.object ?? JSONObject()
                if path.hasPrefix("/") { invitation["link"] = JSONValue(base + path) }
                return JSONValue(invitation)
            } text: {
                $0["link"]?.string ?? ""
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disable a person. Sessions, invitations and API keys of the person end for good.")

        @Argument(help: "The person's id, as `people list` shows it.")
        var id: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let id = id
            try await client.perform(.isDestructive) {
                try await PeopleCommand.set(id, disabled: true, $0)
            } text: { _ in
                "disabled \(id)"
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a disabled person sign in again. What had ended stays ended.")

        @Argument(help: "The person's id, as `people list` shows it.")
        var id: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let id = id
            try await client.perform {
                try await PeopleCommand.set(id, disabled: false, $0)
            } text: { _ in
                "enabled \(id)"
            }
        }
    }

    private static func set(_ id: String, disabled: Bool, _ api: any API) async throws -> JSONValue {
        try await api.json(
            "PATCH", "/api/v1/people/\(PercentEncoding.encode(id))",
            JSONValue(["disabled": JSONValue(disabled)] as JSONObject))
    }
}
