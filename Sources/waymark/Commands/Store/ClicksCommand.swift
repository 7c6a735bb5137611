import ArgumentParser
import Foundation
import WaymarkArchive
import WaymarkLinks
import WaymarkStores

/// `waymark clicks`
struct ClicksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clicks", abstract: "Click records.", subcommands: [ClicksExport.self])
}

/// `waymark clicks export`: click records for other programs.
struct ClicksExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write click records, a line for each, in the order of days (UTC), while the service runs.",
        discussion: """
            A line has the time, application, domain, slug (none for long links) and the fields of a click. Nothing in it \
            identifies visitors. Exit status: 0 done, 1 it failed, 2 wrong arguments, or a file that is there already; \
            no file is ever replaced.
            """)

    @Argument(help: ArgumentHelp("The new file; - is standard output.", valueName: "file"))
    var file = "-"

    @Option(name: .long, help: "The first day, such as 2026-11-01.")
    var from: String

    @Option(name: .long, help: "The last day.")
    var to: String

    @Option(name: .long, help: "jsonl or csv.")
    var format: String

    @Option(name: .long, help: "Only clicks on links of this application.")
    var app: String?

    @OptionGroup var options: StoreOptions

    mutating func run() throws {
        try CommandFailure.check(format, of: "--format", ClickLines.Format.allCases.map(\.rawValue))
        let (first, last) = (try Self.day(from, of: "--from"), try Self.day(to, of: "--to"))
        guard first <= last else { throw CommandFailure.usage("--to: \(to) is before \(from)") }
        let application = try app.map { text in
            guard let id = ApplicationID(text) else { throw CommandFailure.usage("--app: \"\(text)\" is no id") }
            return id
        }
        let configuration = try options.configuration()
        let archive = try configuration.database.archive(.reading)
        defer { archive.close() }
        try reportingFailures(of: configuration.database.text) {
            try archive.beginReading()
            if let application, try !archive.applications().contains(where: { $0.id == application }) {
                throw CommandFailure.usage("--app: there is no application \"\(application.text)\"")
            }
            var lines = ClickLines(ClickLines.Format(rawValue: format) ?? .jsonl, of: application)
            if file == "-" {
                let output = LineOutput(.standardOutput, name: "standard output")
                try lines.run(archive, days: first...last) { try output.write($0) }
                try output.flush()
            } else {
                try write(&lines) { lines, output in
                    try lines.run(archive, days: first...last) { try output.write($0) }
                }
            }
            guard lines.unreadable == 0 else {
                throw CommandFailure.failed(
                    "\(lines.unreadable) blocks of clicks can't be read, and are left out; waymark check names them")
            }
        }
    }

    private func write(_ lines: inout ClickLines, _ body: (inout ClickLines, LineOutput) throws -> Void) throws {
        let target = try NewFile(file)
        try target.make()
        do {
            guard let handle = FileHandle(forWritingAtPath: target.partial) else { throw target.refusal(EACCES) }
            let output = LineOutput(handle, name: file)
            try body(&lines, output)
            try output.flush()
            try handle.close()
            try target.finish()
        } catch {
            target.removePartial()
            throw error
        }
    }

    private static func day(_ text: String, of option: String) throws -> Int {
        guard text.utf8.count == 10, let time = Timestamp(rfc3339: text + "T00:00:00Z") else {
            throw CommandFailure.usage("\(option): \"\(text)\" is no day; give one such as 2026-11-01")
        }
        return time.day
    }
}
