import Testing
import WaymarkJSON

/// How visits would end, and why, as `POST /api/v1/explain` says it.
@Suite struct ExplainTests {
    private func explain(_ fixture: SiteFixture, _ body: String, key: String = SiteFixture.adminKey) async throws
        -> JSONValue
    {
        let answer = try await fixture.call("POST", "/api/v1/explain", body, key: key)
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    private func names(_ value: JSONValue?) -> [String] { (value?.object?.members ?? []).map(\.name) }

    @Test(arguments: TransportKind.allCases)
    func answersTheWholeDecision(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let link = try await fixture.create(SiteFixture.product)
            let smartlink = try #require(link["smartlink"]?.string)
            let answer = try await explain(
                fixture,
                """
                {"url": "\(smartlink)", "ip": "192.0.2.1", "at": "2026-11-21T10:00:00Z",
                 "headers": {"User-Agent": "\(Agent.iphone)", "Accept-Language": "en-GB,en;q=0.9"}}
                """)
            #expect(
                names(answer) == [
                    "link", "visitor", "association", "outcome", "leadsTo", "rule", "candidates", "response",
                    "click",
                ])
            #expect(answer["link"]?["domain"]?.string == "go.example.com")
            #expect(answer["link"]?["slug"] == link["slug"])
            #expect(answer["link"]?["state"]?.string == "active")
            let visitor = answer["visitor"]
            #expect(
                names(visitor) == [
                    "platform", "device", "browser", "inApp", "bot", "prefetch", "language", "country", "why",
                ])
            #expect(visitor?["platform"]?.string == "iphone")
            #expect(visitor?["device"]?.string == "phone")
            #expect(visitor?["browser"]?.string == "safari")
            #expect(visitor?["inApp"]?.isNull == true)
            #expect(visitor?["bot"]?.isNull == true)
            #expect(visitor?["prefetch"]?.bool == false)
            #expect(visitor?["language"]?.string == "en")
            #expect(visitor?["country"]?.isNull == true)
            #expect(visitor?["why"]?.array?.first?.string == "User-Agent holds iPhone")
            #expect(answer["outcome"]?.string == "openApp")
            let candidates = answer["candidates"]?.array ?? []
            #expect(candidates.first?["source"]?.string == "link.urls.iphone")
            #expect(candidates.first?["url"]?.isNull == true)
            #expect(candidates.first?["why"]?.string == "not given")
            let taken = candidates.filter { $0["taken"]?.bool == true }
            #expect(taken.count == 1)
            #expect(taken.first?["source"]?.string == "template product, ios")
            #expect(taken.first?["url"]?.string == "shop://products/42?referrer=ana")
            #expect(answer["response"]?["status"]?.integer == 200)
            #expect(answer["response"]?["headers"]?["Cache-Control"]?.string == "private, no-store")
            #expect(answer["click"]?["counted"]?.bool == true)
            #expect(answer["click"]?["why"]?.string == "a person's GET")
        }
    }

    @Test func needsNothingButTheURL() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let smartlink = try #require(try await fixture.create(SiteFixture.plain)["smartlink"]?.string)
            let answer = try await explain(fixture, #"{"url": "\#(smartlink)"}"#)
            #expect(answer["outcome"]?.string == "redirect")
            #expect(answer["visitor"]?["platform"]?.string == "web")
            #expect(answer["visitor"]?["device"]?.string == "unknown")
            #expect(answer["response"]?["headers"]?["Location"]?.string == "https://www.example.com/page")
            #expect(answer["click"]?["counted"]?.bool == true)
        }
    }

    @Test(arguments: [
        "https://go.example.com/nothing", "https://go.example.com/", "https://go.example.com",
        "https://elsewhere.test/x",
        "https://go.example.com/a/b", "https://go.example.com/api", "https://go.example.com/x%0d%0a",
        "https://go.example.com/x?a=%0d%0aSet-Cookie:b",
    ])
    func answersWithoutALink(url: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            let answer = try await explain(fixture, #"{"url": "\#(url)"}"#)
            #expect(answer["link"]?.isNull == true)
            #expect(answer["outcome"]?.string == "notFound")
            #expect(answer["candidates"]?.array?.isEmpty == true)
            let status = url.contains("?") ? 400 : 404
            #expect(answer["response"]?["status"]?.integer == status)
            #expect(answer["click"]?["counted"]?.bool == false)
        }
    }

    @Test(arguments: [
        (#"{}"#, ["url"]), (#"{"url": 1}"#, ["url"]), (#"{"url": null}"#, ["url"]),
        (#"{"url": "shop://x"}"#, ["url"]), (#"{"url": "https://u:p@go.example.com/x"}"#, ["url"]),
        (#"{"url": "https://go.example.com/x", "userAgent": "x"}"#, ["userAgent"]),
        (#"{"url": "https://go.example.com/x", "headers": []}"#, ["headers"]),
        (#"{"url": "https://go.example.com/x", "headers": {"A": 1}}"#, ["headers.A"]),
        (#"{"url": "https://go.example.com/x", "headers": {"A B": "c"}}"#, ["headers.A B"]),
        (#"{"url": "https://go.example.com/x", "headers": {"A": "b\r\nC: d"}}"#, ["headers.A"]),
        (#"{"url": "https://go.example.com/x", "ip": "300.1.1.1", "at": "yesterday"}"#, ["at", "ip"]),
        (#"{"url": "https://go.example.com/x", "ip": 1, "at": 2, "more": 3}"#, ["at", "ip", "more"]),
    ])
    func namesEveryBadMember(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/explain", body)
            #expect(answer.status == 422)
            #expect(answer.fields == fields)
        }
    }

    @Test func passesOverFieldsOfTheConnection() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let smartlink = try #require(try await fixture.create(SiteFixture.plain)["smartlink"]?.string)
            let answer = try await explain(
                fixture,
                """
                {"url": "\(smartlink)", "headers": {"host": "elsewhere.test", "Connection": "close",
                 "Content-Length": "7", "Transfer-Encoding": "chunked"}}
                """)
            #expect(answer["outcome"]?.string == "redirect")
        }
    }

    @Test func askedForALotOfHeadersSaysSo() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let headers = (0..<200).map { "\"X-\($0)\": \"a\"" }.joined(separator: ",")
            let answer = try await fixture.call(
                "POST", "/api/v1/explain", #"{"url": "https://go.example.com/x", "headers": {\#(headers)}}"#)
            #expect(answer.status == 422)
            #expect(answer.fields == ["headers"])
        }
    }

    @Test func lookAtTheMomentThatIsAskedFor() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let smartlink = try #require(
                try await fixture.create(
                    #"""
                    {"urls": {"web": "https://a.example/"}, "validFrom": "2026-11-21T11:00:00Z",
                     "expiresAt": "2026-11-21T12:00:00Z"}
                    """#)["smartlink"]?.string)
            for (at, state, outcome, status) in [
                ("2026-11-21T10:59:59Z", "scheduled", "scheduled", 404),
                ("2026-11-21T11:00:00Z", "active", "redirect", 302),
                ("2026-11-21T12:00:00Z", "expired", "gone", 410),
            ] {
                let answer = try await explain(fixture, #"{"url": "\#(smartlink)", "at": "\#(at)"}"#)
                #expect(answer["link"]?["state"]?.string == state)
                #expect(answer["outcome"]?.string == outcome)
                #expect(answer["response"]?["status"]?.integer == status)
                #expect(answer["click"]?["counted"]?.bool == (state == "active"))
            }
        }
    }

    @Test func countsNothingAndKnowsTheLimit() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(#"{"urls": {"web": "https://a.example/"}, "maxClicks": 1}"#)
            let smartlink = try #require(link["smartlink"]?.string)
            for _ in 0..<5 {
                let answer = try await explain(fixture, #"{"url": "\#(smartlink)"}"#)
                #expect(answer["outcome"]?.string == "redirect")
                #expect(answer["click"]?["counted"]?.bool == true)
            }
            #expect(try await fixture.visit("/\(link["slug"]?.string ?? "")").status == 302)
            let answer = try await explain(fixture, #"{"url": "\#(smartlink)"}"#)
            #expect(answer["outcome"]?.string == "gone")
            #expect(answer["link"]?["state"]?.string == "exhausted")
            #expect(answer["response"]?["status"]?.integer == 410)
            #expect(answer["click"]?["counted"]?.bool == false)
            #expect(answer["candidates"]?.array?.isEmpty == true)
        }
    }

    @Test(arguments: [
        (Agent.crawler, "", "preview", false), (Agent.search, "", "redirect", false),
        (Agent.android, "", "openApp", true),
        (Agent.iphone, "", "openApp", true), (Agent.mac, "", "page", true), (Agent.windows, "+", "page", false),
        (Agent.windows, "", "redirect", true),
    ])
    func namesEachEnding(agent: String, suffix: String, outcome: String, counted: Bool) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let smartlink = try #require(
                try await fixture.create(
                    #"""
                    {"route": "products/:product_id", "routeParameters": {"product_id": "42"},
                     "social": {"title": "Hello"}}
                    """#)["smartlink"]?.string)
            let answer = try await explain(
                fixture, #"{"url": "\#(smartlink)\#(suffix)", "headers": {"User-Agent": "\#(agent)"}}"#)
            #expect(answer["outcome"]?.string == outcome)
            #expect(answer["click"]?["counted"]?.bool == counted)
        }
    }

    @Test func `explain is for back ends and their own links`() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let smartlink = try #require(
                try await fixture.create(#"{"app": "shop", "urls": {"web": "https://a.example/"}}"#)["smartlink"]?
                    .string)
            let body = #"{"url": "\#(smartlink)"}"#
            for scope in ["resolve", "create"] {
                let key = try await fixture.key([scope])
                #expect(try await fixture.call("POST", "/api/v1/explain", body, key: key).status == 403)
            }
            #expect(try await fixture.call("POST", "/api/v1/explain", body, key: nil).status == 401)
            let own = try await explain(fixture, body, key: try await fixture.key(["links"], app: "shop"))
            #expect(own["outcome"]?.string == "redirect")
            let foreign = try await explain(fixture, body, key: try await fixture.key(["links"], app: "news"))
            #expect(foreign["link"]?.isNull == true)
            #expect(foreign["outcome"]?.string == "notFound")
        }
    }
}
