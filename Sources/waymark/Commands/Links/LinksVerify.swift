import ArgumentParser
import Foundation
import WaymarkBytes
import WaymarkImports
import WaymarkLinks

/// `waymark links verify FILE… --from SOURCE --against https://HOST`
struct LinksVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compare where links lead with what another service's files say.",
        discussion: """
            waymark links verify links.csv --from fdl --against https://go.example.com --resolve go.example.com=192.0.2.10
            Visits every link as iPhone, iPad, Android phone and desktop. Nothing is counted, and no redirect is followed. The \
            report is CSV: a header, and a line for each visit that leads elsewhere. Exit status: 0 where none does, 1 where \
            some do, 2 where nothing could be read or asked.
            """)

    @OptionGroup var options: ImportOptions

    @Option(name: .long, help: ArgumentHelp("The server that has the links now.", valueName: "url"))
    var against: String

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Where a host is, whatever DNS says; with a port, HOST=ADDRESS:PORT. May be repeated.",
            valueName: "host=address"))
    var resolve: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Where the report is written. [default: standard output]", valueName: "file.csv"))
    var report: String = "-"

    @Option(name: .long, help: ArgumentHelp("Connections at the same time, 1 to 64.", valueName: "n"))
    var connections: Int = 8

    /// Visits of one link address as one device.
    private struct Visit: Sendable {
        var row: Int
        var smartlink: String
        var path: String
        var device: VerifiedDevice
        var expected: ExpectedVisit
    }

    mutating func run() async throws {
        guard (1...64).contains(connections) else {
            throw CommandFailure.usage("--connections: \(connections) is not allowed; give 1 to 64")
        }
        let origin = try VisitOrigin(against, resolving: resolve)
        let progress = ReadingProgress()
        let source = try options.source(progress)
        let output = try ReportFile(report, header: VerifyReport.header)
        let bar = ProgressBar("visiting links", all: 0)
        let workers = (0..<connections).map { _ in VisitConnection(origin) }
        var (links, visits, differing, skipped) = (0, 0, 0, 0)
        do {
            while true {
                let rows = try await source.next()
                guard !rows.isEmpty else { break }
                let now = Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
                let asked = rows.flatMap { row -> [Visit] in
                    let found = Self.visits(row, origin, now)
                    if found.isEmpty { skipped += 1 }
                    return found
                }
                let responses = await Self.responses(to: asked, over: workers)
                try Self.stopIfNothingWorks(responses, isFirst: visits == 0)
                let differences = zip(asked, responses).compactMap(Self.difference)
                try output.write { VerifyReport.append(differences, to: &$0) }
                links += rows.count
                visits += asked.count
                differing += differences.count
                bar.show(links, of: progress.rows(from: links))
            }
        } catch let error as SourceError {
            bar.end()
            try output.close()
            throw links == 0 ? CommandFailure.usage(error.description) : CommandFailure.failed(error.description)
        }
        bar.end()
        try output.close()
        guard links > 0 else { throw CommandFailure.usage("the source has no links") }
        Exit.line(
            "\(links.counted("link")), \(visits.counted("visit")): \(differing) differ"
                + (skipped > 0 ? "; \(skipped.counted("row")) without a slug not visited" : ""))
        if differing > 0 { throw ExitCode(CommandFailure.failed) }
    }

    private static func visits(_ row: SourceRow, _ origin: VisitOrigin, _ now: Timestamp) -> [Visit] {
        let expected = VerifiedDevice.allCases.map { ($0, row.link.expectedVisit($0, now: now)) }
        return ([row.link.address] + row.link.aliases).filter { !$0.slug.isEmpty }.flatMap { address in
            // A slug may be text or, out of a URL, encoded already.
            let path = "/" + PercentEncoding.encode(address.slug, allowed: .url)
            let smartlink = "\(origin.isSecure ? "https" : "http")://\(origin.authority)\(path)"
            return expected.map {
                Visit(row: row.number, smartlink: smartlink, path: path, device: $0, expected: $1)
            }
        }
    }

    /// In the order of the visits.
    private static func responses(
        to visits: [Visit], over workers: [VisitConnection]
    ) async -> [VisitConnection.Response] {
        let share = max(1, (visits.count + workers.count - 1) / workers.count)
        return await withTaskGroup(of: (Int, [VisitConnection.Response]).self) { group in
            for (number, worker) in workers.enumerated() {
                let part = visits.dropFirst(number * share).prefix(share).map {
                    VisitConnection.Request(path: $0.path, userAgent: $0.device.userAgent)
                }
                guard !part.isEmpty else { break }
                group.addTask { (number, await respond(to: part, over: worker)) }
            }
            var parts: [Int: [VisitConnection.Response]] = [:]
            for await (number, responses) in group { parts[number] = responses }
            return parts.sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }

    private static func respond(
        to requests: [VisitConnection.Request], over worker: VisitConnection
    ) async -> [VisitConnection.Response] {
        await withCheckedContinuation { continuation in
            // Blocks on the network, which threads of the concurrency pool must not.
            Thread.detachNewThread {
                SignalMask.blockPipe()
                continuation.resume(returning: worker.visit(requests))
            }
        }
    }

    /// - Throws: `CommandFailure` if no visit got a response.
    private static func stopIfNothingWorks(_ responses: [VisitConnection.Response], isFirst: Bool) throws {
        guard case .failed(let reason)? = responses.first,
            responses.allSatisfy({ if case .failed = $0 { true } else { false } })
        else { return }
        throw isFirst ? CommandFailure.usage("--against: \(reason)") : CommandFailure.failed(reason)
    }

    private static func difference(_ visit: Visit, _ response: VisitConnection.Response) -> VisitDifference? {
        let text: String
        switch response {
        case .found(let found):
            guard !visit.expected.accepts(found) else { return nil }
            text = found.text
        case .failed(let reason): text = reason
        }
        return VisitDifference(
            row: visit.row, smartlink: visit.smartlink, device: visit.device, expected: visit.expected.text, found: text
        )
    }
}
