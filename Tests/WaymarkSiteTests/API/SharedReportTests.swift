import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSockets

@testable import WaymarkSite

/// Reports that are shared by a link.
@Suite struct SharedReportTests {
    private static let body =
        #"{"title": "For the board", "query": "interval=total&top=links,countries&compare=previous"}"#

    private func share(_ fixture: SiteFixture, _ body: String = body, key: String? = SiteFixture.adminKey)
        async throws -> (id: String, token: String)
    {
        let answer = try await fixture.call("POST", "/api/v1/reports", body, key: key)
        try #require(answer.status == 201, "\(answer.text)")
        let link = try #require(answer.json["link"]?.string)
        #expect(link.hasPrefix("/_/#report="))
        return (try #require(answer.json["id"]?.string), String(link.dropFirst("/_/#report=".count)))
    }

    private func read(_ fixture: SiteFixture, _ token: String) async throws -> TestAnswer {
        try await fixture.call("POST", "/_/report", #"{"token": "\#(token)"}"#, key: nil, host: "api.test")
    }

    private func key(_ fixture: SiteFixture, _ scope: String) async throws -> (id: String, text: String) {
        let made = try await fixture.call(
            "POST", "/api/v1/keys", #"{"name": "\#(scope)", "scopes": ["\#(scope)"], "app": "shop"}"#)
        return (try #require(made.json["id"]?.string), try #require(made.json["key"]?.string))
    }

    @Test(arguments: TransportKind.allCases)
    func showsOneReportWithoutAKey(kind: TransportKind) async throws {
        try await SiteFixture.run(kind) { fixture in
            let (_, token) = try await share(fixture)
            let report = try await read(fixture, token)
            #expect(report.status == 200)
            #expect(report.json["title"] == "For the board")
            #expect(report.json["expiresAt"] == "2026-12-21T10:00:00Z")
            #expect(report.json["clicks"]?["interval"] == "total")
            #expect(report.json["clicks"]?["top"]?["countries"] != nil)
            #expect(report.json["clicks"]?["compared"] != nil)
            for path in ["/api/v1/clicks", "/api/v1/links", "/api/v1/reports"] {
                #expect(try await fixture.call("GET", path, key: token).status == 401)
            }
        }
    }

    @Test func endsWithTimeOwnerOrOnRequest() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let (id, ended) = try await share(fixture)
            #expect(try await fixture.call("DELETE", "/api/v1/reports/\(id)").status == 204)
            #expect(try await fixture.call("DELETE", "/api/v1/reports/\(id)").status == 404)
            #expect(try await read(fixture, ended).status == 401)
            let owner = try await key(fixture, "read")
            let (_, owned) = try await share(fixture, key: owner.text)
            #expect(try await read(fixture, owned).status == 200)
            #expect(try await fixture.call("DELETE", "/api/v1/keys/\(owner.id)").status == 204)
            #expect(try await read(fixture, owned).status == 401)
            let (_, late) = try await share(
                fixture, #"{"title": "Soon over", "query": "", "expiresAt": "2026-11-21T11:00:00Z"}"#)
            fixture.clock.advance(seconds: 3_599)
            #expect(try await read(fixture, late).status == 200)
            fixture.clock.advance(seconds: 1)
            #expect(try await read(fixture, late).status == 401)
            #expect(try await fixture.call("GET", "/api/v1/reports").json["reports"]?.array?.isEmpty == true)
        }
    }

    @Test func isListedForItsOwnerAndAdministrators() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let (one, other) = (try await key(fixture, "read"), try await key(fixture, "links"))
            let (id, token) = try await share(fixture, key: one.text)
            func ids(_ key: String?) async throws -> [String?] {
                try await fixture.call("GET", "/api/v1/reports", key: key).json["reports"]?.array?
                    .map { $0["id"]?.string } ?? []
            }
            #expect(try await ids(one.text) == [id])
            #expect(try await ids(SiteFixture.adminKey) == [id])
            #expect(try await ids(other.text).isEmpty)
            #expect(try await fixture.call("DELETE", "/api/v1/reports/\(id)", key: other.text).status == 404)
            let list = try await fixture.call("GET", "/api/v1/reports")
            #expect(!list.text.contains(token) && !list.text.contains("#report="))
        }
    }

    @Test(arguments: [
        (#"{"title": "", "query": ""}"#, "title"), (#"{"title": "a\u0007", "query": ""}"#, "title"),
        (#"{"title": "x", "query": "colour=red"}"#, "query"), (#"{"title": "x", "query": "format=csv"}"#, "query"),
        (#"{"title": "x", "query": "interval=week"}"#, "query"), (#"{"title": "x", "query": "app=é"}"#, "query"),
        (#"{"title": "x", "query": "", "expiresAt": "2020-01-01T00:00:00Z"}"#, "expiresAt"),
        (#"{"title": "x", "query": "", "expiresAt": "2028-01-01T00:00:00Z"}"#, "expiresAt"),
        (#"{"title": "x"}"#, "query"), (#"{"query": ""}"#, "title"),
    ])
    func refusesWhatIsNoReport(body: String, field: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/reports", body)
            #expect(answer.status == 422)
            #expect(answer.json["errors"]?.array?.map { $0["field"]?.string } == [field], "\(answer.text)")
        }
    }

    @Test(arguments: ["", ".", "a.b", "0123456789ab.wm_short", "0123456789ab", "../../retention.x"])
    func opensNothingWithAForgedToken(token: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let (id, genuine) = try await share(fixture)
            #expect(try await read(fixture, token).status == 401)
            let secret = genuine.dropFirst(id.count + 1)
            #expect(try await read(fixture, id + "." + secret.dropLast() + "_").status == 401)
        }
    }

    @Test func hasALimitForEachOwner() async throws {
        try await SiteFixture.run(.inProcess, options: SiteFixture.options()) { fixture in
            let keys = fixture.service.keys
            let reports = try #require(fixture.service.sharedReports)
            let owner = try #require(keys.authenticate(Array(SiteFixture.adminKey.utf8)))
            let end = fixture.clock.now.advanced(byMilliseconds: 1_000)
            for _ in 0..<SharedReport.ownerLimit {
                #expect(try await reports.share("", title: "x", until: end, by: owner) != nil)
            }
            #expect(try await reports.share("", title: "x", until: end, by: owner) == nil)
            fixture.clock.advance(seconds: 1)
            #expect(try await reports.share("", title: "x", until: end, by: owner) != nil)
        }
    }
}
