import ArgumentParser
import Foundation
import WaymarkBytes
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// `waymark links export --format csv|shlink|jsonl`
struct LinksExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write links to standard output, for a spreadsheet or another service.",
        discussion: """
            waymark links export --format csv > links.csv
            Oldest first, without metadata. csv and jsonl are read by `waymark links import --from waymark`, shlink by \
            Shlink's importer. Exit status: 0 all links are written, 1 it failed or some links have no URL that Shlink \
            could redirect to, 2 wrong arguments.
            """)

    @Option(name: .long, help: ArgumentHelp("\(ExportFormat.names).", valueName: "format"))
    var format: String

    @Option(name: .long, help: "Only of this application.")
    var app: String?

    @Option(name: .long, help: ArgumentHelp("Only in this folder or below it.", valueName: "path"))
    var folder: String?

    @Option(name: .long, help: ArgumentHelp("Only on this domain.", valueName: "host"))
    var domain: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        guard let format = ExportFormat(rawValue: format) else {
            throw CommandFailure.usage("--format: \"\(format)\" is not allowed; give one of \(ExportFormat.names)")
        }
        let api = try await client.open(.fails)
        let omitted: Int
        do {
            omitted = try await write(format, from: api)
            await api.close()
        } catch {
            await api.close()
            throw error
        }
        guard omitted == 0 else {
            throw CommandFailure.failed(
                "\(omitted.counted("link")) without a web URL omitted: Shlink redirects to web URLs only")
        }
    }

    /// Returns how many links the format can't express.
    private func write(_ format: ExportFormat, from api: any API) async throws -> Int {
        StandardOutput.reportBrokenPipes()
        // The API lists the newest links first. Imported links are listed in the order of the import, so they are
        // written oldest first, which takes a file in between.
        let pages = try PageFile()
        var templates = WebTemplates(api)
        var omitted = 0
        var cursor: String?
        repeat {
            let conditions = [("app", app), ("folder", folder), ("limit", "200"), ("cursor", cursor)]
            let target = "/api/v1/links" + PercentEncoding.query(conditions)
            let page = try await api.json("GET", target)
            var lines: [[UInt8]] = []
            for link in page["links"]?.array ?? [] {
                guard domain == nil || link["domain"]?.string == domain?.asciiLowercased else { continue }
                let url = format == .shlink ? try await templates.webURL(of: link) : nil
                if let line = format.line(link, webURL: url) { lines.append(line) } else { omitted += 1 }
            }
            try pages.append(lines.reversed())
            let next = page["cursor"]?.string
            guard next != cursor else { break }
            cursor = next
        } while cursor != nil
        let output = LineOutput(.standardOutput, name: "standard output")
        if let header = format.header { try output.write(header) }
        try pages.forEachPageFromTheLast { try output.write($0) }
        try output.flush()
        return omitted
    }
}

/// Pages of lines in a temporary file without a name, read in reverse order.
private final class PageFile {
    private let handle: FileHandle
    private var sizes: [Int] = []

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forUpdatingAtPath: path)
        else { throw CommandFailure.failed("\(path): the temporary file can't be written; set TMPDIR") }
        try? FileManager.default.removeItem(atPath: path)
        self.handle = handle
    }

    func append(_ lines: some Sequence<[UInt8]>) throws {
        var bytes: [UInt8] = []
        for line in lines {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
            bytes += line
        }
        guard !bytes.isEmpty else { return }
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw CommandFailure.failed("the temporary file can't be written; free space, or set TMPDIR")
        }
        sizes.append(bytes.count)
    }

    /// The text of each page, without its last line end.
    func forEachPageFromTheLast(_ body: ([UInt8]) throws -> Void) throws {
        var end = sizes.reduce(0, +)
        for size in sizes.reversed() {
            end -= size
            let data: Data?
            do {
                try handle.seek(toOffset: UInt64(end))
                data = try handle.read(upToCount: size)
            } catch {
                throw CommandFailure.failed("the temporary file can't be read")
            }
            guard let data, data.count == size else { throw CommandFailure.failed("the temporary file can't be read") }
            try body(Array(data))
        }
    }
}

/// Where links by route lead on the web, by their applications' templates.
private struct WebTemplates {
    private let api: any API
    private var patterns: [String: [String: URLPattern]] = [:]

    init(_ api: any API) { self.api = api }

    mutating func webURL(of link: JSONValue) async throws -> String? {
        guard let route = link["route"]?.string, let app = link["app"]?.string else { return nil }
        if patterns[app] == nil {
            let document = try await api.json("GET", "/api/v1/apps/\(PercentEncoding.encode(app))")
            var found: [String: URLPattern] = [:]
            for template in document["templates"]?.array ?? [] {
                guard let route = template["route"]?.string else { continue }
                let web = template["urls"]?["web"]
                found[route] = (web?.string ?? web?["link"]?.string).flatMap { URLPattern($0) }
            }
            patterns[app] = found
        }
        guard let pattern = patterns[app]?[route] else { return nil }
        let members = link["routeParameters"]?.object?.members ?? []
        let url = pattern.fill(
            Dictionary(members.map { ($0.name, $0.value.string ?? $0.value.number?.text ?? "") }) { first, _ in first })
        let pairs = (link["queryParameters"]?.object?.members ?? []).map { ($0.name, $0.value.string) }
        let query = PercentEncoding.query(pairs)
        guard !query.isEmpty else { return url }
        return url.contains("?") ? url + "&" + query.dropFirst() : url + query
    }
}
