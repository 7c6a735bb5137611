import Testing
import WaymarkJSON
import WaymarkLinks

@Suite struct SlugRuleTests {
    private static let insensitive = """
        {"id": "shop", "domains": ["go.example.com"], "slugCase": "insensitive", "web": {"baseURL": "https://shop.example.com"}}
        """
    private static let shop = #"{"id": "shop", "domains": ["go.example.com"]}"#

    @Test(arguments: ["/Sale", "/SALE", "/sale", "/sALE/", "/Gr%C3%B6%C3%9Fe", "/GR%C3%96SSE", "/gr%C3%B6sse"])
    func slugsAreFoundInAnyCase(path: String) async throws {
        try await SiteFixture.run(.socket, applications: [Self.insensitive]) { fixture in
            for slug in ["Sale", "Größe"] {
                let body = #"{"slug": "\#(slug)", "urls": {"web": "https://a.example/\#(slug)"}}"#
                #expect(try await fixture.create(body)["slug"]?.string == slug)
            }
            let isSale = path.lowercased().hasPrefix("/sale")
            let expected = "https://a.example/" + (isSale ? "Sale" : "Gr%C3%B6%C3%9Fe")
            // From the store, from the cache, and from the table of the event loop.
            for _ in 0..<3 { #expect(try await fixture.visit(path)[header: "Location"] == expected) }
            let body = #"{"smartlink": "https://go.example.com\#(path)"}"#
            #expect(try await fixture.call("POST", "/api/v1/resolve", body).json["deeplink"]?.string == expected)
            let explained = try await fixture.call(
                "POST", "/api/v1/explain", #"{"url": "https://go.example.com\#(path)"}"#)
            #expect(explained.json["outcome"]?.string == "redirect")
            if path.hasSuffix("/") { return }
            let link = try await fixture.call("GET", "/api/v1/links/go.example.com\(path)")
            #expect(link.json["smartlink"]?.string?.contains("/Sale") == isSale)
        }
    }

    @Test func changesReachVisitsInEveryCase() async throws {
        try await SiteFixture.run(.socket, applications: [Self.insensitive]) { fixture in
            _ = try await fixture.create(#"{"slug": "Sale", "urls": {"web": "https://a.example/"}}"#)
            let paths = ["/Sale", "/SALE", "/sale"]
            for path in paths { #expect(try await fixture.visit(path)[header: "Location"] == "https://a.example/") }
            let patched = try await fixture.call(
                "PATCH", "/api/v1/links/go.example.com/sALE", #"{"urls": {"web": "https://b.example/"}}"#)
            #expect(patched.status == 200)
            for path in paths { #expect(try await fixture.visit(path)[header: "Location"] == "https://b.example/") }
            let renamed = try await fixture.call(
                "POST", "/api/v1/links/go.example.com/SALE:rename", #"{"slug": "Other"}"#)
            #expect(renamed.status == 200)
            for path in paths + ["/OTHER"] {
                #expect(try await fixture.visit(path)[header: "Location"] == "https://b.example/")
            }
            #expect(try await fixture.call("DELETE", "/api/v1/links/go.example.com/oTHER").status == 204)
            for path in paths + ["/OTHER"] { #expect(try await fixture.visit(path).status == 404) }
        }
    }

    @Test func slugsThatDifferInCaseAloneClash() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.insensitive]) { fixture in
            _ = try await fixture.create(#"{"slug": "Sale", "urls": {"web": "https://a.example/"}}"#)
            _ = try await fixture.create(#"{"slug": "other", "urls": {"web": "https://a.example/"}}"#)
            let taken = try await fixture.call(
                "POST", "/api/v1/links", #"{"slug": "sALE", "urls": {"web": "https://b.example/"}}"#)
            #expect(taken.status == 409 && taken.problem == "slug-taken")
            let renamed = try await fixture.call(
                "POST", "/api/v1/links/go.example.com/other:rename", #"{"slug": "SALE"}"#)
            #expect(renamed.status == 409 && renamed.problem == "slug-taken")
        }
    }

    @Test(arguments: ["API", "healthZ", "Lazy", "V1/x", "sale/QR.PNG"])
    func pathsThatAreNoLinksAreReservedInEveryCase(slug: String) async throws {
        let both = Self.insensitive.replacing(#""slugCase""#, with: #""hoko": {"enabled": true}, "slugCase""#)
        try await SiteFixture.run(.inProcess, applications: [both]) { fixture in
            let body = #"{"slug": "\#(slug)", "urls": {"web": "https://a.example/"}}"#
            let refused = try await fixture.call("POST", "/api/v1/links", body)
            #expect(refused.status == 422)
        }
        try await SiteFixture.run(.inProcess, applications: [Self.shop]) { fixture in
            _ = try await fixture.create(#"{"slug": "\#(slug)", "urls": {"web": "https://a.example/"}}"#)
            let refused = try await fixture.call("PUT", "/api/v1/apps/shop", both)
            #expect(refused.status == 409 && refused.text.contains("go.example.com/\(slug)"))
        }
    }

    @Test func caseIsIgnoredOnlyIfNoTwoLinksClash() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.shop]) { fixture in
            for slug in ["Sale", "sale"] {
                _ = try await fixture.create(#"{"slug": "\#(slug)", "urls": {"web": "https://a.example/\#(slug)"}}"#)
            }
            #expect(try await fixture.visit("/SALE").status == 404)
            let refused = try await fixture.call("PUT", "/api/v1/apps/shop", Self.insensitive)
            #expect(refused.status == 409 && refused.problem == "application-in-use")
            #expect(refused.text.contains("go.example.com/Sale") && refused.text.contains("go.example.com/sale"))
            #expect(try await fixture.visit("/SALE").status == 404)
            #expect(try await fixture.call("DELETE", "/api/v1/links/go.example.com/sale").status == 204)
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", Self.insensitive).status == 200)
            #expect(try await fixture.visit("/SALE")[header: "Location"] == "https://a.example/Sale")
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", Self.shop).status == 200)
            #expect(try await fixture.visit("/SALE").status == 404)
        }
    }

    private static let compatible = ["v1", "v2", "lazy", "v1/x", "v2/smartlinks", "v1/abc/linkStats", "v1/shortLinks"]

    @Test(arguments: compatible)
    func pathsOfCompatibleCallsAreSlugsElsewhere(slug: String) async throws {
        let hoko = #"{"id": "hoko", "domains": ["hoko.example.com"], "hoko": {"enabled": true}}"#
        try await SiteFixture.run(.socket, applications: [Self.shop, hoko]) { fixture in
            let body = #"{"app": "shop", "slug": "\#(slug)", "urls": {"web": "https://a.example/"}}"#
            #expect(try await fixture.call("POST", "/api/v1/links", body).status == 201)
            for _ in 0..<2 {
                #expect(try await fixture.visit("/\(slug)")[header: "Location"] == "https://a.example/")
            }
            #expect(try await fixture.visit("/\(slug)+").status == 200)
            let explained = try await fixture.call(
                "POST", "/api/v1/explain", #"{"url": "https://go.example.com/\#(slug)"}"#)
            #expect(explained.json["link"]?["slug"]?.string == slug)
            // Not where they are served.
            let there = body.replacing(#""app": "shop""#, with: #""app": "hoko""#)
            #expect(try await fixture.call("POST", "/api/v1/links", there).status == 422)
            #expect(try await fixture.visit("/\(slug)", host: "hoko.example.com")[header: "Location"] == nil)
            // Nor may these be served while the link exists.
            for member in [#""firebase": {"enabled": true}"#, #""hoko": {"enabled": true}"#] {
                let served = #"{"domains": ["go.example.com"], \#(member)}"#
                let refused = try await fixture.call("PUT", "/api/v1/apps/shop", served)
                #expect(refused.status == 409 && refused.text.contains("go.example.com/\(slug)"))
            }
        }
    }

    @Test(arguments: compatible)
    func noLinkIsRenamedToPathsOfServedCalls(slug: String) async throws {
        let shop = #"{"id": "shop", "domains": ["go.example.com"], "firebase": {"enabled": true}}"#
        try await SiteFixture.run(.inProcess, applications: [shop]) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://a.example/"}}"#)
            let renamed = try await fixture.call(
                "POST", "/api/v1/links/go.example.com/sale:rename", #"{"slug": "\#(slug)"}"#)
            #expect(renamed.status == 422 && renamed.text.contains("is reserved"))
        }
    }
}
