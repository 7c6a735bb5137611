import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark links update`: changes the members of a link that are given.
struct LinksUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Change a link. What is not given stays; \"\" removes a text or a time.",
        discussion: """
            waymark links update go.example.com/spring https://example.com/summer --title Summer
            waymark links update go.example.com/spring --expires-at 2027-09-01T00:00:00Z
            """)

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var target: String
    @Argument(help: "Where the link leads; the same as --link web=URL.")
    var destination: String?
    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A platform's URL.", valueName: "platform=url"))
    var link: [String] = []
    @OptionGroup var labels: LinkLabelOptions
    @Option(name: .long, parsing: .singleValue, help: "A tag, instead of the present ones; may be repeated.")
    var tag: [String] = []
    @Option(name: .long, help: "When the link starts, such as 2027-01-31T00:00:00Z.")
    var validFrom: String?
    @Option(name: .long, help: "When the link ends.")
    var expiresAt: String?
    @Option(name: .long, help: ArgumentHelp("How many clicks it may have; 0 is no limit.", valueName: "n"))
    var maxClicks: Int?
    @Option(
        name: .long,
        help: ArgumentHelp("The changes as a JSON merge patch, instead of the flags above.", valueName: "json"))
    var body: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let members = try members()
        guard body == nil || members.isEmpty else {
            throw CommandFailure.usage("--body: the body has all changes; leave out the other flags")
        }
        guard body != nil || !members.isEmpty else {
            throw CommandFailure.usage("there is nothing to change; give a URL or a flag such as --title")
        }
        let patch = try body.map { try LinksCreate.value($0, of: "--body") } ?? JSONValue(members)
        try await LinkChanging.patch(target, patch, client)
    }

    private func members() throws -> JSONObject {
        func text(_ value: String) -> JSONValue { value.isEmpty ? .null : JSONValue(value) }
        var members = JSONObject()
        members["urls"] = try LinksCreate.urls(link, destination)
        labels.add(to: &members, text)
        if !tag.isEmpty { members["tags"] = JSONValue(tag.filter { !$0.isEmpty }.map { JSONValue($0) }) }
        members["validFrom"] = validFrom.map(text)
        members["expiresAt"] = expiresAt.map(text)
        members["maxClicks"] = maxClicks.map { $0 == 0 ? .null : JSONValue($0) }
        return members
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

    @Argument(help: "The link: its URL or DOMAIN/SLUG.")
    var link: String

    @Argument(help: "The new slug.")
    var slug: String

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let target = try LinkReference.withDomain(link).target + ":rename"
        let body: JSONValue = ["slug": JSONValue(slug)]
        try await client.perform {
            try await $0.json("POST", target, body)
        } text: {
            $0["smartlink"]?.string ?? ""
        }
    }
}

/// What the commands have in common that change a link.
private enum LinkChanging {
    static func patch(_ link: String, _ patch: JSONValue, _ client: ClientOptions) async throws {
        let target = try LinkReference(link).target
        try await client.perform {
            try await $0.json("PATCH", target, patch)
        } text: {
            "\($0["smartlink"]?.string ?? "") is \($0["state"]?.string ?? "changed")"
        }
    }
}
