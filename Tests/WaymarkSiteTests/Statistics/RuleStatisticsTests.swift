import Testing
import WaymarkJSON

/// Which rule decided, in explanations and statistics.
@Suite struct RuleStatisticsTests {
    private static let application = #"""
        {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "web": {"baseURL": "https://shop.example.com/"},
         "templates": [{"route": "p/:id", "urls": {"web": {"name": "page", "link": "https://shop.example.com/p/:id"}}}],
         "rules": [{"when": {"platform": "android"}, "to": "https://a.example/android"},
                   {"name": "penguins", "when": {"platform": "linux"}, "to": "https://a.example/linux"},
                   {"when": {"platform": "iphone"}, "to": "https://a.example/never"}]}
        """#
    private static let link = #"""
        {"slug": "abc", "urls": {"web": "https://b.example/"},
         "rules": [{"when": {"platform": "iphone", "percentage": 100}, "to": "https://b.example/iphone"},
                   {"name": "B", "when": {"platform": "windows", "percentage": 100}, "to": "https://b.example/b"}]}
        """#
    private static let linux = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"
    private static let chromeOS =
        "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Safari/537.36"

    private static let visitors: [(agent: String, rule: String?, variant: String?)] = [
        (Agent.iphone, "1", nil), (Agent.windows, "B", "B"), (Agent.android, "app/1", nil), (linux, "penguins", nil),
        (chromeOS, nil, nil),
    ]

    private static func run(
        _ transportKind: TransportKind, _ test: (SiteFixture) async throws -> Void
    ) async throws {
        try await SiteFixture.run(transportKind, applications: [application]) { fixture in
            _ = try await fixture.create(link)
            try await test(fixture)
        }
    }

    /// People by value; `-` for none.
    private static func people(_ answer: TestAnswer, _ field: String? = nil) -> [String: Int] {
        var people: [String: Int] = [:]
        for interval in answer.json["series"]?.array ?? [] {
            let values = field.map { interval["by"]?[$0] } ?? interval["by"]
            for value in values?.array ?? [] {
                people[value["value"]?.string ?? "-", default: 0] += value["people"]?.integer ?? 0
            }
        }
        return people
    }

    @Test(arguments: visitors.indices)
    func `an explanation names the rule that decided`(number: Int) async throws {
        let (agent, rule, _) = Self.visitors[number]
        try await Self.run(.inProcess) { fixture in
            let body = #"{"url": "https://go.example.com/abc", "headers": {"User-Agent": "\#(agent)"}}"#
            let answer = try await fixture.call("POST", "/api/v1/explain", body)
            #expect(answer.status == 200)
            #expect(answer.json["rule"]?.string == rule && answer.json["rule"] != nil)
        }
    }

    @Test func `an entry of a template is no rule`() async throws {
        try await Self.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "p", "route": "p/:id", "routeParameters": {"id": "1"}}"#)
            let body = #"{"url": "https://go.example.com/p", "headers": {"User-Agent": "\#(Self.chromeOS)"}}"#
            let answer = try await fixture.call("POST", "/api/v1/explain", body)
            #expect(answer.json["response"]?["headers"]?["Location"]?.string == "https://shop.example.com/p/1")
            #expect(answer.json["rule"]?.isNull == true)
            let application = try await fixture.call("GET", "/api/v1/apps/shop")
            #expect(application.json["templates"]?.array?.first?["urls"]?["web"]?["name"]?.string == "page")
        }
    }

    /// The first visit asks the store, the second one decides on the loop, all further ones find their answer ready.
    @Test(arguments: TransportKind.allCases)
    func `clicks are counted by rule and variant`(transportKind: TransportKind) async throws {
        try await Self.run(transportKind) { fixture in
            for _ in 0..<4 {
                for visitor in Self.visitors { _ = try await fixture.visit("/abc", as: visitor.agent) }
            }
            _ = try await fixture.visit("/abc", as: Agent.windows, headers: [("DNT", "1")])
            let rules = ["1": 4, "B": 4, "app/1": 4, "penguins": 4, "-": 5]
            let link = "/api/v1/links/go.example.com/abc/clicks"
            #expect(Self.people(try await fixture.call("GET", link + "?by=rule")) == rules)
            #expect(Self.people(try await fixture.call("GET", link + "?by=variant")) == ["B": 4, "-": 17])
            let all = try await fixture.call("GET", "/api/v1/clicks?interval=total&by=rule,variant")
            #expect(Self.people(all, "rule") == rules)
            #expect(Self.people(all, "variant") == ["B": 4, "-": 17])
            for (filter, count) in [("rule=app%2F1", 4), ("rule=none", 5), ("variant=B", 4), ("rule=C", 0)] {
                let one = try await fixture.call("GET", link + "?" + filter)
                #expect(one.json["total"]?["people"]?.integer == count, "\(filter)")
                let total = try await fixture.call("GET", "/api/v1/clicks?" + filter)
                #expect(total.json["total"]?["people"]?.integer == count, "\(filter)")
            }
            let combined = try await fixture.call("GET", "/api/v1/clicks?rule=B&platform=windows")
            #expect(combined.json["total"]?["people"]?.integer == 4)
        }
    }

    @Test func `clicks keep the name that the rule had`() async throws {
        try await Self.run(.inProcess) { fixture in
            for name in [#""A""#, #""Z""#, "null"] {
                let rules = #"{"rules": [{"name": \#(name), "to": "https://b.example/"}]}"#
                let patched = try await fixture.call("PATCH", "/api/v1/links/go.example.com/abc", rules)
                #expect(patched.status == 200, "\(patched.text)")
                for _ in 0..<3 { _ = try await fixture.visit("/abc", as: Agent.windows) }
            }
            let answer = try await fixture.call("GET", "/api/v1/links/go.example.com/abc/clicks?by=rule")
            #expect(Self.people(answer) == ["A": 3, "Z": 3, "1": 3])
        }
    }
}
