import Foundation
import WaymarkAssociation
import WaymarkBytes
import WaymarkClient
import WaymarkImports
import WaymarkSockets
import WaymarkTLS

/// What one host shows to this machine.
struct HostObservation: Sendable {
    var target: DoctorTarget
    var addresses: [IPAddress] = []
    var https: [(address: IPAddress, outcome: PortProbe.Outcome)] = []
    /// Nil: nothing listens on port 80 according to the configuration.
    var http: [(address: IPAddress, outcome: PortProbe.Outcome)]?
    var certificate = CertificateCheck.Observation.notReached
    var answer: Result<HTTPResponse, FetchProblem>?
    /// When the answer came, in seconds since 1970.
    var answeredAt: Int64 = 0
    var associations: [AssociationVisit.Result] = []
    var copy: AppleCDNCheck.Copy?
    /// From `/`.
    var traces: [RedirectTrace] = []
    /// From the target's link.
    var linkTraces: [RedirectTrace] = []

    /// - Parameter now: in seconds since 1970.
    func findings(_ network: DoctorNetwork, now: Int64) -> [DoctorFinding] {
        let apple = associations.filter { $0.report.kind == .apple }
        let google = associations.filter { $0.report.kind == .assetLinks }
        var findings = [
            AddressCheck.finding(addresses, network),
            PortCheck.finding(.https, port: target.port, https, network),
        ]
        if let http { findings.append(PortCheck.finding(.http, port: 80, http, network)) }
        findings += CertificateCheck.findings(certificate, now: now)
        if let renewal = CertificateCheck.renewal(target.renewalProblem) { findings.append(renewal) }
        findings.append(ServedHostCheck.finding(answer))
        findings.append(
            AssociationCheck.finding(.apple, apple, hasApp: target.hasIOSApp, links: target.associationURLs))
        findings.append(
            AppleCDNCheck.finding(copy, served: apple.first { $0.file != nil }?.file, target: target))
        if let seen = target.appleFetch, target.hasIOSApp != false {
            findings.append(AppleFetchCheck.finding(seen, now: now))
        }
        findings.append(
            AssociationCheck.finding(
                .assetLinks, google, hasApp: target.hasAndroidApp, links: target.associationURLs))
        if let openHost = target.openHost { findings.append(OpenHostCheck.finding(openHost)) }
        findings += RedirectCheck.findings(traces)
        if let link = target.link, !linkTraces.isEmpty { findings += RedirectCheck.findings(linkTraces, ofLink: link) }
        return findings.map { $0.of(target.name) }
    }
}

/// Fetches what the checks of a host need. Each fetch has a time limit.
struct HostProbe: Sendable {
    /// Time limit of a fetch, in seconds.
    static let timeout = 10
    /// Time after which no further redirect of a chain is followed, in seconds.
    private static let chainTimeout = 30
    /// In bytes, of responses that are judged by their status and fields.
    private static let bodyLimit = 65_536

    /// Whether the configured server listens on port 80.
    var checksPort80 = false

    private static let client = HTTPClient()
    /// For hosts that redirects name: they must not lead this machine into its own network.
    private static let publicClient = HTTPClient(.host(AddressRule()))

    func observe(_ target: DoctorTarget) async -> HostObservation {
        var seen = HostObservation(target: target)
        let host = target.host
        seen.addresses = await NetworkThread.run { ResolvedHost.addresses(host) }
        // A host with many records is checked by some of them.
        let addresses = Array(seen.addresses.prefix(4))
        seen.https = await Self.connect(addresses, port: target.port)
        if checksPort80 { seen.http = await Self.connect(addresses, port: 80) }
        guard seen.https.contains(where: { $0.outcome == .connected }) else { return seen }
        seen.certificate = await Self.certificate(target)
        // Nothing else is fetched over a connection that no client would use.
        guard case .presented(_, let faults) = seen.certificate, faults.isEmpty else { return seen }
        let url = target.origin + ServedHostCheck.path
        seen.answer = await Self.get(url, accept: "application/json", Self.client)
        seen.answeredAt = WallClock.milliseconds() / 1_000
        guard case .success = seen.answer else { return seen }
        if let url = AssociationURL(target.origin) {
            seen.associations = await AssociationVisit(url, timeout: Self.timeout).results()
        }
        if target.port == 443, seen.associations.contains(where: { $0.file != nil }) || target.hasIOSApp == true {
            seen.copy = await Self.copy(host)
        }
        for device in VisitDevice.allCases {
            seen.traces.append(await Self.trace(target, "/", as: device))
            if let link = target.link { seen.linkTraces.append(await Self.trace(target, link, as: device)) }
        }
        return seen
    }

