import ArgumentParser
import Foundation
import WaymarkJSON

/// Where a command does its work: at a running server with `--url`, else straight at the database that the
/// configuration names.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A running server, such as http://127.0.0.1:8080; without it the database is opened. [WAYMARK_URL]",
            valueName: "url"))
    var url: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The API key for it; better given in the environment, where other users can't see it. [WAYMARK_KEY]",
            valueName: "key"))
    var key: String?

    @Option(name: .long, help: ArgumentHelp("The configuration file. [WAYMARK_CONFIG]", valueName: "file"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("The database. [WAYMARK_DATABASE]", valueName: "url"))
    var database: String?

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    func open() async throws -> any API {
        let environment = ProcessInfo.processInfo.environment
        if let url = url ?? environment["WAYMARK_URL"] {
            guard let key = key ?? environment["WAYMARK_KEY"] ?? environment["WAYMARK_ADMIN_KEY"] else {
                throw CommandFailure.usage("--url needs a key: give --key or WAYMARK_KEY")
            }
            return try RemoteAPI(url: url, key: key)
        }
        var options = try ServeOptions.parse([])
        options.config = config
        options.database = database
        return try await LocalAPI(options.configuration(environment: environment))
    }

    /// Runs `body` with the interface and prints what it gives: as JSON, or in `text`'s words.
    func perform(
        _ body: (any API) async throws -> JSONValue, text: (JSONValue) -> String
    ) async throws {
        let api = try await open()
        do {
            let value = try await body(api)
            await api.close()
            print(json ? value.text(style: .pretty) : text(value))
        } catch {
            await api.close()
            throw error
        }
    }
}
