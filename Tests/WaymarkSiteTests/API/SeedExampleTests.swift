import Testing
import WaymarkJSON

/// The seeds' own example, from its creation to the coupon that only one receives.
@Suite struct SeedExampleTests {
    @Test(arguments: TransportKind.allCases)
    func `the example gets the responses of the interface`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/links", SiteFixture.product)
            #expect(answer.status == 201)
            let slug = try #require(answer.json["slug"]?.string)
            #expect(slug.wholeMatch(of: /[0-9A-Za-z]{7,}/) != nil)
            #expect(answer[header: "Location"] == "/api/v1/links/go.example.com/\(slug)")
            #expect(answer[header: "ETag"] == "\"1\"")
            #expect(answer[header: "Cache-Control"] == "no-store")
            #expect(answer[header: "Content-Type"] == "application/json")
            #expect(
                answer.text == """
                    {"smartlink":"https://go.example.com/\(slug)","domain":"go.example.com","slug":"\(slug)","app":"shop",\
                    "route":"products/:product_id","routeParameters":{"product_id":"42"},\
                    "queryParameters":{"referrer":"ana"},"urls":{},"hasMetadata":true,"hasPassword":false,"redeemLimit":1,\
                    "redeem":{"limit":1,"used":0,"remaining":1},"state":"active","disabled":false,"validFrom":null,\
                    "expiresAt":null,"maxClicks":null,"clicks":0,"social":null,"campaign":null,"tags":[],\
                    "title":null,"note":null,"folder":null,"managedBy":null,"forwardQuery":true,"createdAt":"2026-11-21T10:00:00Z","updatedAt":"2026-11-21T10:00:00Z","version":1}
                    """)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func leadsADesktopToTheWebPage(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            // The second visit is answered from the finished answers.
            for _ in 0..<3 {
                let answer = try await fixture.visit("/\(slug)")
                #expect(answer.status == 302)
                #expect(answer[header: "Location"] == "https://shop.example.com/products/42?referrer=ana")
                #expect(answer[header: "Cache-Control"] == "private, no-store")
                #expect(answer[header: "Referrer-Policy"] == "strict-origin-when-cross-origin")
                #expect(answer[header: "Vary"]?.contains("User-Agent") == true)
            }
        }
    }

    @Test(arguments: TransportKind.allCases, [Agent.iphone, Agent.ipad])
    func showsAnAppleDeviceAPageWithOneButton(transportKind: TransportKind, agent: String) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let answer = try await fixture.visit("/\(slug)", as: agent)
            #expect(answer.status == 200)
            #expect(answer[header: "Content-Type"] == "text/html; charset=utf-8")
            #expect(answer.text.contains("href=\"shop://products/42?referrer=ana&amp;_hk_cid="))
            #expect(answer.text.contains("_hk_md=1"))
            #expect(answer.text.contains("href=\"https://apps.apple.com/app/id123456789\""))
            #expect(!answer.text.contains("coupon"))
            #expect(answer[header: "Content-Security-Policy"]?.contains("default-src 'none'") == true)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func leadsAndroidToAnIntent(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let answer = try await fixture.visit("/\(slug)", as: Agent.android)
            #expect(answer.status == 302)
            let location = try #require(answer[header: "Location"])
            #expect(location.hasPrefix("intent://products/42?referrer=ana&_hk_cid="))
            #expect(
                location.contains(";scheme=shop;package=com.example.shop;S.browser_fallback_url=https%3A%2F%2Fplay"))
            #expect(location.hasSuffix(";end"))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func givesTheCouponToOneResolveAndOpensForAll(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let body = #"{"smartlink": "https://go.example.com/\#(slug)", "platform": "ios"}"#
            let first = try await fixture.call("POST", "/api/v1/resolve", body)
            #expect(first.status == 200)
            #expect(
                first.text == """
                    {"deeplink":"shop://products/42?referrer=ana","route":"products/:product_id",\
                    "routeParameters":{"product_id":"42"},"queryParameters":{"referrer":"ana"},\
                    "metadata":{"coupon": "20"},\
                    "redeem":{"limit":1,"used":1,"remaining":0,"status":"redeemed"}}
                    """)
            let second = try await fixture.call("POST", "/api/v1/resolve", body)
            #expect(second.status == 200)
            #expect(second.json["metadata"]?.isNull == true)
            #expect(second.json["deeplink"]?.string == "shop://products/42?referrer=ana")
            #expect(
                second.json["redeem"]
                    == (try JSONValue(parsing: #"{"limit":1,"used":1,"remaining":0,"status":"exhausted"}"#)))
            #expect(try await fixture.visit("/\(slug)").status == 302)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func resolvesTheClickIDOfAnOpenedPage(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            let id = try #require(page.text.firstMatch(of: /_hk_cid=([A-Za-z0-9_-]+)/)?.1)
            let answer = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"clickID": "\#(id)", "platform": "iphone"}"#)
            #expect(answer.status == 200)
            #expect(answer.json["metadata"]?["coupon"]?.string == "20")
            let forged = String(id.dropLast()) + (id.hasSuffix("A") ? "B" : "A")
            let refused = try await fixture.call("POST", "/api/v1/resolve", #"{"clickID": "\#(forged)"}"#)
            #expect(refused.status == 404)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func showsMacSafariAPageThatTellsAniPadApart(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let answer = try await fixture.visit("/\(slug)", as: Agent.mac)
            #expect(answer.status == 200)
            #expect(answer.text.contains("data-mac=\"https://shop.example.com/products/42?referrer=ana\""))
            #expect(answer.text.contains("<noscript>"))
            #expect(answer.text.contains("shop://products/42"))
        }
    }
}
