import ArgumentParser
import Foundation
import WaymarkClient
import WaymarkImports
import WaymarkLinks

/// `waymark links verify FILE… --from SOURCE --against https://HOST`
struct LinksVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Visit the links of another service on a server, and report differences.",
        discussion: """
            waymark links verify links.csv --from fdl --against https://go.example.com --resolve go.example.com=192.0.2.7
            Every link is visited as iPhone, iPad, Android and desktop, and so that its rules and its query \
            show; the visits count as prefetches, so no click is recorded. The report has a line for each visit \
            that leads elsewhere than the source's own service does. Links on other domains than the host of \
            --against are skipped unless --domain is that host. Exit status: 0 no difference, 1 some, 2 nothing \
            could be read or visited.
            """)

    @OptionGroup var options: ImportOptions

    @Option(name: .long, help: ArgumentHelp("The server, such as https://go.example.com.", valueName: "url"))
    var against: String

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Connect to this address, such as before DNS is changed.", valueName: "host=address"))
    var resolve: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where links on other domains were imported to, as in links import.", valueName: "host"))
    var domain: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Another domain of the application, whose links stay there. May be repeated.", valueName: "host"))
    var ownDomain: [String] = []

    @Option(name: .long, help: "How many connections, 1 to 64.")
    var connections = 4

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where differences are written, as CSV. [default: standard output]", valueName: "file.csv"))
    var report: String?

    mutating func run() async throws {
        guard (1...64).contains(connections) else {
            throw CommandFailure.usage("--connections: must be 1 to 64")
        }
        let server = try VisitServer(against: against, resolve: resolve)
        let progress = ReadingProgress()
        let source = try await options.source(progress)
        let verification = LinkVerification(
            try options.service, on: server.host, domain: domain, own: ownDomain, time: try options.time)
        StandardOutput.reportBrokenPipes()
        let output = try ReportFile(report ?? "-", header: VisitDifference.header)
        let crowd = VisitCrowd(server, connections: connections)
        let bar = ProgressBar("visiting links", all: 0)
        var (rows, visits, differences, elsewhere) = (0, 0, 0, 0)
        var (isAnswered, failure) = (false, String?.none)
        do {
            while true {
                let batch = try await source.next()
                guard !batch.isEmpty else { break }
                let plans = batch.map { verification.plan($0, now: VisitCrowd.now) }
                for found in plans.compactMap(\.problem) {
                    differences += 1
                    try output.write { found.append(to: &$0) }
                }
                elsewhere += plans.reduce(0) { $0 + $1.elsewhere }
                let planned = plans.flatMap(\.visits)
                var done = 0
                var destinations: [Int: [String: Int]] = [:]
                // Small enough that progress is shown.
                while done < planned.count {
                    let part = Array(planned[done..<min(planned.count, done + 1_024 * connections)])
                    let outcome = try await crowd.visit(part)
                    isAnswered = isAnswered || outcome.isAnswered
                    failure = failure ?? outcome.failure
                    differences += outcome.differences.count
                    destinations.merge(outcome.destinations) { $0.merging($1, uniquingKeysWith: +) }
                    try output.write { bytes in for found in outcome.differences { found.append(to: &bytes) }
                    }
                    done += part.count
                    visits += part.count
                    // Four visits a row, or more for its rules and further slugs.
                    bar.show(visits, of: progress.rows(from: rows + batch.count) * 4)
                }
                for draw in plans.compactMap(\.draw) {
                    guard let found = draw.difference(destinations[draw.row] ?? [:], base: server.base) else {
                        continue
                    }
                    differences += 1
                    try output.write { found.append(to: &$0) }
                }
                rows += batch.count
            }
        } catch {
            bar.end()
            try output.close()
            let reason =
                (error as? SourceError)?.description ?? (error as? HTTPFailure)?.sentence
            guard let reason else { throw error }
            throw visits == 0 ? CommandFailure.usage(reason) : CommandFailure.failed(reason)
        }
        bar.end()
        try output.close()
        guard visits > 0 else {
            throw CommandFailure.usage(
                elsewhere == 0
                    ? "the source has no links to visit"
                    : "all links are on other domains than \(server.host); use --against with theirs, or --domain"
            )
        }
        if !isAnswered, let failure { throw CommandFailure.usage(failure) }
        var summary =
            "\(rows.counted("row")): \(visits.counted("visit")), \(differences.counted("difference"))"
        if elsewhere > 0 {
            summary += "; not visited on other domains than \(server.host): \(elsewhere.counted("link"))"
        }
        if report == nil || report == "-" { StandardError.write(summary) } else { print(summary) }
        if differences > 0 { throw ExitCode(CommandFailure.failed) }
    }
}

/// Connections that share visits.
private struct VisitCrowd {
    /// What some visits came to.
    struct Outcome: Sendable {
        /// In the order of the visits.
        var differences: [VisitDifference] = []
        /// By row, where chance has sent how many visitors.
        var destinations: [Int: [String: Int]] = [:]
        /// Whether any visit was answered.
        var isAnswered = false
        /// The first reason why a visit was not.
        var failure: String?
    }

    static var now: Timestamp { Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1_000)) }

    private let connections: [VisitConnection]
    private let base: String

    init(_ server: VisitServer, connections: Int) {
        self.connections = (0..<connections).map { _ in VisitConnection(server) }
        base = server.base
    }

    /// - Throws: `HTTPFailure`.
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
            differences: parts.flatMap(\.differences),
            destinations: parts.map(\.destinations).reduce(into: [:]) { all, part in
                all.merge(part) { $0.merging($1, uniquingKeysWith: +) }
            },
            isAnswered: parts.contains(where: \.isAnswered),
            failure: parts.lazy.compactMap(\.failure).first)
    }

    /// Compares on the connection's thread, too: it costs more than the visits do.
    private func outcome(of visits: [PlannedVisit], on connection: VisitConnection) async throws -> Outcome {
        let base = base
        let result: Result<Outcome, HTTPFailure> = await NetworkThread.run {
            Result { () throws(HTTPFailure) in
                let answers = try connection.answers(to: visits)
                let now = Self.now
                var destinations: [Int: [String: Int]] = [:]
                for (visit, answer) in zip(visits, answers) {
                    guard let url = visit.destination(answer, now: now) else { continue }
                    destinations[visit.row, default: [:]][url, default: 0] += 1
                }
                return Outcome(
                    differences: zip(visits, answers).compactMap { $0.difference($1, base: base, now: now) },
                    destinations: destinations,
                    isAnswered: answers.contains { if case .success = $0 { true } else { false } },
                    failure: answers.lazy.compactMap { answer in
                        if case .failure(let failure) = answer { failure.sentence } else { nil }
                    }.first)
            }
        }
        return try result.get()
    }
}
