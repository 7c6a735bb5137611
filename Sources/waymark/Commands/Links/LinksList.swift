import ArgumentParser
import WaymarkBytes
import WaymarkJSON
import WaymarkStores

/// `waymark links list`: a page of links, as a table.
struct LinksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List links, newest first.")

    @OptionGroup var filter: LinkFilterOptions

    @Option(name: .long, help: "-createdAt, createdAt, -clicks or expiresAt. [default: -createdAt]")
    var sort: String?

    @Option(name: .long, help: "How many at most, 1 to 200.")
    var limit: String?

    @Option(name: .long, help: "Where the last page ended.")
    var cursor: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        try CommandFailure.check(sort, of: "--sort", LinkSort.allCases.map(\.rawValue))
        let conditions = try filter.conditions() + [("sort", sort), ("limit", limit)]
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
                ["SMART LINK", "LEADS TO", "TITLE", "APP", "STATE", "CLICKS", "TAGS"],
                (page["links"]?.array ?? []).map { link in
                    [
                        link["smartlink"]?.string ?? "", Self.shortened(Self.destination(link)),
                        Self.shortened(link["title"]?.string ?? "-"), link["app"]?.string ?? "",
                        link["state"]?.string ?? "", Self.clicks(link), Self.tags(link),
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

    private static func tags(_ link: JSONValue) -> String {
        shortened((link["tags"]?.array ?? []).compactMap(\.string).joined(separator: ", "))
    }

    private static func shortened(_ text: String) -> String {
        text.count <= 60 ? text : text.prefix(59) + "…"
    }
}
