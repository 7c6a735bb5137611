import ArgumentParser
import WaymarkAPI
import WaymarkBytes
import WaymarkJSON

/// `waymark links list`: a page of links, as a table.
struct LinksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List links, newest first.")

    @Option(name: .long, help: "Only of this application.")
    var app: String?

    @Option(name: .long, help: "Only of this domain.")
    var domain: String?

    @Option(name: .long, help: "Only with this tag.")
    var tag: String?

    @Option(name: .long, help: "Only in this folder or below it.")
    var folder: String?

    @Option(name: .long, help: "Only of this campaign.")
    var campaign: String?

    @Option(name: .long, help: "Only active, scheduled, expired, exhausted or disabled ones.")
    var state: String?

    @Option(
        name: .long,
        help: """
            Only with words that begin so in slug, \(LinkLabel.names), route, destination or tags; or a link's URL.
            """)
    var search: String?

    @Option(name: .long, help: "Only with this text in slug, \(LinkLabel.names), route or destination.")
    var query: String?

    @Option(name: .long, help: "-createdAt, createdAt, -clicks or expiresAt. [default: -createdAt]")
    var sort: String?

    @Option(name: .long, help: "How many at most, 1 to 200.")
    var limit: String?

    @Option(name: .long, help: "Where the last page ended.")
    var cursor: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let conditions = [
            ("app", app), ("domain", domain), ("tag", tag), ("folder", folder), ("campaign", campaign),
            ("state", state), ("search", search), ("query", query), ("sort", sort), ("limit", limit),
        ]
        let first = cursor
        try await client.perform { api in
            var cursor = first
            while true {
                let target = "/api/v1/links" + PercentEncoding.query(conditions + [("cursor", cursor)])
                let page = try await api.json("GET", target)
                // The server limits the work per page, so a page may be empty before the end of the list.
                guard page["links"]?.array?.isEmpty == true, let next = page["cursor"]?.string else { return page }
                cursor = next
            }
        } text: { page in
            let table = Table(
                ["SMART LINK", "LEADS TO", "TITLE", "APP", "STATE", "CLICKS"],
                (page["links"]?.array ?? []).map { link in
                    [
                        link["smartlink"]?.string ?? "", Self.shortened(Self.destination(link)),
                        Self.shortened(link["title"]?.string ?? "-"), link["app"]?.string ?? "",
                        link["state"]?.string ?? "", Self.clicks(link),
                    ]
                }
            ).text
            return page["cursor"]?.string.map { "\(table)\n\nmore: --cursor \($0)" } ?? table
        }
    }

    /// The web URL, else the route with its parameters, else another platform's URL.
    static func destination(_ link: JSONValue) -> String {
        let urls = link["urls"]?.object?.members ?? []
        func text(_ value: JSONValue?) -> String? { value?.string ?? value?["link"]?.string }
        if let web = text(link["urls"]?["web"]) { return web }
        if let route = link["route"]?.string {
            let parameters = link["routeParameters"]
            return route.split(separator: "/", omittingEmptySubsequences: false).map { segment in
                guard segment.first == ":" else { return String(segment) }
                return parameters?[String(segment.dropFirst())]?.string ?? String(segment)
            }.joined(separator: "/")
        }
        return urls.lazy.compactMap { text($0.value) }.first ?? "-"
    }

    /// Clicks of another service are listed apart.
    static func clicks(_ link: JSONValue) -> String {
        let own = link["clicks"]?.integer ?? 0
        guard let imported = link["importedClicks"]?.integer, imported > 0 else { return "\(own)" }
        return "\(own) (+\(imported) imported)"
    }

    private static func shortened(_ text: String) -> String {
        text.count <= 60 ? text : text.prefix(59) + "…"
    }
}
