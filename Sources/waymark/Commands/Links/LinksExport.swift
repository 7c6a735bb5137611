import ArgumentParser
import Foundation
import WaymarkBytes
import WaymarkImports
import WaymarkJSON

/// `waymark links export --format csv|shlink|jsonl`
struct LinksExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write links to standard output, for another service or a spreadsheet.",
        discussion: """
            waymark links export --format csv > links.csv
            csv is a spreadsheet without rules, shlink is CSV that Shlink imports, jsonl has everything but metadata. \
            `waymark links import --from waymark` reads csv and jsonl again. A whole database is copied with `waymark export`.
            """)

    @Option(name: .long, help: ArgumentHelp("csv, shlink or jsonl.", valueName: "format"))
    var format: String

    @Option(name: .long, help: "Only of this application.")
    var app: String?

    @Option(name: .long, help: "Only of this domain.")
    var domain: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        guard let form = LinkExportFormat(rawValue: format) else {
            throw CommandFailure.usage("--format: \"\(format)\" is not allowed; give csv, shlink or jsonl")
        }
        let api = try await client.open(.fails)
        do {
            try await write(form, from: api)
            await api.close()
        } catch {
            await api.close()
            throw error
        }
    }

    private func write(_ form: LinkExportFormat, from api: any API) async throws {
        var export = LinkExport(form)
        if export.needsColumns {
            try await forEachPage(of: api) { links in
                do {
                    for link in links { try export.learn(link) }
                } catch let error as SourceError {
                    throw CommandFailure.failed(error.description)
                }
            }
        }
        let output = try ReportFile("-", header: String(decoding: export.header(), as: UTF8.self))
        try await forEachPage(of: api) { links in
            try output.write { for link in links { export.append(link, to: &$0) } }
        }
        try output.close()
        if export.omitted > 0 {
            Exit.line("\(export.omitted.counted("link")) without a web URL left out; --format jsonl has them")
        }
    }

    private func forEachPage(of api: any API, _ body: ([JSONValue]) throws -> Void) async throws {
        var cursor: String?
        repeat {
            let page = try await api.json(
                "GET", "/api/v1/links" + PercentEncoding.query([("app", app), ("limit", "200"), ("cursor", cursor)]))
            try body((page["links"]?.array ?? []).filter { domain == nil || $0["domain"]?.string == domain })
            cursor = page["cursor"]?.string
        } while cursor != nil
    }
}
