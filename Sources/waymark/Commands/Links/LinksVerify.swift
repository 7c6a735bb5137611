import ArgumentParser
import Foundation
import WaymarkImports
import WaymarkLinks

/// `waymark links verify FILE… --from SOURCE --against https://HOST`
struct LinksVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Visit the links of another service on a server, and report differences.",
        discussion: """
            waymark links verify links.csv --from fdl --against https://go.example.com --resolve go.example.com=192.0.2.7
            Every link is visited as iPhone, iPad, Android and desktop; the visits count as prefetches, so no click is \
            recorded. The report has a line for each visit that leads elsewhere than the source says. Exit status: 0 no \
            difference, 1 some, 2 nothing could be read or visited.
            """)

    @OptionGroup var options: ImportOptions

    @Option(name: .long, help: ArgumentHelp("The server, such as https://go.example.com.", valueName: "url"))
    var against: String

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("Connect to this address, such as before DNS is changed.", valueName: "host=address"))
    var resolve: [String] = []

    @Option(name: .long, help: "How many connections, 1 to 64.")
    var connections = 4

    @Option(
        name: .long,
        help: ArgumentHelp("Where differences are written, as CSV. [default: standard output]", valueName: "file.csv"))
    var report: String?

    mutating func run() async throws {
        guard (1...64).contains(connections) else {
            throw CommandFailure.usage("--connections: must be 1 to 64")
        }
        let server = try VisitServer(against: against, resolve: resolve)
        let progress = ReadingProgress()
        let source = try await options.source(progress)
        Exit.reportBrokenPipes()
        let output = try ReportFile(report ?? "-", header: VisitDifference.header)
        let crowd = VisitCrowd(server, connections: connections)
        let bar = ProgressBar("visiting links", all: 0)
        var (rows, visits, differences) = (0, 0, 0)
        var (isAnswered, failure) = (false, String?.none)
        do {
            while true {
                let batch = try await source.next()
                guard !batch.isEmpty else { break }
                for found in batch.compactMap(\.missingSlug) {
                    differences += 1
                    try output.write { found.append(to: &$0) }
                }
                let planned = batch.flatMap(\.visits)
                var done = 0
                // Small enough that progress is shown.
                while done < planned.count {
                    let part = Array(planned[done..<min(planned.count, done + 1_024 * connections)])
                    let outcome = try await crowd.visit(part)
                    isAnswered = isAnswered || outcome.isAnswered
                    failure = failure ?? outcome.failure
                    differences += outcome.differences.count
                    try output.write { bytes in for found in outcome.differences { found.append(to: &bytes) } }
                    done += part.count
                    visits += part.count
                    // Four visits a row, or more for its further slugs.
                    bar.show(visits, of: progress.rows(from: rows + batch.count) * 4)
                }
                rows += batch.count
            }
        } catch {
            bar.end()
            try output.close()
            let reason =
                (error as? SourceError)?.description ?? (error as? VisitConnection.Unavailable)?.reason
            guard let reason else { throw error }
            throw visits == 0 ? CommandFailure.usage(reason) : CommandFailure.failed(reason)
        }
        bar.end()
        try output.close()
        guard visits > 0 else { throw CommandFailure.usage("the source has no links to visit") }
        if !isAnswered, let failure { throw CommandFailure.usage(failure) }
        let summary = "\(rows.counted("row")): \(visits.counted("visit")), \(differences.counted("difference"))"
        if report == nil || report == "-" { Exit.line(summary) } else { print(summary) }
        if differences > 0 { throw ExitCode(CommandFailure.failed) }
    }
}

/// Connections that share visits.
private struct VisitCrowd {
    /// What some visits came to.
    struct Outcome: Sendable {
        /// In the order of the visits.
        var differences: [VisitDifference] = []
        /// Whether any visit was answered.
        var isAnswered = false
        /// The first reason why a visit was not.
        var failure: String?
    }

    private let connections: [VisitConnection]
    private let base: String

    init(_ server: VisitServer, connections: Int) {
        self.connections = (0..<connections).map { _ in VisitConnection(server) }
        base = server.base
    }

    /// - Throws: `VisitConnection.Unavailable`.
    func visit(_ visits: [PlannedVisit]) async throws -> Outcome {
        let share = (visits.count + connections.count - 1) / connections.count
        let parts = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (index, connection) in connections.enumerated() where index * share < visits.count {
                let part = Array(visits[(index * share)..<min(visits.count, (index + 1) * share)])
                group.addTask { (index, try await outcome(of: part, on: connection)) }
            }
            var parts: [Int: Outcome] = [:]
            for try await (index, part) in group { parts[index] = part }
            return connections.indices.compactMap { parts[$0] }
        }
        return Outcome(
            differences: parts.flatMap(\.differences), isAnswered: parts.contains(where: \.isAnswered),
            failure: parts.lazy.compactMap(\.failure).first)
    }

    /// Compares on the connection's thread, too: it costs more than the visits do.
    private func outcome(of visits: [PlannedVisit], on connection: VisitConnection) async throws -> Outcome {
        let base = base
        let result: Result<Outcome, VisitConnection.Unavailable> = await NetworkThread.run {
            Result { () throws(VisitConnection.Unavailable) in
                let answers = try connection.answers(to: visits)
                let now = Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1_000))
                return Outcome(
                    differences: zip(visits, answers).compactMap { $0.difference($1, base: base, now: now) },
                    isAnswered: answers.contains { $0.failure == nil },
                    failure: answers.lazy.compactMap(\.failure).first)
            }
        }
        return try result.get()
    }
}
