import Testing
import WaymarkJSON

/// `POST /api/v1/links/{domain}/{slug}:rehearse`.
@Suite struct RehearsalTests {
    private static let path = "/api/v1/links/go.example.com/abc"
    private static let linux = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"

    /// Visits by these programs on 21 November; it is the day after.
    private static func run(
        _ link: String, visits: [(agent: String, headers: [(String, String)])],
        _ test: (SiteFixture) async throws -> Void
    ) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(link)
            for visit in visits { _ = try await fixture.visit("/abc", as: visit.agent, headers: visit.headers) }
            fixture.clock.advance(seconds: 24 * 60 * 60)
            try await test(fixture)
        }
    }

    private static func link(_ rules: String = "[]") -> String {
        #"{"slug": "abc", "urls": {"web": "https://a.example/"}, "rules": \#(rules)}"#
    }

    private static func rehearse(
        _ patch: String, days: Int? = nil, _ fixture: SiteFixture
    ) async throws -> JSONValue {
        let body = #"{"patch": \#(patch)\#(days.map { ", \"days\": \($0)" } ?? "")}"#
        let answer = try await fixture.call("POST", path + ":rehearse", body)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    private static func ending(_ rule: String?, _ url: String, outcome: String = "redirect") -> JSONValue {
        ["outcome": JSONValue(outcome), "rule": rule.map { JSONValue($0) } ?? .null, "url": JSONValue(url)]
    }

    @Test func `a patch is applied to the clicks of people of whole days`() async throws {
        let bot = "Googlebot/2.1 (+http://www.google.com/bot.html)"
        let visits = [Agent.windows, Agent.windows, Self.linux, bot].map { (agent: $0, headers: [(String, String)]()) }
        try await Self.run(Self.link(), visits: visits) { fixture in
            // Today's does not count.
            _ = try await fixture.visit("/abc", as: Agent.windows)
            let patch = #"{"rules": [{"name": "W", "when": {"platform": "windows"}, "to": "https://w.example/"}]}"#
            let before = try await fixture.call("GET", Self.path)
            let answer = try await Self.rehearse(patch, fixture)
            let old = Self.ending(nil, "https://a.example/")
            #expect(
                answer == [
                    "clicks": 3, "changed": 2,
                    "byOutcome": [
                        ["from": old, "to": Self.ending("W", "https://w.example/"), "clicks": 2],
                        ["from": old, "to": old, "clicks": 1],
                    ],
                    "undecidable": 0, "why": [],
                ])
            #expect(try await fixture.call("GET", Self.path).json["version"] == before.json["version"])
            #expect(try await fixture.visit("/abc", as: Agent.windows)[header: "Location"] == "https://a.example/")
            fixture.clock.advance(seconds: 24 * 60 * 60)
            #expect(try await Self.rehearse(patch, fixture)["clicks"]?.integer == 2)
            #expect(try await Self.rehearse(patch, days: 2, fixture)["clicks"]?.integer == 5)
        }
    }

    @Test func `what is recorded decides`() async throws {
        let german = [("Accept-Language", "de-AT"), ("Referer", "https://news.example/x")]
        let rules = #"""
            [{"when": {"referrerHost": "news.example", "language": "de"}, "to": "https://de.example/"},
             {"when": {"after": "2026-11-21T09:00:00Z", "before": "2026-11-21T11:00:00Z"}, "to": "https://time.example/"}]
            """#
        let visits = [(agent: Agent.windows, headers: german), (agent: Agent.windows, headers: [])]
        try await Self.run(Self.link(), visits: visits) { fixture in
            let answer = try await Self.rehearse(#"{"rules": \#(rules)}"#, fixture)
            let urls = answer["byOutcome"]?.array?.compactMap { $0["to"]?["url"]?.string }
            #expect(Set(urls ?? []) == ["https://de.example/", "https://time.example/"])
            #expect(answer["undecidable"]?.integer == 0)
            let disabled = try await Self.rehearse(#"{"disabled": true}"#, fixture)
            #expect(disabled["byOutcome"]?.array?.first?["to"] == ["outcome": "gone", "rule": .null, "url": .null])
        }
    }

    private static let halves = #"""
        [{"name": "new", "when": {"percentage": 50}, "to": "https://new.example/"},
         {"name": "old", "when": {"percentage": 50}, "to": "https://old.example/"}]
        """#

    @Test func `shares that stay are known by their rules`() async throws {
        let visits = (0..<20).map { (agent: Agent.windows + "\($0)", headers: [(String, String)]()) }
        try await Self.run(Self.link(Self.halves), visits: visits) { fixture in
            let same = try await Self.rehearse(
                #"{"rules": \#(Self.halves.replacing("https://new.example/", with: "https://n.example/"))}"#, fixture)
            #expect(same["clicks"]?.integer == 20 && same["undecidable"]?.integer == 0)
            for group in same["byOutcome"]?.array ?? [] {
                let isNew = group["from"]?["rule"]?.string == "new"
                #expect(group["to"]?["url"]?.string == (isNew ? "https://n.example/" : "https://old.example/"))
            }
            let other = try await Self.rehearse(
                #"{"rules": \#(Self.halves.replacing("50}, \"to\": \"https://new", with: "60}, \"to\": \"https://new").replacing("50}, \"to\": \"https://old", with: "40}, \"to\": \"https://old"))}"#,
                fixture)
            // Who was in the first half is in the first 60 %.
            let new = same["byOutcome"]?.array?.first { $0["from"]?["rule"]?.string == "new" }?["clicks"]?.integer
            #expect(other["undecidable"]?.integer == 20 - (new ?? 0))
            #expect(other["changed"]?.integer == 0)
            #expect(other["why"]?.array?.first?.string?.hasPrefix("shares:") == true)
        }
    }

    @Test(arguments: [
        (#"{"rules": [{"when": {"query": {"src": "mail"}}, "to": "https://q.example/"}]}"#, "query:"),
        (#"{"rules": [{"when": {"percentage": 10}, "to": "https://q.example/"}]}"#, "shares:"),
        (#"{"maxClicks": 1}"#, "maxClicks:"),
    ])
    func `what records don't hold is named`(patch: String, why: String) async throws {
        let visits = [(agent: Agent.windows, headers: [(String, String)]())]
        try await Self.run(Self.link(), visits: visits) { fixture in
            let answer = try await Self.rehearse(patch, fixture)
            #expect(answer["clicks"]?.integer == 1 && answer["undecidable"]?.integer == 1)
            #expect(answer["byOutcome"]?.array?.isEmpty == true)
            #expect(answer["why"]?.array?.count == 1 && answer["why"]?.array?.first?.string?.hasPrefix(why) == true)
        }
    }

    @Test func `clicks with Do-Not-Track can't be decided`() async throws {
        try await Self.run(Self.link(), visits: [(agent: Agent.windows, headers: [("DNT", "1")])]) { fixture in
            let answer = try await Self.rehearse(#"{"urls": {"web": "https://b.example/"}}"#, fixture)
            #expect(answer["clicks"]?.integer == 1 && answer["undecidable"]?.integer == 1)
            #expect(answer["why"]?.array?.first?.string?.hasPrefix("Do-Not-Track:") == true)
        }
    }

    @Test func `clicks by a rule that is gone can't be decided`() async throws {
        let link = Self.link(#"[{"name": "W", "when": {}, "to": "https://w.example/"}]"#)
        try await Self.run(link, visits: [(agent: Agent.windows, headers: [])]) { fixture in
            #expect(try await fixture.call("PATCH", Self.path, #"{"rules": null}"#).status == 200)
            let answer = try await Self.rehearse(#"{"urls": {"web": "https://b.example/"}}"#, fixture)
            #expect(answer["undecidable"]?.integer == 1)
            #expect(answer["why"]?.array?.first?.string?.hasPrefix("changed:") == true)
        }
    }

    @Test(arguments: [
        (#"{}"#, ["patch"]), (#"{"patch": 1}"#, ["patch"]), (#"{"patch": {}, "days": 0}"#, ["days"]),
        (#"{"patch": {}, "days": 31}"#, ["days"]), (#"{"patch": {}, "day": 1}"#, ["day"]),
        (#"{"patch": {"slug": "x"}}"#, ["patch.slug"]), (#"{"patch": {"rule": []}}"#, ["patch.rule"]),
        (#"{"patch": {"rules": [{"when": {}}]}}"#, ["patch.rules[0].to"]),
        (#"{"patch": {"urls": {"web": "nowhere"}}}"#, ["patch.urls.web"]),
    ])
    func `a body that is not valid is refused by its fields`(body: String, fields: [String]) async throws {
        try await Self.run(Self.link(), visits: []) { fixture in
            let answer = try await fixture.call("POST", Self.path + ":rehearse", body)
            #expect(answer.status == 422 && answer.fields == fields, "\(answer.text)")
        }
    }

    @Test func `reading keys of the application may rehearse`() async throws {
        try await Self.run(Self.link(), visits: []) { fixture in
            for (scope, status) in [("read", 200), ("create", 403), ("resolve", 403)] {
                let answer = try await fixture.call(
                    "POST", Self.path + ":rehearse", #"{"patch": {}}"#, key: try await fixture.key([scope]))
                #expect(answer.status == status, "\(scope)")
            }
            let unknown = try await fixture.call(
                "POST", "/api/v1/links/go.example.com/none:rehearse", #"{"patch": {}}"#)
            #expect(unknown.status == 404)
        }
    }
}
