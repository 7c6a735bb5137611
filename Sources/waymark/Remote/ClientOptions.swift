import ArgumentParser
import Foundation
import WaymarkJSON

/// Where a command runs: on a running server with `--url`, otherwise directly on the configured database.
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

    /// What a command does if the database does not exist.
    enum MissingDatabase: Sendable {
        /// Fails without creating it: there is nothing to read or change.
        case fails
        /// Creates it.
        case isCreated
    }

    func open(_ missing: MissingDatabase) async throws -> any API {
        let environment = ProcessInfo.processInfo.environment
        if let url = url ?? environment["WAYMARK_URL"] {
            guard let key = key ?? environment["WAYMARK_KEY"] ?? environment["WAYMARK_ADMIN_KEY"] else {
                throw CommandFailure.usage("--url needs a key: give --key or WAYMARK_KEY")
            }
            return try RemoteAPI(url: url, key: key)
        }
        let configuration = try Configuration(config: config, database: database)
        let isNew = configuration.database.isMissing
        if isNew, missing == .fails {
            throw CommandFailure.failed(
                "\(configuration.database.text) does not exist; name the database with --database, "
                    + "or a running server with --url")
        }
        do {
            let api = try await LocalAPI(configuration)
            // Only if the database was not named explicitly: in the wrong folder, the default one is easily created
            // by mistake.
            if isNew, !isDatabaseNamed(environment) {
                Exit.line("created the database \(configuration.database.text)")
            }
            return api
        } catch let failure as CommandFailure where configuration.database.isLocked {
            throw CommandFailure.failed("\(failure.message); send the command to that server with --url")
        }
    }

    private func isDatabaseNamed(_ environment: [String: String]) -> Bool {
        database != nil || config != nil || environment["WAYMARK_DATABASE"] != nil
            || environment["WAYMARK_CONFIG"] != nil
    }

    /// Runs `body` with the API and prints its result as JSON or as text.
    func perform(
        missingDatabase: MissingDatabase = .fails, _ body: (any API) async throws -> JSONValue,
        text: (JSONValue) -> String
    ) async throws {
        let api = try await open(missingDatabase)
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
