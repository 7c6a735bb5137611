import Testing
import WaymarkAssociation
import WaymarkClient
import WaymarkJSON
import WaymarkTestSupport

@testable import waymark

/// How doctor judges association files and Apple's copy of them.
@Suite struct DoctorAssociationTests {
    private static let file = Array(#"{"applinks":{"details":[]}}"#.utf8)
    private static let url = "https://go.example.com/.well-known/apple-app-site-association"

    private static func result(_ status: Int?, _ rules: [LintRule] = [], file: [UInt8]? = nil)
        -> AssociationVisit.Result
    {
        let findings = rules.map { LintFinding($0, "\($0.rawValue) is wrong", mend: "mend it") }
        return AssociationVisit.Result(
            name: url, report: LintReport(kind: .apple, byteCount: file?.count ?? 0, findings: findings),
            status: status, file: file)
    }

    @Test(
        arguments: [
            (
                [result(200, file: file)], true, DoctorFinding.State.ok,
                "/.well-known/apple-app-site-association, 27 bytes"
            ),
            ([result(200, [.fetchCDN, .fetchAddress], file: file)], true, .ok, "27 bytes"),
            (
                [result(404, [.fetchStatus]), result(404, [.fetchStatus])], true, .finding,
                "there is no apple-app-site-association"
            ),
            ([result(404, [.fetchStatus])], false, .ok, "no application of this host has the app"),
            ([result(404, [.fetchStatus])], nil, .skipped, "there is none"),
            ([result(301, [.fetchRedirect])], true, .finding, "fetch-redirect is wrong [fetch-redirect]"),
            ([result(200, [.fetchType], file: file)], nil, .finding, "fetch-type is wrong"),
            (
                [result(200, [.fetchSlow, .fetchTypeHTML], file: file)], true, .finding,
                "fetch-type-html is wrong [fetch-type-html] (and 1 more"
            ),
            (
                [result(200, [.jsonEmpty, .fetchTypeHTML], file: file)], true, .finding,
                "fetch-type-html is wrong [fetch-type-html] (and 1 more"
            ),
            ([result(nil, [.fetchTLSExpired, .fetchCDN])], true, .skipped, "can't be fetched"),
            ([], true, .skipped, "no trusted connection"),
        ] as [([AssociationVisit.Result], Bool?, DoctorFinding.State, String)])
    func judgesFiles(
        results: [AssociationVisit.Result], hasApp: Bool?, state: DoctorFinding.State, detail: String
    ) {
        let finding = AssociationCheck.finding(.apple, results, hasApp: hasApp)
        #expect(finding.state == state)
        #expect(finding.detail.contains(detail), "\(finding)")
    }

    private static let closed = Array(
        #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[{"/":"/a/*"}]}]}}"#.utf8)
    private static let links = ["https://go.example.com/Ab3dE9x", "https://go.example.com/a/1"]

    @Test(
        arguments: [
            (links, true, DoctorFinding.State.finding, "new links, such as https://go.example.com/Ab3dE9x, stay"),
            (["https://go.example.com/a/x", "https://go.example.com/b"], true, .finding, "the only link"),
            (["https://go.example.com/a/x", "https://go.example.com/a/1"], true, .ok, "bytes"),
            ([], true, .ok, "bytes"),
            // What a host without an app of ours serves is not for our links.
            (links, false, .ok, "bytes"), (links, nil, .ok, "bytes"),
        ] as [([String], Bool?, DoctorFinding.State, String)])
    func holdsTheFileAgainstLinks(links: [String], hasApp: Bool?, state: DoctorFinding.State, detail: String) {
        let finding = AssociationCheck.finding(
            .apple, [Self.result(200, file: Self.closed)], hasApp: hasApp, links: links)
        #expect(finding.state == state)
        #expect(finding.detail.contains(detail), "\(finding)")
    }

    @Test(arguments: [
        (#""ios": {"appIDs": ["A1.b"], "urlScheme": "shop"}"#, [String??.some(nil)]),
        (
            #""ios": {"appIDs": ["A1.b"], "urlScheme": "shop"}, "openHost": "open.example.com""#,
            [.some("open.example.com"), nil]
        ),
        (#""ios": {"appIDs": ["A1.b"]}"#, [nil]), (#""ios": {"urlScheme": "shop"}"#, [nil]),
        (#""name": "Shop""#, [nil]),
    ])
    func asksForAnOpenHostWherePagesStartTheApp(members: String, openHosts: [String??]) {
        let document = #"{"id": "shop", "domains": ["go.example.com"], \#(members)}"#
        let targets = DoctorTarget.targets(ofApplications: [Array(document.utf8)])
        #expect(targets.map(\.openHost) == openHosts)
    }

    @Test func noOpenHostIsNoFinding() {
        #expect(OpenHostCheck.finding(nil).state == .skipped)
        #expect(OpenHostCheck.finding("open.example.com").state == .ok)
    }

    @Test(arguments: [
        (nil, nil, false, DoctorFinding.State.ok, "never fetched"), (nil, 3_600, true, .ok, "last fetched 2 hours ago"),
        (7_200, 3_600, false, .ok, "changed 1 hour ago"), (0, 9_000, true, .ok, "last fetched 30 minutes ago"),
        (-250_000, -300_000, false, .finding, "changed 3 days ago, not fetched by Apple since"),
        (-250_000, nil, false, .finding, "not fetched"),
    ])
    func `a change that Apple has not fetched is found`(
        since: Int64?, last: Int64?, isCurrent: Bool, state: DoctorFinding.State, detail: String
    ) {
        let seen = AppleFetchCheck.Observation(since: since, last: last, isCurrent: isCurrent)
        let finding = AppleFetchCheck.finding(seen, now: 10_800)
        #expect(finding.state == state)
        #expect(finding.detail.contains(detail), "\(finding)")
    }

    private static let domain = """
        {"association": {"apple-app-site-association": {"etag": "\\"b\\"", "since": "1970-01-01T00:00:10Z", "fetches":
        {"apple": {"last": "1970-01-01T00:00:05Z", "status": 200, "etag": "\\"a\\""}, "google": null},
        "devicesMayHoldOldUntil": "1970-01-09T00:00:10Z", "pending": true}}}
        """

    @Test func `the observation of a server is read`() throws {
        let domain = try JSONValue(parsing: Self.domain)
        let seen = AppleFetchCheck.Observation(domain)
        #expect(seen == AppleFetchCheck.Observation(since: 10, last: 5, isCurrent: false))
        #expect(AppleFetchCheck.Observation(["association": .null]) == nil)
        #expect(AppleFetchCheck.Observation([:]) == nil)
    }

    @Test func `domains files shows who has fetched what`() throws {
        let file = try #require(try JSONValue(parsing: Self.domain)["association"]?["apple-app-site-association"])
        #expect(
            DomainsCommand.Files.row("go.example.com", "apple-app-site-association", file) == [
                "go.example.com", "apple-app-site-association", "1970-01-01T00:00:10Z",
                "1970-01-01T00:00:05Z (200) old", "never", "not before 1970-01-09T00:00:10Z",
            ])
    }

    @Test(
        arguments: [
            (
                AppleCDNCheck.Copy.answered(status: 200, reason: nil, body: file), file, 443, DoctorFinding.State.ok,
                "the same"
            ),
            (
                .answered(status: 200, reason: nil, body: Array(#"{ "applinks": {"details": []} }"#.utf8)), file, 443,
                .ok, "the same"
            ),
            (
                .answered(status: 200, reason: nil, body: Array("{}".utf8)), file, 443, .finding,
                "an older or different copy"
            ),
            (.answered(status: 200, reason: nil, body: file), nil, 443, .finding, "serves none"),
            (
                .answered(status: 404, reason: "SWCERR00301 Timeout", body: []), file, 443, .finding,
                "no file: SWCERR00301 Timeout"
            ),
            (.answered(status: 404, reason: nil, body: []), nil, 443, .ok, "no file"),
            (.answered(status: 500, reason: nil, body: []), file, 443, .skipped, "answered 500"),
            (.unreachable("it can't be reached"), file, 443, .skipped, "it can't be reached"),
            (.tooLarge, file, 443, .finding, "more than 262144 bytes"),
            (nil, nil, 443, .skipped, "no file to compare"),
            (nil, file, 8443, .skipped, "port 443 only"),
        ] as [(AppleCDNCheck.Copy?, [UInt8]?, Int, DoctorFinding.State, String)])
    func comparesApplesCopy(
        copy: AppleCDNCheck.Copy?, served: [UInt8]?, port: Int, state: DoctorFinding.State, detail: String
    ) {
        let finding = AppleCDNCheck.finding(
            copy, served: served, target: DoctorTarget(host: "go.example.com", port: port))
        #expect(finding.state == state)
        #expect(finding.detail.contains(detail), "\(finding)")
    }

    @Test(arguments: [
        (200, true, AppleCDNCheck.Copy.tooLarge), (200, false, .answered(status: 200, reason: nil, body: [])),
        (404, true, .answered(status: 404, reason: nil, body: [])),
    ])
    func `a copy that was cut off is not compared`(status: Int, isCutOff: Bool, copy: AppleCDNCheck.Copy) {
        var response = HTTPResponse(status: status)
        response.isCutOff = isCutOff
        #expect(AppleCDNCheck.Copy(.success(response)) == copy)
    }

    /// The length is in the head, or the end is that of the connection.
    @Test(arguments: ["Content-Length: 300000\r\n", ""])
    func `a file longer than the limit is an error`(field: String) async throws {
        let file = "[" + String(repeating: " ", count: 299_998) + "]"
        let service = try FakeService { _, _ in
            .text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(field)\r\n\(file)")
        }
        let url = try #require(AssociationURL(service.url + "/.well-known/assetlinks.json"))
        let results = await AssociationVisit(url).results()
        let rules = results.flatMap(\.report.findings).map(\.rule)
        #expect(rules.contains(.fileTooLarge) && !rules.contains { $0.rawValue.hasPrefix("json-") }, "\(results)")
        #expect(results.allSatisfy { $0.file == nil && !$0.report.isClean })
    }
}