    /// Whether this machine reaches the reference, and the difference of the clocks.
    static func network(now: @Sendable () -> Int64) async -> (network: DoctorNetwork, clock: ClockCheck.Sample?) {
        let name = DoctorNetwork.reference
        let addresses = await NetworkThread.run { ResolvedHost.addresses(name) }
        guard !addresses.isEmpty else { return (DoctorNetwork(resolvesNames: false, reachesInternet: false), nil) }
        let outcomes = await connect(Array(addresses.prefix(2)), port: 443)
        guard outcomes.contains(where: { $0.outcome == .connected }) else {
            return (DoctorNetwork(resolvesNames: true, reachesInternet: false), nil)
        }
        let answer = await get("https://\(name)/", accept: "*/*", client)
        let sample = (try? answer.get()).flatMap { ClockCheck.Sample(host: name, $0, now: now()) }
        return (DoctorNetwork(resolvesNames: true, reachesInternet: true), sample)
    }

    private static func connect(
        _ addresses: [IPAddress], port: Int
    ) async -> [(address: IPAddress, outcome: PortProbe.Outcome)] {
        var outcomes: [(address: IPAddress, outcome: PortProbe.Outcome)] = []
        for address in addresses {
            let outcome = await NetworkThread.run {
                PortProbe.outcome(to: address, port: port, timeout: timeout)
            }
            outcomes.append((address, outcome))
        }
        return outcomes
    }

    private static func certificate(_ target: DoctorTarget) async -> CertificateCheck.Observation {
        let (host, port) = (target.host, target.port)
        return await NetworkThread.run {
            switch CertificateInspection.inspect(host: host, port: port, timeout: timeout) {
            case .notReached: .notReached
            case .noHandshake(let reason): .noHandshake(reason)
            case .presented(let certificate, let faults): .presented(certificate, faults: faults)
            }
        }
    }

    private static func get(
        _ url: String, as agent: String = Version.userAgent, accept: String, bodyLimit: Int = bodyLimit,
        _ client: HTTPClient
    ) async -> Result<HTTPResponse, FetchProblem> {
        // Marked as a prefetch, which Waymark does not count as a visit.
        let request = HTTPRequest(
            url, fields: [("User-Agent", agent), ("Accept", accept), ("Sec-Purpose", "prefetch")], timeout: timeout,
            bodyLimit: bodyLimit)
        do throws(HTTPFailure) {
            return .success(try await client.response(to: request))
        } catch {
            return .failure(FetchProblem(sentence: error.sentence))
        }
    }

    private static func copy(_ host: String) async -> AppleCDNCheck.Copy {
        let limit = AssociationLint.sizeLimit + 1
        let url = AppleCDNCheck.url(host)
        return AppleCDNCheck.Copy(await get(url, accept: "application/json", bodyLimit: limit, client))
    }

    private static func trace(
        _ target: DoctorTarget, _ path: String, as device: VisitDevice
    ) async -> RedirectTrace {
        let end = ContinuousClock.now + .seconds(chainTimeout)
        return await RedirectTrace.follow(target.origin + path, as: device) { url in
            guard ContinuousClock.now < end else {
                return .failure(FetchProblem(sentence: "the redirects take longer than \(chainTimeout) s"))
            }
            let isOwn = HTTPTarget(url)?.host.lowercased() == target.host
            return await get(url, as: device.userAgent, accept: "text/html", isOwn ? client : publicClient)
        }
    }
}
