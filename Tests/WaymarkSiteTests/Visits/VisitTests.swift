import Testing
import WaymarkJSON
import WaymarkService

/// Browsers, crawlers and people with odd addresses.
@Suite struct VisitTests {
    @Test(arguments: TransportKind.allCases)
    func countsPeopleOnly(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(
                try await fixture.create(
                    #"{"urls": {"web": "https://a.example/"}, "social": {"title": "Hello"}}"#)["slug"]?.string)
            for _ in 0..<3 {
                #expect(try await fixture.visit("/\(slug)").status == 302)
                #expect(try await fixture.visit("/\(slug)", method: "HEAD").status == 302)
                #expect(try await fixture.visit("/\(slug)", as: Agent.crawler).status == 200)
                #expect(try await fixture.visit("/\(slug)", as: Agent.search).status == 302)
                #expect(try await fixture.visit("/\(slug)", headers: [("Sec-Purpose", "prefetch")]).status == 302)
            }
            try await fixture.service.clicks.flush()
            let link = try await fixture.call("GET", "/api/v1/links/\(slug)")
            #expect(link.json["clicks"]?.integer == 3)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func answersHEADLikeGETWithoutABody(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            for agent in [Agent.windows, Agent.iphone] {
                let get = try await fixture.visit("/\(slug)", as: agent)
                let head = try await fixture.visit("/\(slug)", as: agent, method: "HEAD")
                #expect(head.status == get.status)
                #expect(head[header: "Content-Type"] == get[header: "Content-Type"])
                #expect(head.body.isEmpty)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func showsPreviewsToCrawlers(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(
                try await fixture.create(
                    #"""
                    {"urls": {"web": "https://a.example/"},
                     "social": {"title": "<b>\"Hi\"</b>", "description": "D & D", "imageURL": "https://a.example/i.png"}}
                    """#)["slug"]?.string)
            let answer = try await fixture.visit("/\(slug)", as: Agent.crawler)
            #expect(answer.status == 200)
            #expect(answer.text.contains("<meta property=\"og:title\" content=\"&lt;b&gt;&quot;Hi&quot;&lt;/b&gt;\">"))
            #expect(answer.text.contains("content=\"D &amp; D\""))
            #expect(answer.text.contains("og:image"))
            #expect(answer.text.contains("<a class=\"button\" href=\"https://a.example/\""))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func answersEachStateWithItsPage(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let states: [(String, Int, String)] = [
                (#""disabled": true"#, 410, "link-disabled"),
                (#""expiresAt": "2026-11-21T09:00:00Z""#, 410, "link-expired"),
                (#""validFrom": "2026-11-21T11:00:00Z""#, 404, "link-scheduled"),
            ]
            for (member, status, type) in states {
                let slug = try #require(
                    try await fixture.create(#"{"urls": {"web": "https://a.example/"}, \#(member)}"#)["slug"]?.string)
                let page = try await fixture.visit("/\(slug)")
                #expect(page.status == status)
                #expect(page[header: "Content-Type"] == "text/html; charset=utf-8")
                #expect(page[header: "Vary"]?.contains("Accept") == true)
                let problem = try await fixture.visit("/\(slug)", headers: [("Accept", "application/json")])
                #expect(problem.status == status)
                #expect(problem.problem == type)
                let resolve = try await fixture.call(
                    "POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/\#(slug)"}"#)
                #expect(resolve.status == status)
                #expect(resolve.problem == type)
            }
            let unknown = try await fixture.visit("/nothing", headers: [("Accept", "application/json")])
            #expect(unknown.status == 404)
            #expect(unknown.problem == "link-unknown")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func letsTimeChangeTheState(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(
                try await fixture.create(
                    #"""
                    {"urls": {"web": "https://a.example/"}, "validFrom": "2026-11-21T10:00:10Z",
                     "expiresAt": "2026-11-21T10:00:20Z"}
                    """#)["slug"]?.string)
            #expect(try await fixture.visit("/\(slug)").status == 404)
            fixture.clock.advance(seconds: 10)
            for _ in 0..<3 { #expect(try await fixture.visit("/\(slug)").status == 302) }
            fixture.clock.advance(seconds: 10)
            for _ in 0..<3 { #expect(try await fixture.visit("/\(slug)").status == 410) }
            // A clock that is set back.
            for (seconds, status) in [(-10, 302), (-10, 404), (10, 302), (10, 410)] {
                fixture.clock.advance(seconds: Int64(seconds))
                for _ in 0..<3 { #expect(try await fixture.visit("/\(slug)").status == status) }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func stopsAtTheGreatestNumberOfClicks(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(
                try await fixture.create(#"{"urls": {"web": "https://a.example/"}, "maxClicks": 3}"#)["slug"]?.string)
            for _ in 0..<3 {
                #expect(try await fixture.visit("/\(slug)", method: "HEAD").status == 302)
                #expect(try await fixture.visit("/\(slug)").status == 302)
            }
            for _ in 0..<2 {
                let answer = try await fixture.visit("/\(slug)", headers: [("Accept", "application/json")])
                #expect(answer.status == 410)
                #expect(answer.problem == "link-exhausted")
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func followsTheApplicationsOwnPages(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.news]) { fixture in
            let host = "news.example.com"
            let unknown = try await fixture.visit("/nothing", host: host)
            #expect(unknown.status == 302)
            #expect(unknown[header: "Location"] == "https://news.example.org/where")
            let slug = try #require(
                try await fixture.create(
                    #"{"urls": {"web": "https://a.example/"}, "expiresAt": "2026-11-21T09:00:00Z"}"#)["slug"]?.string)
            let expired = try await fixture.visit("/\(slug)", host: host)
            #expect(expired.status == 302)
            #expect(expired[header: "Location"] == "https://news.example.org/old")
            // Who only looks is led nowhere.
            for (target, status) in [("/nothing+", 404), ("/\(slug)+", 410)] {
                let looked = try await fixture.visit(target, host: host)
                #expect(looked.status == status)
                #expect(looked[header: "Location"] == nil)
            }
            let live = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            #expect(try await fixture.visit("/\(live)", host: host).status == 307)
        }
    }

    @Test(arguments: [
        ("?color=red", "https://a.example/p?size=1&color=red#top"),
        ("?size=9", "https://a.example/p?size=1#top"),
        ("?_hk_cid=x&_hk_md=1&a=b", "https://a.example/p?size=1&a=b#top"),
        ("?q=%23x%26y", "https://a.example/p?size=1&q=%23x%26y#top"),
        ("", "https://a.example/p?size=1#top"),
    ])
    func addsTheClicksQuery(query: String, location: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(
                try await fixture.create(#"{"urls": {"web": "https://a.example/p?size=1#top"}}"#)["slug"]?.string)
            #expect(try await fixture.visit("/\(slug)\(query)")[header: "Location"] == location)
            #expect(try await fixture.visit("/\(slug)")[header: "Location"] == "https://a.example/p?size=1#top")
        }
    }

    @Test func leavesTheClicksQueryOutWhereTheLinkSaysSo() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(
                try await fixture.create(
                    #"{"urls": {"web": "https://a.example/"}, "forwardQuery": false}"#)["slug"]?.string)
            #expect(try await fixture.visit("/\(slug)?a=b")[header: "Location"] == "https://a.example/")
        }
    }

    @Test(arguments: [
        ("/x?a=%0d%0aSet-Cookie:x", 400), ("/x?a=%00", 400), ("/x?a=%7f", 400),
        ("/%78", 302), ("/%2578", 404), ("/x/", 302), ("/x/y", 404), ("/", 404), ("//x", 404), ("/x%2f", 302),
        ("/..", 404), ("/../x", 404), ("/%2e%2e", 404), ("/x%0d%0a", 404), ("/%ff", 404), ("/x%20", 302),
        ("/x+", 200), ("/y+", 404), ("/+", 404), ("/x++", 404), ("/v1", 404), ("/lazy", 404), ("/api", 404),
        ("/_", 404),
        ("/\(String(repeating: "a", count: 129))", 404),
    ])
    func answersOddAddresses(target: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            let answer = try await fixture.visit(target)
            #expect(answer.status == status)
            #expect(answer[header: "Set-Cookie"] == nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func servesNobodyElsesHost(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            for host in ["other.example", "127.0.0.1", "go.example.com.evil.example"] {
                #expect(try await fixture.visit("/x", host: host).status == 404)
            }
            for host in ["go.example.com", "GO.Example.COM", "go.example.com:8080", "go.example.com."] {
                #expect(try await fixture.visit("/x", host: host).status == 302, "\(host)")
            }
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func followsLinksWithGETOnly(method: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(method, "/x")
            #expect(answer.status == 405)
            #expect(answer[header: "Allow"] == "GET, HEAD")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func servesEveryHostWhereTheApplicationNamesNone(transportKind: TransportKind) async throws {
        let demo = #"{"id": "demo", "domains": [], "web": {"baseURL": "https://shop.example.com"}}"#
        try await SiteFixture.run(transportKind, applications: [demo]) { fixture in
            let link = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            #expect(link["domain"]?.string == "localhost")
            for host in ["localhost:8080", "127.0.0.1", "anything.example"] {
                #expect(try await fixture.visit("/x", host: host).status == 302)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func sendsAnAppleDeviceFromTheOpenHostToTheStore(transportKind: TransportKind) async throws {
        let shop = SiteFixture.shop.replacing(
            "\"baseURL\": \"https://go.example.com\",",
            with: "\"baseURL\": \"https://go.example.com\", \"openHost\": \"open.example.com\",")
        try await SiteFixture.run(transportKind, applications: [shop]) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            #expect(page.text.contains("href=\"https://open.example.com/\(slug)?_hk_cid="))
            let arrived = try await fixture.visit("/\(slug)?_hk_cid=x", as: Agent.iphone, host: "open.example.com")
            #expect(arrived.status == 302)
            #expect(arrived[header: "Location"] == "https://apps.apple.com/app/id123456789")
            try await fixture.service.clicks.flush()
            #expect(try await fixture.call("GET", "/api/v1/links/\(slug)").json["clicks"]?.integer == 1)
        }
    }

    @Test func showsAMacTheWayAroundItsAppToo() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(
                try await fixture.create(#"{"urls": {"web": "https://a.example/?a&b", "macos": "shop://desk"}}"#)[
                    "slug"]?
                    .string)
            let page = try await fixture.visit("/\(slug)", as: Agent.mac)
            #expect(page.text.contains("href=\"shop://desk?_hk_cid="))
            #expect(page.text.contains(" href=\"https://a.example/?a&amp;b\">"))
            #expect(page.text.contains("data-mac=\"\""))
            #expect(page.text.contains("/_/open.js"))
            #expect(!page.text.contains("refresh"))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func showsWhereALinkLeadsWithoutGoingThere(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let desktop = try await fixture.visit("/\(slug)+")
            #expect(desktop.status == 200)
            #expect(desktop.text.contains("<code>https://shop.example.com/products/42?referrer=ana</code>"))
            let phone = try await fixture.visit("/\(slug)+", as: Agent.iphone)
            #expect(phone.text.contains("<code>shop://products/42?referrer=ana"))
            #expect(!phone.text.contains("_hk_cid"))
            #expect(!phone.text.contains("open.js"))
            _ = try await fixture.call("PATCH", "/api/v1/links/\(slug)", #"{"disabled": true}"#)
            #expect(try await fixture.visit("/\(slug)+").status == 410)
            try await fixture.service.clicks.flush()
            #expect(try await fixture.call("GET", "/api/v1/links/\(slug)").json["clicks"]?.integer == 0)
        }
    }
}
