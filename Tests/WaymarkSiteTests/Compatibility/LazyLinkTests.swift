import Testing
import WaymarkJSON
import WaymarkServer

@testable import WaymarkSite

/// `GET /lazy?uri=…`: links that are made when they are first followed.
@Suite struct LazyLinkTests {
    private static let open = SiteFixture.hokoShop.replacing(
        #""name": "Shop","#,
        with: #""name": "Shop", "destinations": {"allowedHosts": ["shop.example.com", "*.partner.example"]},"#)

    private func links(_ fixture: SiteFixture) async throws -> [JSONValue] {
        try await fixture.call("GET", "/api/v1/links").json["links"]?.array ?? []
    }

    @Test(arguments: TransportKind.allCases)
    func makesOneLinkHoweverManyAsk(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.hokoShop]) { fixture in
            let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
                for _ in 0..<12 {
                    group.addTask { try await fixture.visit("/lazy?uri=products%2F42%3Freferrer%3Dana") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 302 })
            #expect(
                Set(answers.compactMap { $0[header: "Location"] })
                    == ["https://shop.example.com/products/42?referrer=ana"])
            let links = try await links(fixture)
            #expect(links.count == 1)
            #expect(links.first?["route"]?.string == "products/:product_id")
            #expect(try await fixture.visit("/lazy?uri=products%2F43").status == 302)
            #expect(try await self.links(fixture).count == 2)
        }
    }

    @Test func leadsEachDeviceWhereALinkDoes() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop]) { fixture in
            let target = "/lazy?uri=shop%3A%2F%2Fproducts%2F42&utm_source=mail"
            let desktop = try await fixture.visit(target)
            #expect(desktop[header: "Location"] == "https://shop.example.com/products/42?utm_source=mail")
            let android = try await fixture.visit(target, as: Agent.android)
            #expect(android[header: "Location"]?.hasPrefix("intent://products/42?utm_source=mail&_hk_cid=") == true)
            #expect(try await fixture.visit(target, as: Agent.iphone).status == 200)
            #expect(try await links(fixture).count == 1)
        }
    }

    @Test func staysSwitchedOffAndComesBackWhenDeleted() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop]) { fixture in
            _ = try await fixture.visit("/lazy?uri=sale")
            let slug = try #require(try await links(fixture).first?["slug"]?.string)
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(slug)", #"{"disabled": true}"#)
            #expect(try await fixture.visit("/lazy?uri=sale").status == 410)
            _ = try await fixture.call("DELETE", "/api/v1/links/go.example.com/\(slug)")
            #expect(try await fixture.visit("/lazy?uri=sale").status == 302)
            #expect(try await links(fixture).first?["slug"]?.string == slug)
        }
    }

    @Test(arguments: [
        "https://evil.example/", "http://evil.example", "//evil.example", "///evil.example", "https:evil.example",
        "https:/evil.example", "https:///evil.example", "https://shop.example.com@evil.example/",
        "https://shop.example.com:x@evil.example/", "https://shop.example.com.evil.example/",
        "https://evil.example/shop.example.com", "https://evil.example?shop.example.com",
        "https://evil.example#shop.example.com", "https://evil.example\\@shop.example.com", "\\\\evil.example",
        "/\\evil.example", "https://shop.example.com%2Eevil.example/", "https://xn--shp-0ka.example.com.evil.example/",
        "javascript:alert(1)", "javascript://shop.example.com/%0aalert(1)", "data:text/html,x", "vbscript:x",
        "intent://evil.example#Intent;scheme=https;end", "other://evil.example", "ftp://shop.example.com/",
        "file:///etc/passwd", "https://127.0.0.1/", "https://[::1]/", "https://partner.example/",
        "https://evilpartner.example/", "../../evil", "%2e%2e/evil", "a\r\nLocation: https://evil.example", "a\tb", "",
        "https://go.example.com/other", "https://", "://evil.example",
    ])
    func leadsNobodyElsewhere(uri: String) async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.open]) { fixture in
            let encoded = uri.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            for agent in [Agent.windows, Agent.iphone, Agent.android] {
                let answer = try await fixture.visit("/lazy?uri=\(encoded)", as: agent)
                #expect((400..<500).contains(answer.status), "\(answer.status) \(answer[header: "Location"] ?? "")")
                #expect(answer[header: "Location"] == nil)
            }
            #expect(try await links(fixture).isEmpty)
        }
    }

    @Test(arguments: [
        (".evil.example", "https://shop.example.com/.evil.example"),
        ("@evil.example", "https://shop.example.com/%40evil.example"),
        ("a/@evil.example:80", "https://shop.example.com/a/%40evil.example%3A80"),
        ("evil.example", "https://shop.example.com/evil.example"),
        ("/evil.example/x", "https://shop.example.com/evil.example/x"),
        ("https://eu.partner.example/x", "https://eu.partner.example/x"),
        ("https://shop.example.com/x", "https://shop.example.com/x"),
    ])
    func keepsWhatLooksLikeAHostBehindItsOwn(uri: String, location: String) async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.open]) { (fixture) async throws in
            let encoded = uri.utf8.map { "%" + String($0, radix: 16) }.joined()
            #expect(try await fixture.visit("/lazy?uri=\(encoded)")[header: "Location"] == location)
        }
    }

    @Test func stopsWhenTheHostIsNoLongerAllowed() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.open]) { (fixture) async throws in
            let target = "/lazy?uri=https%3A%2F%2Feu.partner.example%2Fx"
            #expect(try await fixture.visit(target).status == 302)
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", SiteFixture.hokoShop).status == 200)
            #expect(try await fixture.visit(target).status == 400)
        }
    }

    @Test(arguments: ["/lazy", "/lazy?url=a", "/lazy?uri=a&uri=b", "/lazy?uri", "/lazy?uri=%ff", "/lazy?uri=a%C3%28"])
    func needsOneURI(target: String) async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop]) { (fixture) async throws in
            #expect(try await fixture.visit(target).status == 400)
        }
    }

    @Test func `lazy links exist only on hosts that have them`() async throws {
        let eager = SiteFixture.shop.replacing(
            #""name": "Shop","#, with: #""name": "Shop", "hoko": {"enabled": true},"#)
        try await SiteFixture.run(.inProcess, applications: [eager, SiteFixture.news]) { (fixture) async throws in
            #expect(try await fixture.visit("/lazy?uri=sale").status == 404)
            let other = try await fixture.visit("/lazy?uri=sale", host: "news.example.com")
            #expect(other[header: "Location"] == "https://news.example.org/where")
            #expect(try await links(fixture).isEmpty)
        }
    }

    @Test func asksTheStoreWithinTheLimitOnly() async throws {
        var options = SiteFixture.limitedOptions()
        options.callerLimits[.create] = RateLimit(perMinute: 1, burst: 1)
        let store = try FaultyStore(seed: 1)
        try await SiteFixture.run(
            .inProcess, applications: [SiteFixture.hokoShop], options: options, store: store
        ) { (fixture) async throws in
            #expect(try await fixture.visit("/lazy?uri=a").status == 302)
            await store.close()
            #expect(try await fixture.visit("/lazy?uri=b").status == 429)
        }
    }

    @Test func comparesAURIWithFewTemplates() throws {
        let templates = (0..<500).map { number in
            let path = Array(repeating: "p\(number)", count: number % 10 + 1).map { $0 + "/" }.joined()
            return #"{"route": "\#(path):id", "urls": {"web": "https://shop.example.com/\#(path):id"}}"#
        }
        let document =
            #"{"id": "shop", "domains": ["go.example.com"], "templates": [\#(templates.joined(separator: ","))]}"#
        let application = try #require(ApplicationDocument.application(Array(document.utf8)))
        let index = HokoTemplateIndex(application)
        let uri = try #require(HokoURI("p6/p6/p6/p6/p6/p6/p6/42"))
        #expect(index.candidates(for: uri) == 100)
        #expect(index.best(for: uri)?.variables == ["id": "42"])
        #expect(try index.best(for: #require(HokoURI("p6/42"))) == nil)
    }

    @Test func limitsWhatIsMadeAndNotWhatIsKnown() async throws {
        var options = SiteFixture.limitedOptions()
        options.callerLimits[.create] = RateLimit(perMinute: 1, burst: 2)
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop], options: options) { fixture in
            var statuses: [Int] = []
            for path in ["a", "b", "c", "a", "b", "c"] {
                statuses.append(try await fixture.visit("/lazy?uri=\(path)").status)
            }
            #expect(statuses == [302, 302, 429, 302, 302, 429])
        }
    }

    @Test(arguments: [
        "http://go.example.com/lazy?uri=products%2F42%3Freferrer%3Dx",
        "https://go.example.com/lazy?uri=%2Fproducts%2F42%3Freferrer%3Dx", "__banner?uri=products%2F42%3Freferrer%3Dx",
        "shop://__banner?uri=products%2F42%3Freferrer%3Dx",
    ])
    func resolvesWithoutAVisit(smartlink: String) async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop]) { fixture in
            let token = try await fixture.token("iphone", ["resolve"])
            for isKnown in [false, true] {
                if isKnown { _ = try await fixture.visit("/lazy?uri=products%2F42%3Freferrer%3Dx") }
                let answer = try await fixture.hoko(
                    "POST", "/v2/smartlinks/resolve", #"{"smartlink": "\#(smartlink)"}"#, token: token)
                #expect(answer.text == #"{"deeplink":"shop://products/42?referrer=x"}"#)
                #expect(try await links(fixture).count == (isKnown ? 1 : 0))
            }
        }
    }
}
