import Foundation
import Testing
import WaymarkJSON

/// Where a command does its work.
enum CommandLocation: String, CaseIterable, CustomTestStringConvertible {
    case server, database

    var testDescription: String { rawValue }
}

/// An installation whose database holds the shop, and how a command is run there.
struct Desk {
    let installation: Installation
    let server: RunningServer?

    /// - Parameter hasDatabase: whether the file exists, for commands that don't create it.
    init(_ location: CommandLocation, hasDatabase: Bool = false) throws {
        installation = try Installation(configuration: ["applications": nil])
        server = location == .server ? try installation.start() : nil
        if hasDatabase, server == nil { try installation.start().stop() }
    }

    func run(_ arguments: String..., input: String? = nil) throws -> CommandRun { try run(arguments, input: input) }

    func run(_ arguments: [String], input: String? = nil) throws -> CommandRun {
        if let server {
            return try installation.run(
                arguments + ["--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey],
                input: input)
        }
        return try installation.run(
            arguments + ["--config", installation.configurationFile.path], input: input)
    }

    /// The same, where the command must succeed and print JSON.
    func json(_ arguments: String...) throws -> JSONValue {
        let all = arguments + ["--json"]
        let run =
            if let server {
                try installation.run(
                    all + ["--url", "http://127.0.0.1:\(server.port)"],
                    environment: ["WAYMARK_KEY": Installation.adminKey])
            } else {
                try installation.run(all + ["--config", installation.configurationFile.path])
            }
        #expect(run.end == .exit(0), "\(run)")
        #expect(run.errors.isEmpty, "\(run)")
        return run.json
    }
}
