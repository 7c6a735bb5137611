import Testing
import WaymarkBytes
import WaymarkHTTP
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
        #expect((finding.mend != nil) == (state == .finding))
    }

    @Test(arguments: [
        ([ConnectAttempt.Outcome.connected], true, DoctorFinding.State.ok),
        ([.connected, .noRoute], true, .ok),
        ([.refused], true, .finding), ([.refused], false, .finding), ([.connected, .refused], true, .finding),
        ([.timeout], true, .finding), ([.timeout], false, .skipped), ([.connected, .timeout], false, .finding),
        ([.noRoute], true, .skipped), ([], true, .skipped),
    ])
    func judgesPorts(outcomes: [ConnectAttempt.Outcome], isOnline: Bool, state: DoctorFinding.State) {
        let seen = outcomes.enumerated().map { (IPAddress(ipv4: UInt32($0.offset) + 1), $0.element) }
        let finding = PortCheck.finding(.https, port: 443, seen, isOnline ? Self.online : Self.offline)
        #expect(finding.state == state)
        #expect(finding.check == .https)
    }

    private static let now: Int64 = 1_800_000_000

    private static func shown(days: Int64, chain: Int = 2, isSelfSigned: Bool = false) -> ShownCertificate {
        ShownCertificate(expiry: now + days * 86_400, chainLength: chain, isSelfSigned: isSelfSigned)
    }

    @Test(arguments: [
        (CertificateCheck.Observation.notReached, [DoctorFinding.State.skipped], "no connection"),
        (.noHandshake("wrong version number"), [.finding], "wrong version number"),
        (.shown(faults: [], shown: shown(days: 60)), [.ok], "trusted until 2027-03-16"),
        (.shown(faults: [], shown: nil), [.ok], "trusted"),
        (.shown(faults: [], shown: shown(days: 14)), [.ok], "trusted until"),
        (.shown(faults: [], shown: shown(days: 13)), [.finding], "in 13 days"),
        (.shown(faults: [.expired(now - 86_400)], shown: shown(days: -1)), [.finding], "it expired on 2027-01-14"),
        (
            .shown(faults: [.notYetValid(now + 86_400)], shown: shown(days: 9)), [.finding],
            "not valid before 2027-01-16"
        ),
        (.shown(faults: [.otherNames(["a.example"])], shown: nil), [.finding], "valid for a.example only"),
        (.shown(faults: [.otherNames([])], shown: nil), [.finding], "names no host"),
        (
            .shown(faults: [.untrusted("no issuer")], shown: shown(days: 60, chain: 1)), [.finding],
            "chain is incomplete"
        ),
        (.shown(faults: [.untrusted("no issuer")], shown: shown(days: 60, chain: 2)), [.finding], "does not trust it"),
        (
            .shown(faults: [.untrusted("self-signed")], shown: shown(days: 60, chain: 1, isSelfSigned: true)),
            [.finding], "does not trust it (self-signed)"
        ),
        (
            .shown(faults: [.untrusted("x"), .otherNames(["b"])], shown: nil), [.finding, .finding], "does not trust it"
        ),
    ])
    func judgesCertificates(
        observation: CertificateCheck.Observation, states: [DoctorFinding.State], detail: String
    ) {
        let findings = CertificateCheck.findings(observation, now: Self.now)
        #expect(findings.map(\.state) == states)
        #expect(findings.first?.detail.contains(detail) == true, "\(findings)")
    }

    private static func response(
        _ status: Int, _ body: String = "", _ fields: [String: String] = [:]
    ) throws -> ResponseReader.Response {
        try .received(status: status, fields: fields, body: body)
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
        #expect(ServedHostCheck.finding(.success(try Self.response(status, body))).state == state)
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
        let answers = [(host: "go.example.com", response: try Self.response(404, "", fields))]
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

extension ResponseReader.Response {
    /// A response as it comes from a connection.
    static func received(status: Int, fields: [String: String], body: String = "") throws -> Self {
        var reader = ResponseReader(bodyLimit: 65_536)
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        let text = "HTTP/1.1 \(status) X\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        return try #require(try reader.take(Array(text.utf8)))
    }
}
