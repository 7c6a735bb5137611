import Testing
import WaymarkBytes
import WaymarkClient
import WaymarkTLS

@testable import waymark

/// How doctor judges addresses, ports, certificates and answers.
@Suite struct DoctorHostCheckTests {
    private static let online = DoctorNetwork(resolvesNames: true, reachesInternet: true)
    private static let offline = DoctorNetwork(resolvesNames: false, reachesInternet: false)

    private static func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text))
    }

    @Test(arguments: [
        (["93.184.216.34"], true, DoctorFinding.State.ok, "93.184.216.34"),
        (["93.184.216.34", "2a00:1450::1"], true, .ok, "93.184.216.34, 2a00:1450::1"),
        ([], true, .finding, "the name has no address"),
        ([], false, .skipped, "this machine resolves no names"),
        (
            ["10.0.0.7"], true, .finding,
            "10.0.0.7 is a private or reserved address: visitors, Apple and Google don't reach it"
        ),
        (
            ["127.0.0.1"], false, .finding,
            "127.0.0.1 is this machine's loopback address: visitors, Apple and Google don't reach it"
        ),
    ])
    func judgesAddresses(texts: [String], isOnline: Bool, state: DoctorFinding.State, detail: String) throws {
        let finding = AddressCheck.finding(
            try texts.map { try Self.address($0) }, isOnline ? Self.online : Self.offline)
        #expect(finding.state == state)
        #expect(finding.detail == detail)
        #expect((finding.fix != nil) == (state == .finding))
    }

    @Test(arguments: [
        ([PortProbe.Outcome.connected], true, DoctorFinding.State.ok),
        ([.connected, .noRoute], true, .ok),
        ([.refused], true, .finding), ([.refused], false, .finding), ([.connected, .refused], true, .finding),
        ([.timeout], true, .finding), ([.timeout], false, .skipped), ([.connected, .timeout], false, .finding),
        ([.noRoute], true, .skipped), ([], true, .skipped),
    ])
    func judgesPorts(outcomes: [PortProbe.Outcome], isOnline: Bool, state: DoctorFinding.State) {
        let seen = outcomes.enumerated().map { (IPAddress(ipv4: UInt32($0.offset) + 1), $0.element) }
        let finding = PortCheck.finding(.https, port: 443, seen, isOnline ? Self.online : Self.offline)
        #expect(finding.state == state)
        #expect(finding.check == .https)
    }

    private static let now: Int64 = 1_800_000_000

    /// - Parameters:
    ///   - left: until the expiry, in days.
    ///   - lifetime: in days; nil: unknown.
    private static func certificate(
        left: Int64 = 60, lifetime: Int64? = 90, chain: Int = 2, isSelfSigned: Bool = false
    ) -> PresentedCertificate {
        let expiry = now + left * 86_400
        return PresentedCertificate(
            start: lifetime.map { expiry - $0 * 86_400 }, expiry: expiry, chainLength: chain,
            isSelfSigned: isSelfSigned)
    }

    @Test(
        arguments: [
            (certificate(left: 14), DoctorFinding.State.ok, "trusted until"),
            (certificate(left: 13), .finding, "in 13 days"),
            (certificate(left: 14, lifetime: 398), .ok, "trusted until"),
            (certificate(left: 13, lifetime: 398), .finding, "in 13 days"),
            (certificate(left: 13, lifetime: nil), .finding, "in 13 days"),
            (certificate(left: 12, lifetime: 47), .ok, "trusted until"),
            (certificate(left: 11, lifetime: 47), .finding, "in 11 days"),
            (certificate(left: 6, lifetime: 6), .ok, "trusted until"),
            (certificate(left: 2, lifetime: 6), .ok, "trusted until"),
            (certificate(left: 1, lifetime: 6), .finding, "in 24 hours"),
        ] as [(PresentedCertificate, DoctorFinding.State, String)])
    func judgesWhenCertificatesExpire(
        presented: PresentedCertificate, state: DoctorFinding.State, detail: String
    ) {
        let findings = CertificateCheck.findings(.presented(presented, faults: []), now: Self.now)
        #expect(findings.map(\.state) == [state])
        #expect(findings.first?.detail.contains(detail) == true, "\(findings)")
    }

    @Test(
        arguments: [
            (.notReached, [.skipped], "no connection"),
            (.noHandshake("wrong version number"), [.finding], "wrong version number"),
            (.presented(certificate(), faults: []), [.ok], "trusted until 2027-03-16"),
            (
                .presented(
                    PresentedCertificate(start: nil, expiry: nil, chainLength: 2, isSelfSigned: false), faults: []),
                [.ok], "trusted, and valid for the host"
            ),
            (
                .presented(certificate(left: -1), faults: [.expired(now - 86_400)]), [.finding],
                "it expired on 2027-01-14"
            ),
            (
                .presented(certificate(left: 9), faults: [.notYetValid(now + 86_400)]), [.finding],
                "not valid before 2027-01-16"
            ),
            (.presented(certificate(), faults: [.otherNames(["a.example"])]), [.finding], "valid for a.example only"),
            (.presented(certificate(), faults: [.otherNames([])]), [.finding], "names no host"),
            (
                .presented(certificate(chain: 1), faults: [.untrusted("no issuer")]), [.finding],
                "chain is incomplete"
            ),
            (.presented(certificate(), faults: [.untrusted("no issuer")]), [.finding], "does not trust it"),
            (
                .presented(certificate(chain: 1, isSelfSigned: true), faults: [.untrusted("self-signed")]),
                [.finding], "does not trust it (self-signed)"
            ),
            (
                .presented(certificate(), faults: [.untrusted("x"), .otherNames(["b"])]), [.finding, .finding],
                "does not trust it"
            ),
        ] as [(CertificateCheck.Observation, [DoctorFinding.State], String)])
    func judgesCertificates(
        observation: CertificateCheck.Observation, states: [DoctorFinding.State], detail: String
    ) {
        let findings = CertificateCheck.findings(observation, now: Self.now)
        #expect(findings.map(\.state) == states)
        #expect(findings.first?.detail.contains(detail) == true, "\(findings)")
    }

    private static func response(
        _ status: Int, _ body: String = "", _ fields: [String: String] = [:]
    ) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields.map { ($0.key, $0.value) }, body: Array(body.utf8))
    }

    private static func problem(_ type: String, _ status: Int = 404) -> String {
        #"{"type":"urn:waymark:problem:\#(type)","title":"x","status":\#(status)}"#
    }

    @Test(arguments: [
        (404, problem("link-unknown"), DoctorFinding.State.ok),
        (429, problem("rate-limited", 429), .ok),
        (404, problem("host-unknown"), .finding),
        (503, problem("store-unavailable", 503), .finding),
        (404, "<html>", .finding), (502, "", .finding), (301, "", .finding), (200, "{}", .finding),
    ])
    func judgesWhoServesTheHost(status: Int, body: String, state: DoctorFinding.State) throws {
        #expect(ServedHostCheck.finding(.success(Self.response(status, body))).state == state)
    }

    @Test func skipsTheServedCheckWithoutAConnection() {
        #expect(ServedHostCheck.finding(nil).state == .skipped)
        #expect(ServedHostCheck.finding(.failure(FetchProblem(sentence: "it failed"))).state == .finding)
    }

    @Test(
        arguments: [
            (["Via": "1.1 varnish"], false, DoctorFinding.State.finding), (["via": "1.1 varnish"], true, .ok),
            (["Server": "nginx"], false, .finding), (["Content-Type": "text/html"], false, .ok),
            (["CF-Ray": "1"], nil, .skipped),
        ] as [([String: String], Bool?, DoctorFinding.State)])
    func judgesProxies(fields: [String: String], trusts: Bool?, state: DoctorFinding.State) throws {
        let answers = [(host: "go.example.com", response: Self.response(404, "", fields))]
        #expect(ProxyCheck.finding(answers, trustsProxies: trusts).state == state)
    }

    @Test func skipsProxiesIfNoHostAnswers() {
        #expect(ProxyCheck.finding([], trustsProxies: false).state == .skipped)
    }

    @Test func showsNoControlCharactersOfServers() {
        let finding = DoctorFinding.ok(.served, "a\u{1B}[31mb\nc\u{202E}d")
        #expect(finding.detail == "a [31mb c d")
        #expect(DoctorFinding.ok(.served, String(repeating: "x", count: 1_000)).detail.count == 301)
    }
}
