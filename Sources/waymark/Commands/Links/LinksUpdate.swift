import ArgumentParser
import WaymarkJSON

/// `waymark links update`: changes the members of a link that are given.
struct LinksUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Change a link. What is not given stays; \"\" removes a text or a time.",
        discussion: """
            waymark links update go.example.com/spring https://example.com/summer --title Summer
            waymark links update go.example.com/spring --expires-at 2027-09-01T00:00:00Z
            waymark links update go.example.com/spring --clear expiresAt --clear urls.ios
            """)

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var target: String
    @Argument(help: "Where the link leads; the same as --link web=URL.")
    var destination: String?
    @OptionGroup var fields: LinkFieldOptions
    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("Remove a field, such as rules, or a part, such as urls.ios.", valueName: "field"))
    var clear: [String] = []
    @Option(
        name: .long,
        help: ArgumentHelp("The changes as a JSON merge patch, instead of the flags above.", valueName: "json"))
    var body: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        var members = try fields.members(destination, isPatch: true)
        try ClearedFields.add(clear, to: &members)
        guard body == nil || members.isEmpty else {
            throw CommandFailure.usage("--body: the body has all changes; leave out the other flags")
        }
        guard body != nil || !members.isEmpty else {
            throw CommandFailure.usage("there is nothing to change; give a URL or a flag such as --title")
        }
        let patch = try body.map { try LinkFieldOptions.value($0, of: "--body") } ?? JSONValue(members)
        try await LinkChanging.patch(target, patch, client)
    }
}

/// `waymark links enable`
struct LinksEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "enable", abstract: "Let a disabled link lead again.")

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @OptionGroup var client: ClientOptions

    mutating func run() async throws { try await LinkChanging.patch(link, ["disabled": false], client) }
}

/// `waymark links disable`
struct LinksDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a link: visitors see that it has been disabled.")

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @OptionGroup var client: ClientOptions

    mutating func run() async throws { try await LinkChanging.patch(link, ["disabled": true], client) }
}

/// `waymark links rename`
struct LinksRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a link another slug; it keeps answering under the present one.")

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @Argument(help: "The new slug.")
    var slug: String

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let reference = try LinkReference(link)
        let body: JSONValue = ["slug": JSONValue(slug)]
        try await client.perform {
            try await $0.link("POST", reference, part: ":rename", body)
        } text: {
            $0["smartlink"]?.string ?? ""
        }
    }
}

/// What the commands have in common that change a link.
private enum LinkChanging {
    static func patch(_ link: String, _ patch: JSONValue, _ client: ClientOptions) async throws {
        let reference = try LinkReference(link)
        try await client.perform {
            try await $0.link("PATCH", reference, patch)
        } text: {
            "\($0["smartlink"]?.string ?? "") is \($0["state"]?.string ?? "changed")"
        }
    }
}
