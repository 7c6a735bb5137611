import Foundation
import WaymarkJSON
import WaymarkTestSupport

/// A folder with a configuration file, an applications file and a database, in which servers and commands are run.
/// It is deleted with this object.
final class Installation: Sendable {
    static let adminKey = "wm_0123456789abcdefghijABCDEFGHIJ0123456789"

    private let temporary: TemporaryFolder

    var folder: URL { temporary.url }
    var configurationFile: URL { folder.appendingPathComponent("waymark.json") }
    var applicationsFile: URL { folder.appendingPathComponent("applications.json") }
    var databaseFile: URL { folder.appendingPathComponent("waymark.sqlite") }

    /// The key that the first start wrote, once it is whole.
    var firstAdminKey: String? {
        let file = folder.appendingPathComponent("first-admin-key")
        guard let text = try? String(contentsOf: file, encoding: .utf8), text.hasSuffix("\n") else { return nil }
        return String(text.dropLast())
    }

    /// - Parameter configuration: members that are added to the configuration file, or replace what stands there.
    init(applications: String = Shop.applications, configuration: JSONObject = JSONObject()) throws {
        temporary = try TemporaryFolder()
        try write(applications: applications)
        try write(configuration: configuration)
    }

    func write(applications: String) throws {
        try Data(applications.utf8).write(to: applicationsFile)
    }

    func write(configuration: JSONObject) throws {
        var members: JSONObject = [
            "listen": ["127.0.0.1:0"], "threads": 2, "database": "sqlite:waymark.sqlite",
            "applications": "applications.json",
            "public": JSONValue(Executable.package.appendingPathComponent("Public").path),
        ]
        for member in configuration.members { members[member.name] = member.value }
        try Data(JSONValue(members).bytes()).write(to: configurationFile)
    }

    /// Starts a server and waits until it is ready.
    ///
    /// - Parameter environment: what it gets; the admin key unless told otherwise.
    func start(
        _ arguments: [String] = [], environment: [String: String] = ["WAYMARK_ADMIN_KEY": adminKey],
        wrapper: [String] = []
    ) throws -> RunningServer {
        try RunningServer(serve(arguments, environment: environment, wrapper: wrapper), in: self)
    }

    /// Starts a server and waits for nothing.
    func serve(
        _ arguments: [String] = [], environment: [String: String] = ["WAYMARK_ADMIN_KEY": adminKey],
        wrapper: [String] = []
    ) throws -> Program {
        try Program(
            ["serve", "--config", configurationFile.path] + arguments, in: folder, environment: environment,
            wrapper: wrapper)
    }

    /// Runs a command to its end.
    func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> CommandRun {
        let program = try Program(arguments, in: folder, environment: environment, input: input)
        let end = try program.wait()
        return CommandRun(end: end, output: program.outputText, errors: program.errorText)
    }
}

/// A command that has ended.
struct CommandRun: CustomStringConvertible {
    let end: Program.End
    let output: String
    let errors: String

    var errorLines: [String] { errors.split(whereSeparator: \.isNewline).map(String.init) }
    /// The output as JSON; null where it is none.
    var json: JSONValue { (try? JSONValue(parsing: output)) ?? .null }

    var description: String { "\(end)\noutput: \(output)\nerrors: \(errors)" }
}
