import ArgumentParser
import Foundation
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

/// Where a command runs: on a running server with `--url`, otherwise on the configured database: directly, or through the server
/// that has it open.
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

    /// The server that the command runs on; nil: on the database.
    func remote() throws -> RemoteAPI? {
        let environment = ProcessInfo.processInfo.environment
        guard let url = url ?? environment["WAYMARK_URL"] else { return nil }
        guard let key = givenKey ?? environment["WAYMARK_ADMIN_KEY"] else {
            throw CommandFailure.usage("--url needs a key: give --key or WAYMARK_KEY")
        }
        return try RemoteAPI(url: url, key: key)
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
                "\(failure.message), which has no socket for commands, or starts or stops at the moment: try again, or send the command to it with --url"
            )
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

/// A running server, by URL and key, or by the socket beside its database. The key is only sent to that server: no redirect is
/// followed.
struct RemoteAPI: API {
    /// The URL without a slash at its end.
    let base: String
    /// Nil: the socket is enough.
    let key: String?
    /// Nil: it is reached by its URL.
    private let socket: OwnerSocket?
    private let client: HTTPClient

    /// The detail of a path without a route, and of operators' paths where `adminListen` hides them.
    private static let nowhere = "No route leads here."

    init(_ socket: OwnerSocket) {
        base = "http://localhost"
        key = nil
        self.socket = socket
        client = socket.client
    }

    init(url: String, key: String) throws {
        let base = ServerURL.base(url)
        guard let parsed = URL(string: base), let scheme = parsed.scheme, ["http", "https"].contains(scheme),
            parsed.host() != nil
        else { throw CommandFailure.usage("--url: \"\(url)\" is not allowed; give an http or https URL") }
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure.usage("--key: a key has visible ASCII characters only")
        }
        self.base = base
        self.key = key
        socket = nil
        client = HTTPClient()
    }

    func send(_ request: APIRequest) async throws -> HTTPResponse {
        var message = message(request.method, request.target, fields: request.fields)
        message.body = request.body
        if request.body != nil { message.fields.append(("Content-Type", request.contentType)) }
        return try await response(to: message)
    }

    /// Posts a body that is read while it is sent.
    func upload(_ target: String, contentType: String, _ stream: HTTPRequest.BodyStream) async throws -> HTTPResponse {
        var message = message("POST", target, fields: [("Content-Type", contentType)])
        message.stream = stream
        return try await response(to: message)
    }

    private func message(
        _ method: String, _ target: String, fields: [(name: String, value: String)]
    ) -> HTTPRequest {
        HTTPRequest(base + target, method: method, fields: fields, timeout: 30, bodyLimit: 256 << 20)
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        var message = request
        message.fields.append(("Accept", "application/json"))
        if let key { message.fields.append(("Authorization", "Bearer \(key)")) }
        do {
            let response = try await client.response(to: message)
            guard !response.isCutOff else { throw CommandFailure.failed("\(base): the answer is too large") }
            guard !(300..<400).contains(response.status) else {
                let location = response["Location"].map { " to \($0)" } ?? ""
                throw CommandFailure.usage(
                    "\(base) redirects\(location); give --url the server itself: the key is sent to no other")
            }
            // Commands only call paths that every server has.
            guard response.status != 404 || socket != nil || APIFailure.sentence(response) != Self.nowhere else {
                throw CommandFailure.failed(
                    "\(base) has no operator API, because the server has adminListen; give --url that address")
            }
            return response
        } catch let failure as HTTPFailure {
            switch failure {
            case .body(let error): throw error
            case _ where socket != nil:
                throw CommandFailure.failed("the server at \(socket?.path ?? ""): \(failure.sentence)")
            case .unreadable, .connection(.broken, _): throw CommandFailure.usage("\(base): \(failure.sentence)")
            default: throw CommandFailure.failed(failure.sentence(ofServer: base))
            }
        }
    }

    func close() async {}
}
