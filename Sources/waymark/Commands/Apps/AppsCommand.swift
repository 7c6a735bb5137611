import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark apps`: makes applications, applies them from a file, lists and shows them.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "Make, apply, list and show applications.",
        subcommands: [Init.self, Apply.self, List.self, Show.self])

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create or replace applications from a file: one object, or an array of them.")

        @Argument(help: "The JSON file.")
        var file: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let root = try JSONFile.read(file).root
            let path = file
            let applications = root.array ?? [root]
            for application in applications where application["id"]?.string == nil {
                throw CommandFailure.usage("\(path): each application must be an object with an \"id\"")
            }
            try await client.perform(missingDatabase: .isCreated) { api in
                var applied: [JSONValue] = []
                for application in applications {
                    let id = application["id"]?.string ?? ""
                    applied.append(
                        try await api.json("PUT", "/api/v1/apps/\(PercentEncoding.encode(id))", application))
                }
                return JSONValue(["apps": JSONValue(applied)] as JSONObject)
            } text: {
                ($0["apps"]?.array ?? []).compactMap { $0["id"]?.string }.map { "applied \($0)" }
                    .joined(separator: "\n")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the applications.")

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            try await client.perform {
                try await $0.json("GET", "/api/v1/apps")
            } text: {
                Table(
                    ["ID", "NAME", "DOMAINS"],
                    ($0["apps"]?.array ?? []).map { app in
                        let domains = (app["domains"]?.array ?? []).compactMap(\.string)
                        return [
                            app["id"]?.string ?? "", app["name"]?.string ?? "",
                            domains.isEmpty ? "every host" : domains.joined(separator: ","),
                        ]
                    }
                ).text
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show an application's JSON.")

        @Argument(help: "The application's id.")
        var id: String

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let id = id
            try await client.perform {
                try await $0.json("GET", "/api/v1/apps/\(PercentEncoding.encode(id))")
            } text: {
                $0.text(style: .pretty)
            }
        }
    }
}
