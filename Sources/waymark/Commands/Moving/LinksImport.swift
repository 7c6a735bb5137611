import ArgumentParser
import Foundation
import WaymarkAPI
import WaymarkImports
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkStores

/// `waymark links import --from SOURCE FILE…`
struct LinksImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import the links of another service.",
        discussion: """
            waymark links import --from fdl links.csv --app shop --dry-run --report report.csv
            Every row ends as created, same (already exists, identical), clash (the slug is taken by another link) or refused. The \
            same command can run again, also after it was interrupted. Exit status: 0 where every row is created or same, 1 \
            where some are not, 2 where the source could not be read to its end.
            """)

    @OptionGroup var options: ImportOptions

    @Option(name: .long, help: "The application that gets the links; may be left out where there is only one.")
    var app: String?

    @Option(
        name: .long,
        help: "For links on domains that the application does not have, and for links that name none; others stay."
    )
    var domain: String?

    @Flag(name: .long, help: "Say what would happen, and change nothing.")
    var dryRun = false

    @Option(name: .long, help: ArgumentHelp("Where each row's outcome is written, as CSV.", valueName: "file.csv"))
    var report: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let summary = try await imported()
        print(client.json ? summary.json.text(style: .pretty) : summary.text(isDryRun: dryRun))
        if !summary.counts.isComplete { throw ExitCode(CommandFailure.failed) }
    }

    private func imported() async throws -> ImportSummary {
        if let remote = try client.server() {
            return try await RemoteImport(
                api: remote, options: options, app: app, domain: domain, isDryRun: dryRun, report: report
            ).run()
        }
        let progress = ReadingProgress()
        let source = try await options.source(progress)
        let local = try await client.openDatabase(dryRun ? .fails : .isCreated)
        do {
            let summary = try await run(source, into: local, progress)
            await local.close()
            return summary
        } catch {
            await local.close()
            throw error
        }
    }

    private func run(
        _ source: any LinkSource, into local: LocalAPI, _ progress: ReadingProgress
    ) async throws -> ImportSummary {
        let destination: ImportDestination
        do {
            destination = try ImportDestination(app: app, domain: domain, in: local.service)
        } catch let error as SourceError {
            throw CommandFailure.usage("--\(error.description)")
        }
        let work = LinkImport(into: ServiceImportTarget(local.service), destination.preparation, isDryRun: dryRun)
        let output = try report.map { try ReportFile($0, header: ImportReport.header) }
        let bar = ProgressBar(dryRun ? "checking links" : "importing links", all: 0)
        let service = try options.service
        let again = options.canBeReadAgain ? { try await options.source(ReadingProgress()) } : nil
        func notes() -> [String] {
            let onePass = "standard input was read once: links of other domains got slugs in the order of the rows"
            return source.notes + destination.preparation.notes(about: service)
                + (again == nil && domain != nil ? [onePass] : [])
        }
        var rows = 0
        do {
            let counts = try await work.run(
                from: source, again: again,
                report: { results in
                    rows += results.count
                    try output?.write { ImportReport.append(results, to: &$0) }
                    bar.show(rows, of: progress.rows(from: rows))
                })
            bar.end()
            try output?.write { ImportReport.append(notes: notes(), to: &$0) }
            try output?.close()
            return ImportSummary(counts: ImportResponse.Counts(counts), notes: notes())
        } catch let error as SourceError {
            bar.end()
            try output?.write { ImportReport.append(notes: notes(), to: &$0) }
            try output?.close()
            throw CommandFailure.usage(error.description)
        } catch let error as StoreError {
            throw CommandFailure(error)
        }
    }
}

/// The report of a command, as CSV. The same command replaces what it wrote before.
final class ReportFile {
    private let path: String
    private let handle: FileHandle
    private var buffer: [UInt8]

    init(_ path: String, header: String) throws {
        self.path = path
        buffer = Array(header.utf8)
        guard path != "-" else {
            handle = .standardOutput
            return
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure.usage("--report: \(path) can't be written") }
        self.handle = handle
    }

    func write(_ append: (inout [UInt8]) -> Void) throws {
        append(&buffer)
        if buffer.count > 1 << 20 { try flush() }
    }

    func close() throws {
        try flush()
        if path != "-" { try? handle.close() }
    }

    private func flush() throws {
        do {
            try handle.write(contentsOf: Data(buffer).forTerminal(handle))
        } catch {
            throw CommandFailure.failed("\(path): the report can't be written")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
