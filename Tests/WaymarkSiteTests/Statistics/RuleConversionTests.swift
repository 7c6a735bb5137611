import Testing
import WaymarkJSON

/// Conversions and claims of clicks by rules.
@Suite struct RuleConversionTests {
    private static let link = #"""
        {"slug": "abc", "urls": {"web": "https://b.example/"},
         "rules": [{"name": "app", "when": {"platform": "iphone", "percentage": 100},
                    "to": {"ios": "shop://new", "web": "https://b.example/new"}},
                   {"when": {"platform": "android"}, "to": {"android": "shop://old", "web": "https://b.example/old"}}]}
        """#

    private static func run(
        _ transportKind: TransportKind, _ test: (SiteFixture) async throws -> Void
    ) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(link)
            try await test(fixture)
        }
    }

    /// The ID of a click.
    private static func click(_ agent: String, _ fixture: SiteFixture) async throws -> String {
        let page = try await fixture.visit("/abc", as: agent)
        let text = page[header: "Location"] ?? page.text
        let id = try #require(text.firstMatch(of: /_hk_cid(?:=|%3D)([\w-]{32})/)?.1)
        return String(id)
    }

    private static func report(
        _ clicks: [String], from first: Int = 0, _ fixture: SiteFixture
    ) async throws {
        let conversions = clicks.enumerated().map { index, click in
            #"{"id": "\#(first + index)", "name": "purchase", "at": "2026-11-21T10:00:00Z", "clickID": "\#(click)"}"#
        }
        let body = #"{"conversions": [\#(conversions.joined(separator: ", "))]}"#
        let answer = try await fixture.call("POST", "/api/v1/conversions", body)
        #expect(answer.status == 202)
    }

    private static func counts(_ query: String, _ fixture: SiteFixture) async throws -> [String: Int] {
        let answer = try await fixture.call(
            "GET", "/api/v1/conversions?from=2026-11-01&to=2026-11-30&" + query)
        #expect(answer.status == 200, "\(answer.text)")
        let groups = answer.json["groups"]?.array ?? []
        return Dictionary(
            uniqueKeysWithValues: groups.map { ($0["value"]?.string ?? "-", $0["count"]?.integer ?? 0) })
    }

    /// The first visit asks the store, the second one decides on the loop, the third finds its answer ready.
    @Test(arguments: TransportKind.allCases)
    func `conversions are counted by the rule of the click`(transportKind: TransportKind) async throws {
        try await Self.run(transportKind) { fixture in
            var clicks: [String] = []
            for _ in 0..<3 {
                clicks.append(try await Self.click(Agent.iphone, fixture))
                clicks.append(try await Self.click(Agent.android, fixture))
            }
            #expect(Set(clicks).count == 6)
            try await Self.report(clicks, fixture)
            #expect(try await Self.counts("by=rule", fixture) == ["app": 3, "2": 3])
            #expect(try await Self.counts("by=variant", fixture) == ["app": 3, "-": 3])
            #expect(try await Self.counts("by=name", fixture) == ["purchase": 6])
            #expect(try await Self.counts("by=name&rule=2", fixture) == ["purchase": 3])
            #expect(try await Self.counts("by=link&variant=app", fixture) == ["go.example.com/abc": 3])
            #expect(try await Self.counts("by=rule&variant=none", fixture) == ["2": 3])
            #expect(try await Self.counts("by=rule&rule=none", fixture) == [:])
        }
    }

    @Test func `conversions keep the name that the rule had`() async throws {
        try await Self.run(.inProcess) { fixture in
            let clicks = [
                try await Self.click(Agent.iphone, fixture), try await Self.click(Agent.android, fixture),
            ]
            let renamed = Self.link.replacing(#""slug": "abc", "#, with: "").replacing("\"app\"", with: "\"other\"")
            let patched = try await fixture.call("PATCH", "/api/v1/links/go.example.com/abc", renamed)
            #expect(patched.status == 200, "\(patched.text)")
            try await Self.report(clicks + [try await Self.click(Agent.iphone, fixture)], fixture)
            #expect(try await Self.counts("by=rule", fixture) == ["app": 1, "2": 1, "other": 1])
        }
    }

    @Test func `a claim brings the rule to later conversions`() async throws {
        try await Self.run(.inProcess) { fixture in
            let id = try await Self.click(Agent.iphone, fixture)
            let claim = #"""
                {"app": "shop", "platform": "ios", "installID": "phone",
                 "clipboard": "https://go.example.com/abc?_hk_cid=\#(id)"}
                """#
            let answer = try await fixture.call("POST", "/api/v1/deferred/claim", claim)
            #expect(answer.json["match"]?["method"]?.string == "clipboard", "\(answer.text)")
            let body = #"""
                {"conversions": [
                    {"id": "1", "name": "purchase", "at": "2026-11-21T10:00:00Z", "installID": "phone"}]}
                """#
            #expect(try await fixture.call("POST", "/api/v1/conversions", body).status == 202)
            #expect(try await Self.counts("by=variant", fixture) == ["app": 1])
        }
    }

    @Test func `a forged id gives no rule`() async throws {
        try await Self.run(.inProcess) { fixture in
            var id = Array(try await Self.click(Agent.iphone, fixture))
            id[15] = id[15] == "A" ? "B" : "A"
            try await Self.report([String(id)], fixture)
            #expect(try await Self.counts("by=rule", fixture) == [:])
        }
    }
}
