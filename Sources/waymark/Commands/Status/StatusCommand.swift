import ArgumentParser
import Foundation
import WaymarkClient
import WaymarkJSON

/// `waymark status`: whether a running server is well, on one screen.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show on one screen whether a running server is well.",
        discussion: """
            Reads /readyz and /metrics, at the address of --url or else of the configuration's adminListen or listen. \
            Needs no key; with one, the links are counted too. Counts are since the start of the server. Exits 1 if the \
            server can't be reached or something needs action: it is not ready, a certificate from a file expires within \
            three days, one from an authority was not renewed in time, or the last reload was refused.
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The server; with adminListen, that address. [WAYMARK_URL; default: as configured]", valueName: "url"))
    var url: String?

    @Option(
        name: .long,
        help: ArgumentHelp("An API key, to count the links. [WAYMARK_KEY]", valueName: "key"))
    var key: String?

    @Option(name: .long, help: ArgumentHelp("The configuration file. [WAYMARK_CONFIG]", valueName: "file"))
    var config: String?

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    /// In seconds, for each request.
    private static let timeout = 10
    /// In bytes. `/metrics` has about 40 KB.
    private static let pageLimit = 16 << 20

    mutating func run() async throws {
        let base = try base()
        let ready = try await page("/readyz", of: base)
        let metrics = try await page("/metrics", of: base)
        guard metrics.status == 200 else {
            throw CommandFailure.failed(
                "\(base)/metrics answers \(metrics.status): with adminListen, give --url that address")
        }
        let status = ServerStatus(
            MetricSamples(String(decoding: metrics.body, as: UTF8.self)), isReady: ready.status == 200,
            links: try await links(at: base), now: Date().timeIntervalSince1970)
        if json {
            print(status.json.text(style: .pretty))
        } else {
            let rows = status.lines.map { [$0.isFailing ? "FAIL" : "ok", $0.part, $0.text] }
            print(Table(["waymark", status.version, base], rows).text)
        }
        if status.isFailing { throw ExitCode(CommandFailure.failed) }
    }

    private func base() throws -> String {
        if let given = url ?? ProcessInfo.processInfo.environment["WAYMARK_URL"] { return ServerURL.base(given) }
        guard let local = try Configuration(config: config).localURL else {
            throw CommandFailure.usage("the configuration has no address with a port; give --url")
        }
        return local
    }

    private func page(_ path: String, of base: String) async throws -> HTTPResponse {
        do {
            let answer = try await HTTPClient().response(
                to: HTTPRequest(base + path, timeout: Self.timeout, bodyLimit: Self.pageLimit))
            guard !answer.isCutOff else { throw CommandFailure.failed("\(base)\(path): the answer is too large") }
            return answer
        } catch let failure as HTTPFailure {
            if case .url = failure { throw CommandFailure.usage("--url: \(failure.sentence)") }
            throw CommandFailure.failed(failure.sentence(ofServer: base))
        }
    }

    /// How many links the key sees; nil without a key.
    private func links(at base: String) async throws -> String? {
        guard let key = key ?? ProcessInfo.processInfo.environment["WAYMARK_KEY"] else { return nil }
        let listing = try await RemoteAPI(url: base, key: key).json("GET", "/api/v1/links?limit=1&count=true")
        guard let total = listing["total"]?.integer else { return nil }
        let floor = listing["totalIsLowerBound"]?.bool == true ? "at least " : ""
        return floor + ServerStatus.counted(Double(total), "link")
    }
}
