import ArgumentParser
import WaymarkJSON

/// `waymark links create`: flags for the members of a link, or the whole body with `--body`.
struct LinksCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a link and print its address.",
        discussion: """
            waymark links create https://example.com/spring
            waymark links create https://example.com/spring spring
            waymark links create --route products/:product_id --parameter product_id=42 --query referrer=ana
            waymark links create --link web=https://example.com/spring --link ios=shop://spring
            """)

    @Argument(help: "Where the link leads; the same as --link web=URL.")
    var destination: String?
    @Argument(help: "The slug; the same as --slug.")
    var name: String?

    @Option(name: .long, help: "The application; may be left out where there is only one.")
    var app: String?
    @Option(name: .long, help: "The domain; the application's first one where left out.")
    var domain: String?
    @Option(name: .long, help: "The slug; a random one where left out.")
    var slug: String?
    @OptionGroup var fields: LinkFieldOptions
    @Flag(name: .long, help: "Create it disabled.")
    var disabled = false
    @Flag(name: .long, help: "Give the same link again for the same request.")
    var unique = false
    @Option(name: .long, help: ArgumentHelp("The whole body as JSON, instead of the flags above.", valueName: "json"))
    var body: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        guard body == nil || destination == nil else {
            throw CommandFailure.usage("--body: the body has all members; leave out \"\(destination ?? "")\"")
        }
        guard name == nil || slug == nil else {
            throw CommandFailure.usage("--slug: the slug is given twice: leave out \"\(name ?? "")\" or --slug")
        }
        let request = try body.map { try LinkFieldOptions.value($0, of: "--body") } ?? JSONValue(members())
        try await client.perform(missingDatabase: .isCreated) {
            try await $0.json("POST", "/api/v1/links", request)
        } text: {
            $0["smartlink"]?.string ?? ""
        }
    }

    private func members() throws -> JSONObject {
        var members = try fields.members(destination, isPatch: false)
        members["app"] = app.map { JSONValue($0) }
        members["domain"] = domain.map { JSONValue($0) }
        members["slug"] = (slug ?? name).map { JSONValue($0) }
        members["disabled"] = disabled ? true : nil
        members["unique"] = unique ? true : nil
        return members
    }
}
