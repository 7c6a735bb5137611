import ArgumentParser
import WaymarkJSON

/// `waymark links create`: flags for the common members of a link, or the whole body with `--body`.
struct LinksCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a link, from a template's route or from URLs for each platform.",
        discussion: """
            waymark links create https://example.com/spring
            waymark links create --route products/:product_id --parameter product_id=42 --query referrer=ana
            waymark links create --link web=https://example.com/spring --link ios=shop://spring
            """)

    @Argument(help: "Where the link leads; the same as --link web=URL.")
    var destination: String?

    @Option(name: .long, help: "The application; may be left out where there is only one.")
    var app: String?
    @Option(name: .long, help: "The domain; the application's first one where left out.")
    var domain: String?
    @Option(name: .long, help: "The slug; a random one where left out.")
    var slug: String?
    @Option(name: .long, help: "A route of the application's templates, such as products/:product_id.")
    var route: String?
    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A route parameter.", valueName: "name=value"))
    var parameter: [String] = []
    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A query parameter.", valueName: "name=value"))
    var query: [String] = []
    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A platform's URL.", valueName: "platform=url"))
    var link: [String] = []
    @Option(name: .long, help: ArgumentHelp("Private metadata, a JSON object.", valueName: "json"))
    var metadata: String?
    @Option(name: .long, help: ArgumentHelp("How many resolves receive the metadata; 0 is no limit.", valueName: "n"))
    var redeemLimit: Int?
    @Option(name: .long, help: "When the link starts, such as 2027-01-31T00:00:00Z.")
    var validFrom: String?
    @Option(name: .long, help: "When the link ends.")
    var expiresAt: String?
    @Option(name: .long, help: ArgumentHelp("How many clicks it may have.", valueName: "n"))
    var maxClicks: Int?
    @Option(name: .long, parsing: .singleValue, help: "A tag; may be repeated.")
    var tag: [String] = []
    @OptionGroup var labels: LinkLabelOptions
    @Flag(name: .long, help: "Give the same link again for the same request.")
    var unique = false
    @Option(name: .long, help: ArgumentHelp("The whole body as JSON, instead of the flags above.", valueName: "json"))
    var body: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        guard body == nil || destination == nil else {
            throw CommandFailure.usage("--body: the body has all members; leave out \"\(destination ?? "")\"")
        }
        let request = try body.map { try Self.value($0, of: "--body") } ?? JSONValue(members())
        try await client.perform(missingDatabase: .isCreated) {
            try await $0.json("POST", "/api/v1/links", request)
        } text: {
            $0["smartlink"]?.string ?? ""
        }
    }

    private func members() throws -> JSONObject {
        var members = JSONObject()
        members["app"] = app.map { JSONValue($0) }
        members["domain"] = domain.map { JSONValue($0) }
        members["slug"] = slug.map { JSONValue($0) }
        members["route"] = route.map { JSONValue($0) }
        members["routeParameters"] = try Self.object(parameter, of: "--parameter")
        members["queryParameters"] = try Self.object(query, of: "--query")
        members["urls"] = try Self.urls(link, destination)
        members["metadata"] = try metadata.map { try Self.value($0, of: "--metadata") }
        members["redeemLimit"] = redeemLimit.map { JSONValue($0) }
        members["validFrom"] = validFrom.map { JSONValue($0) }
        members["expiresAt"] = expiresAt.map { JSONValue($0) }
        members["maxClicks"] = maxClicks.map { JSONValue($0) }
        members["tags"] = tag.isEmpty ? nil : JSONValue(tag.map { JSONValue($0) })
        labels.add(to: &members)
        members["unique"] = unique ? true : nil
        return members
    }

    /// The platforms' URLs, with the one that no flag names.
    static func urls(_ links: [String], _ destination: String?) throws -> JSONValue? {
        var urls = links
        if let destination {
            guard !links.contains(where: { $0.hasPrefix("web=") }) else {
                throw CommandFailure.usage("--link: web is given twice: leave out \"\(destination)\" or --link web=…")
            }
            // As the address bar of a browser completes it.
            let isHost = !destination.contains(":") && destination.contains(".")
            urls.append("web=" + (isHost ? "https://" : "") + destination)
        }
        return try object(urls, of: "--link", form: "PLATFORM=URL, such as web=https://example.com/")
    }

    static func object(_ pairs: [String], of flag: String, form: String = "NAME=VALUE") throws -> JSONValue? {
        guard !pairs.isEmpty else { return nil }
        var members = JSONObject()
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex,
                // A URL may have an equals sign in its query.
                !pair[..<equals].contains(":")
            else {
                throw CommandFailure.usage("\(flag): \"\(pair)\" is not allowed; give \(form)")
            }
            members[String(pair[..<equals])] = JSONValue(String(pair[pair.index(after: equals)...]))
        }
        return JSONValue(members)
    }

    static func value(_ text: String, of flag: String) throws -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw CommandFailure.usage("\(flag): \(error)")
        }
    }
}
