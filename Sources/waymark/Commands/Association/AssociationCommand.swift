import ArgumentParser
import Foundation
import WaymarkAssociation
import WaymarkJSON

/// `waymark association`: checks association files and simulates URLs.
struct AssociationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "association",
        abstract: "Check association files, and ask what they do with a URL.",
        discussion: """
            Apple's file is apple-app-site-association, Android's is assetlinks.json. What is checked and how URLs are \
            matched is in docs/guide/association.md.
            """,
        subcommands: [AssociationLintCommand.self, AssociationSimulateCommand.self])
}

/// A local association file.
enum AssociationFile {
    /// - Parameter path: `-` for standard input.
    /// - Throws: `CommandFailure` with status 2 if it can't be read.
    static func bytes(_ path: String) throws -> [UInt8] {
        // Anything readable is accepted, including pipes and /dev/stdin, which `Data(contentsOf:)` does not support.
        let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let data = try? file?.readToEnd() else { return path == "-" ? [] : try JSONFile.bytes(path) }
        return Array(data)
    }
}

/// `waymark association simulate FILE URL`: exits with 0 if the URL opens an app, 1 if it stays in the browser, 2 if
/// there is no result.
struct AssociationSimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Say whether a URL opens an app, in which, and by which rule.",
        discussion: """
            Exit status: 0 it opens an app, 1 it stays in the browser, 2 file or URL are unusable, or take too long.
            """)

    @Argument(help: "The association file; - reads standard input.")
    var file: String

    @Argument(help: "The URL that a person follows.")
    var url: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only this app is installed: ABCDE12345.com.example.app, or an Android package. [default: all of the file]",
            valueName: "id"))
    var app: String?

    @Option(
        name: .long, help: ArgumentHelp("ios or android. [default: by the file]", valueName: "platform"))
    var platform: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "An entry of the app's entitlement, such as applinks:*.example.com; may be repeated.", valueName: "entry"))
    var domain: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How the person gets there: \(NavigationContext.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "context"))
    var context: String?

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    mutating func run() async throws {
        let platform = try Self.choice(platform, "--platform", AssociationSimulation.Platform.self)
        let context = try Self.choice(context, "--context", NavigationContext.self)
        let bytes = try AssociationFile.bytes(file)
        let outcome = AssociationSimulation.simulate(
            file: bytes, url: url, app: app, platform: platform, domains: domain, context: context)
        switch outcome {
        case .unusable(let reason):
            let isURL = AssociationURL.problem(of: url) != nil
            throw CommandFailure.usage(isURL ? reason : "\(file): \(reason)")
        case .answer(let answer):
            guard !answer.isUndecided else {
                throw CommandFailure.usage("\(file): \(answer.text) [\(LintRule.budgetExceeded.rawValue)]")
            }
            print(json ? String(decoding: answer.json(style: .pretty), as: UTF8.self) : answer.text)
            StandardOutput.flush()
            if !answer.opens { throw ExitCode(1) }
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String?, _ name: String, _: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure.usage("\(name): \"\(text)\" is not allowed; allowed are \(known)")
        }
        return choice
    }
}
