import ArgumentParser
import Foundation
import WaymarkAPI
import WaymarkAssociation
import WaymarkBytes
import WaymarkClient
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkStores

/// `waymark doctor`: exits with 0 if all is good, 1 with findings, 2 if nothing can be checked.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check hosts, certificates, association files and this machine, and say how to fix what is wrong.",
        discussion: """
            Without hosts, those of the applications are checked: of the server at --url, else of the database. What this \
            machine does not reach is skipped. docs/operations/doctor.md explains each check. Exit status: 0 good, 1 \
            findings, 2 nothing can be checked.
            """)

    /// Hosts that are checked at the same time.
    private static let width = 8
    /// How many links of a database are looked through for one of each host.
    private static let newestLinks = 1_000

    @Argument(help: "Hosts, such as go.example.com; with :PORT if HTTPS has another port than 443.")
    var hosts: [String] = []

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        var names: Set<String> = []
        let given = try hosts.map { try DoctorTarget(argument: $0) }.filter { names.insert($0.name).inserted }
        let configuration = try Configuration(config: client.config, database: client.database)
        let isConfigured = isNamed || !configuration.database.isMissing
        let (targets, note) = try await targets(given, configuration, isConfigured: isConfigured)
        if targets.isEmpty, !isConfigured {
            throw CommandFailure.usage("there is nothing to check: give hosts, --config or --url")
        }

        let now: @Sendable () -> Int64 = { WallClock.milliseconds() / 1_000 }
        let (network, clock) = await HostProbe.network(now: now)
        let probe = HostProbe(checksPort80: isConfigured && configuration.listens(onPort: 80))
        let observations = await Self.observe(targets, with: probe)

        var findings = observations.flatMap { $0.findings(network, now: now()) }
        if let note { findings.append(note) }
        let answers = observations.compactMap { seen in (try? seen.answer?.get()).map { (seen, $0) } }
        // A host that leads to this machine has its clock.
        let samples =
            [clock].compactMap(\.self)
            + answers.filter { !$0.0.addresses.contains(where: \.isLoopback) }.compactMap {
                ClockCheck.Sample(host: $0.0.target.name, $0.1, now: $0.0.answeredAt)
            }
        findings.append(ClockCheck.finding(samples))
        let trustsProxies =
            isConfigured
            ? !configuration.trustedProxies.isEmpty || configuration.listen.contains(where: \.expectsProxyHeader) : nil
        if isConfigured {
            let metrics = await ServiceProbe.metrics(of: configuration)
            let descriptors = metrics.flatMap { ServiceProbe.descriptors(in: $0) }
            findings += await NetworkThread.run { configuration.doctorFindings(servedDescriptors: descriptors) }
            if let provider = await ProviderState.finding(configuration) { findings.append(provider) }
            if let clickHouse = await ClickHouseFinding.finding(configuration) { findings.append(clickHouse) }
            if configuration.verification != nil { findings.append(VerificationCheck.finding(metrics)) }
        }
        findings.append(
            ProxyCheck.finding(answers.map { ($0.0.target.name, $0.1) }, trustsProxies: trustsProxies))

        let report = DoctorReport(findings: findings)
        print(client.json ? report.jsonValue.text(style: .pretty) : report.text)
        StandardOutput.flush()
        if !report.isGood { throw ExitCode(CommandFailure.failed) }
    }

    /// Whether a configuration or database is named, or the default configuration file exists.
    private var isNamed: Bool {
        let environment = ProcessInfo.processInfo.environment
        return client.config != nil || client.database != nil || environment["WAYMARK_CONFIG"] != nil
            || environment["WAYMARK_DATABASE"] != nil
            || FileManager.default.fileExists(atPath: Configuration.defaultFile)
    }

    // MARK: Hosts

    /// The hosts to check, and a note if some or all are missing.
    private func targets(
        _ given: [DoctorTarget], _ configuration: Configuration, isConfigured: Bool
    ) async throws -> (targets: [DoctorTarget], note: DoctorFinding?) {
        var known: [DoctorTarget]
        if let remote = given.isEmpty ? try client.remote() : try client.named() {
            do {
                known = try await Self.targets(of: remote, checking: given)
            } catch let failure as CommandFailure {
                // Status 1 means findings.
                throw CommandFailure.usage(failure.message)
            }
        } else {
            known = isConfigured ? try Self.targets(of: configuration) : []
            for host in configuration.acme?.hosts ?? [] where !known.contains(where: { $0.host == host.text }) {
                known.append(DoctorTarget(host: host.text))
            }
        }
        guard given.isEmpty else { return (given.map { $0.completed(from: known) }, nil) }
        guard !known.isEmpty else {
            return ([], .skipped(.hosts, "no application has a domain; give hosts to check them"))
        }
        let rest = known.count - DoctorTarget.limit
        return (
            Array(known.prefix(DoctorTarget.limit)),
            rest > 0
                ? .skipped(.hosts, "\(rest.counted("further host")) of applications; give them to check them") : nil
        )
    }

    /// Of a running server. Servers before 0.2 have no `GET /api/v1/domains`.
    ///
    /// - Parameter given: the hosts to check, all if it is empty; links are looked up for these alone.
    private static func targets(of server: RemoteAPI, checking given: [DoctorTarget]) async throws -> [DoctorTarget] {
        let applications = try await server.json("GET", "/api/v1/apps")
        var targets = DoctorTarget.targets(
            ofApplications: (applications["apps"]?.array ?? []).map { $0.bytes() })
        let domains = try? await server.json("GET", "/api/v1/domains")
        for entry in domains?["domains"]?.array ?? [] {
            guard let host = entry["domain"]?.string.flatMap({ HostName($0) })?.text else { continue }
            let position = targets.firstIndex { $0.host == host } ?? targets.count
            if position == targets.count { targets.append(DoctorTarget(host: host)) }
            targets[position].renewalProblem = entry["problem"]?["detail"]?.string
            targets[position].appleFetch = AppleFetchCheck.Observation(entry)
        }
        let checked = Set(given.map(\.host))
        for index in targets.indices.prefix(DoctorTarget.limit)
        where checked.isEmpty || checked.contains(targets[index].host) {
            let limit = String(AssociationLint.linksChecked)
            let query = PercentEncoding.query(
                [("domain", targets[index].host), ("state", "active"), ("limit", limit)])
            let page = try? await server.json("GET", "/api/v1/links" + query)
            targets[index].links = (page?["links"]?.array ?? []).compactMap { $0["slug"]?.string.map { "/" + $0 } }
        }
        return targets
    }

    /// Of the applications file and the database, which a running server may have open. A database that can't be read is
    /// a finding of its own check.
    private static func targets(of configuration: Configuration) throws -> [DoctorTarget] {
        var documents = try ApplicationsFile.read(configuration.applicationsFile).map(\.document)
        var rows: [ArchivedRow] = []
        var seen: [String: AppleFetchCheck.Observation] = [:]
        if !configuration.database.isMissing, let archive = try? configuration.database.archive(.beside) {
            defer { archive.close() }
            documents += ((try? archive.applications()) ?? []).map { ApplicationRecord(stored: $0.document).document }
            seen = AppleFetchCheck.observations(
                (try? archive.associationVersions()) ?? [], (try? archive.associationFetches()) ?? [])
            if let last = try? archive.lastID() {
                let before = LinkID(rawValue: max(0, last - Int64(newestLinks)))
                rows = (try? archive.links(after: before, limit: newestLinks)) ?? []
            }
        }
        var targets = DoctorTarget.targets(ofApplications: documents)
        for index in targets.indices { targets[index].appleFetch = seen[targets[index].host] }
        DoctorTarget.add(rows, to: &targets, now: Timestamp(rawValue: WallClock.milliseconds()))
        return targets
    }

    /// In the order of the targets.
    private static func observe(
        _ targets: [DoctorTarget], with probe: HostProbe
    ) async -> [HostObservation] {
        await withTaskGroup(of: (Int, HostObservation).self) { group in
            var observations: [(Int, HostObservation)] = []
            for (index, target) in targets.enumerated() {
                if index >= width, let next = await group.next() { observations.append(next) }
                group.addTask { (index, await probe.observe(target)) }
            }
            for await next in group { observations.append(next) }
            return observations.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
