import ArgumentParser
import Foundation
import WaymarkJSON

/// Where a command runs: on a running server with `--url` or a profile, otherwise on the configured database: directly, or through
/// the server that has it open.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A running server, such as http://127.0.0.1:8080; without it the database is used, also beside its server on this machine. [WAYMARK_URL]",
            valueName: "url"))
    var url: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The API key for it; better given in the environment, where other users can't see it. [WAYMARK_KEY]",
            valueName: "key"))
    var key: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A server and key that waymark login stored. [WAYMARK_PROFILE]", valueName: "name"))
    var profile: String?

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

    /// The key that was given for the API, other than the server's own admin key.
    var givenKey: String? { key ?? ProcessInfo.processInfo.environment["WAYMARK_KEY"] }

    /// What a command does to the data.
    enum Effect: Sendable {
        case isOrdinary
        /// It takes something away, so it says on which server, unless that was typed.
        case isDestructive
    }

    /// The server that the command runs on; nil: on the database.
    func remote() throws -> RemoteAPI? { try choice()?.api() }

    /// The same without the profile that is used because none is named.
    func named() throws -> RemoteAPI? {
        let choice = try choice()
        let isNamed = profile != nil || ProcessInfo.processInfo.environment["WAYMARK_PROFILE"] != nil
        return !isNamed && choice?.origin == .profile(ServerProfile.usual) ? nil : try choice?.api()
    }

    /// The server that was named, or logged in to.
    func choice() throws -> ServerChoice? {
        try ServerChoice(
            url: url, key: key, profile: profile, isDatabaseNamed: config != nil || database != nil,
            environment: ProcessInfo.processInfo.environment)
    }

    /// The server that the command runs on: the named one, or the one that has the database open.
    func server() throws -> RemoteAPI? {
        if let remote = try remote() { return remote }
        return try OwnerSocket(try Configuration(config: config, database: database).database)?.server()
    }

    func open(_ missing: MissingDatabase) async throws -> any API {
        if let server = try server() { return server }
        return try await openDatabase(missing)
    }

    func openDatabase(_ missing: MissingDatabase) async throws -> LocalAPI {
        let environment = ProcessInfo.processInfo.environment
        let configuration = try Configuration(config: config, database: database)
        let isNew = configuration.database.isMissing
        if isNew, missing == .fails {
            throw CommandFailure.failed(
                "\(configuration.database.text) does not exist; name the database with --database, "
                    + "or a running server with --url")
        }
        try configuration.database.requireReadable()
        do {
            let api = try await LocalAPI(configuration)
            // Only if the database was not named explicitly: in the wrong folder, the default one is easily created
            // by mistake.
            if isNew, !isDatabaseNamed(environment) {
                StandardError.write("created the database \(configuration.database.text)")
            }
            return api
        } catch let failure as CommandFailure where configuration.database.isLocked {
            throw CommandFailure.failed(
                "\(failure.message) or command: try again once the other command has ended; if it is a server without a socket for commands, give its address with --url"
            )
        }
    }

    private func isDatabaseNamed(_ environment: [String: String]) -> Bool {
        database != nil || config != nil || environment["WAYMARK_DATABASE"] != nil
            || environment["WAYMARK_CONFIG"] != nil
    }

    /// Runs `body` with the API and prints its result as JSON or as text.
    func perform(
        _ effect: Effect = .isOrdinary, missingDatabase: MissingDatabase = .fails,
        _ body: (any API) async throws -> JSONValue, text: (JSONValue) -> String
    ) async throws {
        if effect == .isDestructive, let origin = try choice()?.announcement { StandardError.write(origin) }
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
