import ArgumentParser
import Foundation
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSockets

/// `waymark test PATH`: exits with 0 if all tests pass, 1 if one fails, 2 if they can't all be decided.
struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Test where the links of files lead.",
        discussion: """
            Each link's "expect" says what a visitor gets. The answer is that of a visit, asked of this program with the \
            files alone, or with --url of a server and the links that it has. Exit status: 0 if all tests pass, 1 if one \
            fails, 2 if they can't all be decided.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, junit, sarif
    }

    @Argument(help: ArgumentHelp("A folder of JSON files, or one file.", valueName: "path"))
    var path: String

    @Option(name: .long, help: "text, json, junit or sarif.")
    var format = Format.text

    @Option(
        name: .long,
        help: ArgumentHelp("Ask this server and its links. [default: this program, with the files]", valueName: "url"))
    var url: String?

    @Option(name: .long, help: ArgumentHelp("The API key for it. [WAYMARK_KEY]", valueName: "key"))
    var key: String?

    @Option(name: .long, help: ArgumentHelp("A server and key that waymark login stored.", valueName: "name"))
    var profile: String?

    mutating func run() async throws {
        let outcomes: [LinkTests.Outcome]
        do {
            outcomes = try await self.outcomes()
        } catch let failure as CommandFailure {
            // 1 is for tests that fail.
            throw CommandFailure.usage(failure.message)
        }
        print(LinkTestReport(outcomes).text(format))
        if outcomes.contains(where: { !$0.mismatches.isEmpty }) { throw ExitCode(1) }
    }

    private func outcomes() async throws -> [LinkTests.Outcome] {
        var files = try CodeFiles(at: path)
        if let server = try server() {
            try await files.complete(on: server)
            return try await LinkTests(api: server).outcomes(files)
        }
        let apps = files.appsByID
        try files.complete { apps[$0] }
        let database = try await LinkTests.database(with: files)
        do {
            let now = Timestamp(rawValue: WallClock.milliseconds())
            let outcomes = try await LinkTests(api: database, now: now).outcomes(files)
            await database.close()
            return outcomes
        } catch {
            await database.close()
            throw error
        }
    }

    /// Only one that is named: without, nothing is sent anywhere.
    private func server() throws -> RemoteAPI? {
        guard url != nil || profile != nil else { return nil }
        return try ServerChoice(
            url: url, key: key, profile: profile, isDatabaseNamed: false,
            environment: ProcessInfo.processInfo.environment)?.api()
    }
}

extension CodeFiles {
    var appsByID: [String: Application] {
        Dictionary(uniqueKeysWithValues: apps.map { ($0.definition.application.id.text, $0.definition.application) })
    }
}
