import ArgumentParser
import WaymarkJSON

/// `waymark links`: creates, shows, lists, changes, resolves and deletes smart links.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Create, show, list, change, resolve, delete, import, verify and export smart links.",
        subcommands: [
            LinksCreate.self, Show.self, LinksList.self, LinksUpdate.self, LinksEnable.self, LinksDisable.self,
            LinksRename.self, LinksTag.self, LinksUntag.self, LinksQR.self, LinksClicks.self, LinksEvents.self,
            LinksRehearse.self, LinksHistory.self, LinksRestore.self, Resolve.self, Delete.self, LinksImport.self,
            LinksVerify.self,
            LinksExport.self,
        ])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a link.")

        @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
        var link: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let reference = try LinkReference(link)
            try await client.perform {
                try await $0.link("GET", reference)
            } text: {
                $0.text(style: .pretty)
            }
        }
    }

    struct Resolve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resolve a link as an app does; takes a redeem where there is one to take.")

        @Argument(help: "The link: its URL, as it is opened, DOMAIN/SLUG or SLUG.")
        var smartlink: String

        @Option(name: .long, help: "iphone, ipad, ios, android, macos, windows, linux or web. [default: web]")
        var platform: String?

        @Flag(name: .long, help: "Take no redeem; the metadata stays where it is.")
        var noRedeem = false

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            var body = JSONObject()
            if let platform { body["platform"] = JSONValue(platform) }
            if noRedeem { body["redeem"] = false }
            let (members, typed) = (body, smartlink)
            try await client.perform { api in
                var request = members
                request["smartlink"] = JSONValue(try await api.smartlink(typed))
                return try await api.json("POST", "/api/v1/resolve", JSONValue(request))
            } text: {
                $0.text(style: .pretty)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a link.")

        @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
        var link: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let reference = try LinkReference(link)
            let shown = link
            try await client.perform(.isDestructive) {
                try await $0.link("DELETE", reference)
            } text: { _ in
                "deleted \(shown)"
            }
        }
    }
}
