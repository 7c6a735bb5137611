import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark links`: creates, shows, lists, resolves and deletes smart links.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links", abstract: "Create, show, list, resolve, delete, import, verify and export smart links.",
        subcommands: [
            LinksCreate.self, Show.self, List.self, Resolve.self, LinksEvents.self, Delete.self,
            LinksImport.self, LinksVerify.self, LinksExport.self,
        ])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a link.")

        @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
        var link: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let target = try LinkReference(link).target
            try await client.perform {
                try await $0.json("GET", target)
            } text: {
                $0.text(style: .pretty)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List links, newest first.")

        @Option(name: .long, help: "Only of this application.")
        var app: String?

        @Option(name: .long, help: "Only with this tag.")
        var tag: String?

        @Option(name: .long, help: "Only with this text in slug, title, note, route or destination.")
        var query: String?

        @Option(name: .long, help: "How many at most, 1 to 200.")
        var limit: String?

        @Option(name: .long, help: "Where the last page ended.")
        var cursor: String?

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let (app, tag, query, limit, first) = (app, tag, query, limit, cursor)
            try await client.perform { api in
                var cursor = first
                while true {
                    let target =
                        "/api/v1/links"
                        + PercentEncoding.query([
                            ("app", app), ("tag", tag), ("query", query), ("limit", limit), ("cursor", cursor),
                        ])
                    let page = try await api.json("GET", target)
                    // The server limits the work per page, so a page may be empty before the end of the list.
                    guard page["links"]?.array?.isEmpty == true, let next = page["cursor"]?.string else { return page }
                    cursor = next
                }
            } text: { page in
                let table = Table(
                    ["SMART LINK", "APP", "ROUTE", "STATE", "CLICKS"],
                    (page["links"]?.array ?? []).map { link in
                        [
                            link["smartlink"]?.string ?? "", link["app"]?.string ?? "",
                            link["route"]?.string ?? "-", link["state"]?.string ?? "",
                            link["clicks"]?.integer.map(String.init) ?? "",
                        ]
                    }
                ).text
                return page["cursor"]?.string.map { "\(table)\n\nmore: --cursor \($0)" } ?? table
            }
        }
    }

    struct Resolve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resolve a link as an app does; takes a redeem where there is one to take.")

        @Argument(help: "The smart link's URL.")
        var smartlink: String

        @Option(name: .long, help: "iphone, ipad, ios, android, macos, windows, linux or web. [default: web]")
        var platform: String?

        @Flag(name: .long, help: "Take no redeem; the metadata stays where it is.")
        var noRedeem = false

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            var body: JSONObject = ["smartlink": JSONValue(smartlink)]
            if let platform { body["platform"] = JSONValue(platform) }
            if noRedeem { body["redeem"] = false }
            let request = JSONValue(body)
            try await client.perform {
                try await $0.json("POST", "/api/v1/resolve", request)
            } text: {
                $0.text(style: .pretty)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a link.")

        @Argument(help: "The link: its URL, or DOMAIN/SLUG.")
        var link: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let reference = try LinkReference(link)
            let shown = link
            try await client.perform {
                try await $0.json("DELETE", reference.target)
            } text: { _ in
                "deleted \(shown)"
            }
        }
    }
}

/// A link as entered by a user: `https://go.example.com/Ab3dE9x`, `go.example.com/Ab3dE9x` or `Ab3dE9x`.
struct LinkReference {
    /// The link's path in the API.
    let target: String
    /// Whether it is only a slug; the API has no other routes for those.
    let isSlugAlone: Bool

    init(_ text: String) throws {
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        // The domain, then the slug, which may contain slashes.
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isHost = rest.startIndex != text.startIndex || Self.looksLikeHost(parts[0])
        guard parts.allSatisfy({ !$0.isEmpty }), isHost || parts.count == 1 || !parts[1].contains("/") else {
            throw CommandFailure.usage("\"\(text)\" is no link; give its URL, DOMAIN/SLUG or SLUG")
        }
        isSlugAlone = parts.count == 1
        target = "/api/v1/links/" + parts.map { PercentEncoding.encode($0) }.joined(separator: "/")
    }

    private static func looksLikeHost(_ text: String) -> Bool {
        text == "localhost" || text.contains { ".:".contains($0) }
    }
}
