import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService

/// What was so at a time that is past, by `explain`, `explain:difference` and `association/simulate`.
struct FormerStateTests {
    private static let path = "/api/v1/links/go.example.com/"

    private static func ask(_ fixture: SiteFixture, _ path: String, _ body: String) async throws -> TestAnswer {
        try await fixture.call("POST", "/api/v1/" + path, body)
    }

    private static func explain(_ fixture: SiteFixture, _ slug: String, at time: String) async throws -> TestAnswer {
        try await ask(fixture, "explain", #"{"url": "https://go.example.com/\#(slug)", "at": "\#(time)"}"#)
    }

    /// Leads to a.example from 10:01 and to b.example from 10:02, is called `b` from 10:03, and it is 10:04.
    private static func fixtureLink(_ fixture: SiteFixture) async throws {
        fixture.clock.advance(seconds: 60)
        _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
        fixture.clock.advance(seconds: 60)
        _ = try await fixture.call("PATCH", path + "a", #"{"urls": {"web": "https://b.example/"}}"#)
        fixture.clock.advance(seconds: 60)
        _ = try await fixture.call("POST", path + "a:rename", #"{"slug": "b"}"#)
        fixture.clock.advance(seconds: 60)
    }

    @Test(arguments: [
        ("a", "10:01:00", "https://a.example/"), ("a", "10:01:59.999", "https://a.example/"),
        ("a", "10:02:00", "https://b.example/"), ("b", "10:03:00", "https://b.example/"),
        ("b", "10:02:59", nil), ("a", "10:03:30", "https://b.example/"), ("a", "10:04:00", "https://b.example/"),
        ("a", "23:00:00", "https://b.example/"),
    ])
    func `explain shows where a link led then`(slug: String, time: String, target: String?) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            let answer = try await Self.explain(fixture, slug, at: "2026-11-21T\(time)Z")
            #expect(answer.status == 200)
            #expect(answer.json["leadsTo"]?.string == target)
            #expect(answer.json["outcome"]?.string == (target == nil ? "notFound" : "redirect"))
        }
    }

    @Test(arguments: ["2026-11-21T10:00:59Z", "2020-01-01T00:00:00Z"])
    func `before its creation a link is as it was first`(time: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            let answer = try await Self.explain(fixture, "a", at: time)
            #expect(answer.status == 200)
            #expect(answer.json["leadsTo"]?.string == "https://a.example/")
        }
    }

    @Test func `rules and the end are those of then`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"""
                {"slug": "a", "urls": {"web": "https://a.example/"}, "expiresAt": "2026-11-21T10:02:00Z",
                 "rules": [{"when": {"country": ["DE"]}, "to": "https://de.example/"}]}
                """#)
            fixture.clock.advance(seconds: 180)
            _ = try await fixture.call("PATCH", Self.path + "a", #"{"rules": [], "expiresAt": null}"#)
            fixture.clock.advance(seconds: 60)
            let cases = [("10:01", "https://de.example/", "redirect"), ("10:02", nil, "gone")]
            for (time, target, outcome) in cases {
                let answer = try await Self.ask(
                    fixture, "explain",
                    #"{"url": "https://go.example.com/a", "country": "DE", "at": "2026-11-21T\#(time):00Z"}"#)
                #expect(answer.json["leadsTo"]?.string == target)
                #expect(answer.json["outcome"]?.string == outcome)
            }
        }
    }

    @Test func `a used-up limit does not end past visits`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}, "maxClicks": 1}"#)
            fixture.clock.advance(seconds: 60)
            #expect(try await fixture.visit("/a").status == 302)
            fixture.clock.advance(seconds: 60)
            let past = try await Self.explain(fixture, "a", at: "2026-11-21T10:00:30Z")
            #expect(past.json["outcome"]?.string == "redirect")
            let now = try await Self.explain(fixture, "a", at: "2026-11-21T10:02:00Z")
            #expect(now.json["outcome"]?.string == "gone")
        }
    }

    @Test func `a password of then still locks`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"{"slug": "a", "urls": {"web": "https://a.example/"}, "password": "sesame"}"#)
            fixture.clock.advance(seconds: 60)
            _ = try await fixture.call("PATCH", Self.path + "a", #"{"password": null}"#)
            fixture.clock.advance(seconds: 60)
            let past = try await Self.explain(fixture, "a", at: "2026-11-21T10:00:30Z")
            #expect(past.json["outcome"]?.string == "page")
            let now = try await Self.explain(fixture, "a", at: "2026-11-21T10:02:00Z")
            #expect(now.json["outcome"]?.string == "redirect")
        }
    }

    @Test(arguments: [
        (#""from": 1, "to": 2"#, false, 1), (#""from": 2, "to": 3"#, true, 1), (#""from": 1"#, false, 2),
        (#""from": "2026-11-21T10:01:30Z", "to": "2026-11-21T10:02:30Z""#, false, 1),
        (#""from": "2026-11-21T10:01:10Z", "to": "2026-11-21T10:01:20Z""#, true, 0),
    ])
    func `a difference is between the states of then`(moments: String, isSame: Bool, count: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            let answer = try await Self.ask(
                fixture, "explain:difference", #"{"url": "https://go.example.com/a", \#(moments)}"#)
            #expect(answer.status == 200)
            let fields = answer.json["differences"]?.array?.compactMap { $0["field"]?.string } ?? []
            #expect(fields.contains("leadsTo") == !isSame)
            #expect(answer.json["changes"]?.array?.count == count)
        }
    }

    @Test(arguments: [#""from": 4"#, #""from": 0"#])
    func `a comparison with an unknown moment is refused`(moment: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            let answer = try await Self.ask(
                fixture, "explain:difference", #"{"url": "https://go.example.com/a", \#(moment)}"#)
            #expect(answer.status == 422)
        }
    }

    @Test func `association files are those of then`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            fixture.clock.advance(seconds: 60)
            let excluded = SiteFixture.shop.replacing(#"{"/": "/*"}"#, with: #"{"/": "/*", "exclude": true}"#)
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", excluded).status == 200)
            fixture.clock.advance(seconds: 60)
            for (time, opens) in [("10:00:30", true), ("10:01:30", false), ("10:02:00", false)] {
                let simulated = try await Self.ask(
                    fixture, "association/simulate",
                    """
                    {"application": "shop", "url": "https://go.example.com/a", "at": "2026-11-21T\(time)Z"}
                    """)
                #expect(simulated.json["opens"]?.bool == opens, "\(simulated.text)")
                let explained = try await Self.ask(
                    fixture, "explain",
                    """
                    {"url": "https://go.example.com/a", "at": "2026-11-21T\(time)Z",
                     "headers": {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"}}
                    """)
                #expect(explained.json["association"]?["opens"]?.bool == opens, "\(explained.text)")
            }
            let before = try await Self.ask(
                fixture, "association/simulate",
                #"{"application": "shop", "url": "https://go.example.com/a", "at": "2026-11-21T09:00:00Z"}"#)
            #expect(before.json["opens"]?.bool == true, "as it was first: \(before.text)")
            let document = try await Self.ask(
                fixture, "association/simulate",
                #"{"document": "{}", "url": "https://go.example.com/a", "at": "2026-11-21T10:00:00Z"}"#)
            #expect(document.status == 422)
            #expect(document.fields == ["at"])
        }
    }
}
