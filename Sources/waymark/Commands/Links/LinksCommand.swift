import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark links`: creates, shows, lists, changes, resolves and deletes smart links.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Create, show, list, change, resolve, delete, import, verify and export smart links.",
        subcommands: [
            LinksCreate.self, Show.self, LinksList.self, LinksUpdate.self, LinksEnable.self, LinksDisable.self,
            LinksRename.self, Resolve.self, LinksEvents.self, Delete.self, LinksImport.self, LinksVerify.self,
            LinksExport.self,
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

    /// - Throws: `CommandFailure` for a slug alone.
    static func withDomain(_ text: String) throws -> LinkReference {
        let reference = try LinkReference(text)
        guard !reference.isSlugAlone else {
            throw CommandFailure.usage("\"\(text)\" has no domain; give the link's URL or DOMAIN/SLUG")
        }
        return reference
    }

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
