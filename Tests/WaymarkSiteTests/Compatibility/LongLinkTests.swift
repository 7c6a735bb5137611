import Testing
import WaymarkJSON
import WaymarkService

@testable import WaymarkSite

/// `https://<domain>/?link=…`: links that nobody stores.
@Suite struct LongLinkTests {
    private static let link = "link=https%3A%2F%2Fshop.example.com%2Fproducts%2F42"
    private static let app = link + "&ibi=com.example.shop&isi=123456789&apn=com.example.shop"

    private func run(_ test: (SiteFixture) async throws -> Void) async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop], test: test)
    }

    @Test(arguments: ["/?", "/spring?", "/spring/sale/?", "/a/b/c?"])
    func followsALongLink(_ path: String) async throws {
        try await run { fixture in
            let answer = try await fixture.visit(path + Self.app)
            #expect(answer.status == 302)
            #expect(answer[header: "Location"] == "https://shop.example.com/products/42")
            #expect(answer[header: "Cache-Control"] == "private, no-store")
        }
    }

    @Test func storesNothingAndCountsPeople() async throws {
        try await run { fixture in
            for agent in [Agent.windows, Agent.iphone, Agent.crawler] {
                _ = try await fixture.visit("/?" + Self.app + "&st=T", as: agent)
            }
            _ = try await fixture.visit("/?" + Self.app, method: "HEAD")
            #expect(try await fixture.call("GET", "/api/v1/links").json["links"]?.array?.isEmpty == true)
            let metrics = try await fixture.call("GET", "/metrics").text
            #expect(metrics.contains("\nwaymark_long_link_clicks_total 2\n"))
            try await fixture.service.clicks.flush()
            try await fixture.service.flushRecords()
        }
    }

    @Test(arguments: [
        ("", 2, 1), ("&domain=go.example.com", 2, 1), ("&domain=x.example.com", 0, 0), ("&platform=iphone", 1, 0),
        ("&platform=iphone&country=none", 1, 0), ("&domain=go.example.com&platform=windows", 1, 0),
    ])
    func clicksCountInReportsOfTheApplication(filter: String, people: Int, bots: Int) async throws {
        try await run { fixture in
            for agent in [Agent.windows, Agent.iphone, Agent.crawler] {
                _ = try await fixture.visit("/spring?" + Self.app, as: agent)
            }
            _ = try await fixture.visit("/?" + Self.app, method: "HEAD")
            _ = try await fixture.visit("/?" + Self.app + "&d=1")
            for query in ["", "&by=platform,referrerHost"] {
                let answer = try await fixture.call("GET", "/api/v1/clicks?app=shop&interval=total" + filter + query)
                let total = answer.json["total"]
                #expect(total?["people"]?.integer == people, "\(answer.text)")
                #expect(total?["bots"]?.integer == bots, "\(answer.text)")
                #expect(answer.json["complete"]?.bool == true)
            }
            // No link has them.
            let top = try await fixture.call("GET", "/api/v1/clicks?top=links" + filter)
            #expect(top.json["top"]?["links"]?.array?.isEmpty == true, "\(top.text)")
            #expect(fixture.service.clicks.recorded == 0)
        }
    }

    @Test(arguments: ["/?\(app)&d=1", "/{short}?d=1"])
    func showsWhereItLeadsInsteadOfGoingThere(_ target: String) async throws {
        try await run { fixture in
            let short = try await fixture.shortLink(Self.app)
            let target = target.replacing("{short}", with: String(short.split(separator: "/").last ?? ""))
            let answer = try await fixture.visit(target)
            #expect(answer.status == 200)
            #expect(answer.text.contains("https://shop.example.com/products/42"))
            #expect(answer.text.contains("apps.apple.com/app/id123456789"))
            #expect(!answer.text.contains("_hk_cid"))
        }
    }

    @Test(arguments: [
        "/?link=https%3A%2F%2Fevil.example%2F", "/?link=no", "/?link=", "/?link=javascript:alert(1)",
        "/?\(link)&ofl=https%3A%2F%2Fevil.example%2F", "/?\(app)&afl=https%3A%2F%2Fevil.example%2F",
        "/?\(app)&ifl=https%3A%2F%2Fevil.example%2F", "/?\(app)&ipfl=https%3A%2F%2Fevil.example%2F",
        "/?\(app)&al=https%3A%2F%2Fevil.example%2F", "/?link=https%3A%2F%2Fgo.example.com%2F%3Flink%3Dx",
        "/?link=https%3A%2F%2Fgo.example.com%2Fabcd",
    ])
    func leadsNowhereElse(_ target: String) async throws {
        try await run { fixture in
            for agent in [Agent.windows, Agent.iphone, Agent.android] {
                let answer = try await fixture.visit(target, as: agent)
                #expect(answer.status == 400, "\(target)")
                #expect(answer[header: "Location"] == nil)
                #expect(answer.text.contains("<title>Invalid Dynamic Link</title>"))
            }
        }
    }

    private static let words = "&st=Your+account+is+locked&sd=Call+us&si=https%3A%2F%2Fevil.example%2Fp.png"

    @Test(arguments: ["", "&d=1"]) func showsNobodyWordsOfAStranger(_ more: String) async throws {
        try await run { fixture in
            for agent in [Agent.iphone, Agent.windows] {
                let answer = try await fixture.visit("/?" + Self.app + Self.words + more, as: agent)
                // The page may have the link's own address, where spaces are encoded.
                #expect(!answer.text.contains("is locked") && !answer.text.contains("Call us"))
                #expect(!answer.text.contains("<img class=\"picture\""))
                #expect(answer[header: "Content-Security-Policy"]?.contains("evil.example") != true)
            }
        }
    }

    @Test func givesCrawlersACardWithOwnPicturesOnly() async throws {
        try await run { fixture in
            let foreign = try await fixture.visit("/?" + Self.app + Self.words, as: Agent.crawler)
            #expect(foreign.text.contains("Your account is locked"))
            #expect(!foreign.text.contains("evil.example"))
            let own = Self.words.replacing("evil.example", with: "shop.example.com")
            let answer = try await fixture.visit("/?" + Self.app + own, as: Agent.crawler)
            #expect(answer.text.contains("https://shop.example.com/p.png"))
        }
    }

    @Test func namesAnUnknownLink() async throws {
        try await run { fixture in
            let answer = try await fixture.visit("/nothing")
            #expect(answer.status == 404)
            #expect(answer.text.contains("<title>Dynamic Link Not Found</title>"))
            #expect(answer.text.contains("https://go.example.com/nothing"))
        }
    }

    @Test func explainsALongLink() async throws {
        try await run { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/explain",
                #"{"url": "https://go.example.com/?\#(Self.app)", "headers": {"User-Agent": "\#(Agent.android)"}}"#)
            #expect(answer.json["outcome"]?.string == "openApp", "\(answer.text)")
            #expect(answer.json["click"]?["counted"]?.bool == true)
        }
    }

    @Test func aStoredLinkComesBeforeALongLinkOfItsURL() async throws {
        try await run { fixture in
            _ = try await fixture.call(
                "POST", "/api/v1/links", #"{"slug": "sale", "urls": {"web": "https://shop.example.com/sale"}}"#)
            let visit = try await fixture.visit("/sale?" + Self.app)
            #expect(visit[header: "Location"]?.hasPrefix("https://shop.example.com/sale") == true)
            for body in [
                #"{"url": "https://go.example.com/sale?\#(Self.app)", "headers": {}}"#,
                #"{"smartlink": "https://go.example.com/sale?\#(Self.app)", "platform": "web"}"#,
            ] {
                let path = body.contains("headers") ? "explain" : "resolve"
                let answer = try await fixture.call("POST", "/api/v1/\(path)", body)
                #expect(answer.text.contains("https://shop.example.com/sale"), "\(answer.text)")
            }
            let reopened = try await fixture.firebase(
                "reopenAttribution", #"{"requestedLink": "https://go.example.com/sale/?\#(Self.app)"}"#)
            #expect(reopened.json["deepLink"]?.string?.hasPrefix("https://shop.example.com/sale") == true)
        }
    }

    @Test func resolvesALongLink() async throws {
        try await run { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/resolve",
                #"{"smartlink": "https://go.example.com/?\#(Self.app)&utm_source=s", "platform": "ios"}"#)
            #expect(answer.json["deeplink"]?.string == "https://shop.example.com/products/42", "\(answer.text)")
            #expect(answer.json["queryParameters"]?["utm_source"]?.string == "s")
        }
    }
}
