import Testing
import WaymarkJSON

/// One click, and what an app gets of it whichever way it comes: by redirect, page, clipboard, Play's referrer, resolve
/// and claim.
@Suite struct RoundTripTests {
    private static let query = "ref=ana&promo=a%20b&x=%2F%3F%26&utm_source=flyer&e=%C3%A9"
    private static let expected = [
        "own": "1", "ref": "ana", "promo": "a b", "x": "/?&", "utm_source": "flyer", "e": "é",
    ]

    private func create(_ fixture: SiteFixture, slug: String) async throws {
        _ = try await fixture.create(
            #"""
            {"slug": "\#(slug)", "route": "products/:product_id", "routeParameters": {"product_id": "AC/DC é"},
             "queryParameters": {"own": "1"}}
            """#)
    }

    private func parameters(_ answer: TestAnswer) -> [String: String] {
        var parameters: [String: String] = [:]
        for member in answer.json["queryParameters"]?.object?.members ?? [] {
            parameters[member.name] = member.value.string
        }
        return parameters
    }

    @Test(arguments: ["sale", "spring/sale", "東京", "~ana@x", "😀"])
    func bringsTheQueryToTheApp(slug: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await create(fixture, slug: slug)
            let path = "/" + Self.encoded(slug)
            // The redirect of a browser.
            let web = try await fixture.visit("\(path)?\(Self.query)")
            #expect(web[header: "Location"] == "https://shop.example.com/products/AC%2FDC%20%C3%A9?own=1&\(Self.query)")
            // Android, by click ID.
            let intent = try #require(
                try await fixture.visit("\(path)?\(Self.query)", as: Agent.android)[header: "Location"])
            #expect(intent.firstRange(of: "own=1&\(Self.query)&_hk_cid=") != nil)
            let start = try #require(intent.firstRange(of: "_hk_cid=")).upperBound
            let id = intent[start...].prefix { $0 != "&" && $0 != "#" }
            for platform in ["android", "ios", "web"] {
                let answer = try await fixture.call(
                    "POST", "/api/v1/resolve", #"{"clickID": "\#(id)", "platform": "\#(platform)"}"#)
                #expect(answer.status == 200 && parameters(answer) == Self.expected)
            }
            // The ID alone, as apps before have stored it, still names the link.
            let bare = try await fixture.call("POST", "/api/v1/resolve", #"{"clickID": "\#(id.prefix(32))"}"#)
            #expect(bare.status == 200 && parameters(bare) == ["own": "1"])
            // By URL, with a fragment.
            let byURL = try await fixture.call(
                "POST", "/api/v1/resolve",
                #"{"smartlink": "https://go.example.com\#(path)?\#(Self.query)#part/2", "platform": "android"}"#)
            #expect(parameters(byURL) == Self.expected)
            #expect(
                byURL.json["deeplink"]?.string == "shop://products/AC%2FDC%20%C3%A9?own=1&\(Self.query)#part/2")
            // The iPhone's page, and the clipboard.
            let page = try await fixture.visit("\(path)?\(Self.query)", as: Agent.iphone)
            let copied = try #require(page.text.firstRange(of: "data-copy=\"")).upperBound
            let link = page.text[copied...].prefix { $0 != "\"" }.split(separator: "&amp;").joined(separator: "&")
            #expect(link.hasPrefix("https://go.example.com\(path)?\(Self.query)&_hk_cid="))
            let claimed = try await fixture.call(
                "POST", "/api/v1/deferred/claim",
                #"{"app": "shop", "platform": "ios", "installID": "i", "clipboard": "\#(link)#part"}"#)
            #expect(parameters(claimed) == Self.expected)
            #expect(claimed.json["deeplink"]?.string?.hasSuffix("#part") == true)
        }
    }

    @Test(arguments: [
        "sale/", "sale.", "sale,", "sale)", "sale%20", "sale%E2%80%8B", "sale'", "sale!", "sale%22", "sale%EF%BB%BF",
        "spring/sale/", "spring/sale.", "spring/sale%20",
    ])
    func forgivesWhatIsAdded(path: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for slug in ["sale", "spring/sale"] {
                _ = try await fixture.create(#"{"slug": "\#(slug)", "urls": {"web": "https://a.example/\#(slug)"}}"#)
            }
            let slug = path.hasPrefix("spring") ? "spring/sale" : "sale"
            let visit = try await fixture.visit("/\(path)?a=1")
            #expect(visit.status == 302 && visit[header: "Location"] == "https://a.example/\(slug)?a=1")
            #expect(try await fixture.visit("/\(path)+").status == 200)
            #expect(try await fixture.visit("/\(path)", method: "POST").status == 405)
            let resolved = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/\#(path)"}"#)
            #expect(resolved.status == 200)
            let explained = try await fixture.call(
                "POST", "/api/v1/explain", #"{"url": "https://go.example.com/\#(path)"}"#)
            #expect(explained.json["link"]?["slug"]?.string == slug)
        }
    }

    @Test(arguments: ["/api/", "/_/x/", "/sale//x", "/nothing/", "/metrics/"])
    func forgivesNothingElse(path: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://a.example/"}}"#)
            #expect(try await fixture.visit(path).status == 404)
        }
    }

    private static let appending = """
        { "id": "docs", "domains": ["docs.example.com"], "extraPath": "append",
          "ios": {"urlScheme": "docs"}, "web": {"baseURL": "https://docs.example.org"} }
        """

    @Test(
        arguments: [
            ("/sale/more/path", "https://a.example/x/more/path?y=1"),
            ("/sale/more/?z=2", "https://a.example/x/more/?y=1&z=2"),
            ("/sale/", "https://a.example/x?y=1"), ("/sale/a%2Fb", "https://a.example/x/a%2Fb?y=1"),
            ("/sale/a/b/c/d/e/f", "https://a.example/x/a/b/c/d/e/f?y=1"), ("/sale/deep", "https://b.example/"),
            ("/sale/deep/er", "https://b.example/er"), ("/sale//x", "https://a.example/x//x?y=1"),
            ("/sale/c++", "https://a.example/x/c++?y=1"), ("/sale/%2e%2e/x", nil), ("/other/more", nil),
            ("/_/more", nil), ("/api/more", nil),
        ] as [(String, String?)])
    func appendsPathsBehindSlugs(target: String, location: String?) async throws {
        try await SiteFixture.run(.socket, applications: [SiteFixture.shop, Self.appending]) { fixture in
            for (slug, url) in [("sale", "https://a.example/x?y=1"), ("sale/deep", "https://b.example/")] {
                _ = try await fixture.create(
                    #"{"app": "docs", "slug": "\#(slug)", "urls": {"web": "\#(url)", "ios": "docs://x"}}"#)
            }
            for _ in 0..<2 {
                let visit = try await fixture.visit(target, host: "docs.example.com")
                #expect(visit[header: "Location"] == location && visit.status == (location == nil ? 404 : 302))
            }
            guard let location else { return }
            let body = #"{"smartlink": "https://docs.example.com\#(target)"}"#
            #expect(try await fixture.call("POST", "/api/v1/resolve", body).json["deeplink"]?.string == location)
            let explained = try await fixture.call(
                "POST", "/api/v1/explain", #"{"url": "https://docs.example.com\#(target)"}"#)
            #expect(explained.json["outcome"]?.string == "redirect")
        }
    }

    @Test func changesNoOtherHost() async throws {
        let other = #"{"id": "other", "domains": ["other.example"], "onUnknown": "https://other.example.org/"}"#
        try await SiteFixture.run(.inProcess, applications: [Self.appending, other]) { fixture in
            for path in ["/a/b/c/d/e", "/a//b"] {
                let elsewhere = try await fixture.visit(path, host: "other.example")
                #expect(elsewhere[header: "Location"] == nil)
                let unknown = try await fixture.visit(path, host: "docs.example.com")
                #expect(unknown.status == 404)
            }
        }
    }

    @Test func leavesFurtherPathsUnknownElsewhere() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://a.example/"}}"#)
            #expect(try await fixture.visit("/sale/more").status == 404)
            let body = #"{"smartlink": "https://go.example.com/sale/more"}"#
            #expect(try await fixture.call("POST", "/api/v1/resolve", body).problem == "link-unknown")
        }
    }

    @Test func bringsFurtherPathsToTheApp() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, Self.appending]) { fixture in
            _ = try await fixture.create(
                #"{"app": "docs", "slug": "x", "urls": {"web": "https://a.example/", "ios": {"link": "docs://x", "fallback": "web"}}}"#
            )
            let page = try await fixture.visit("/x/more/path?a=1", as: Agent.iphone, host: "docs.example.com")
            let start = try #require(page.text.firstRange(of: "_hk_cid=")).upperBound
            let id = page.text[start...].prefix { $0 != "&" && $0 != "\"" }
            #expect(page.text.firstRange(of: "docs://x/more/path?a=1") != nil)
            let answer = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"clickID": "\#(id)", "platform": "ios"}"#)
            #expect(answer.json["deeplink"]?.string == "docs://x/more/path?a=1")
        }
    }

    private static func encoded(_ slug: String) -> String {
        slug.utf8.map { byte in
            let isPlain = byte < 0x80
            return isPlain ? String(Character(Unicode.Scalar(byte))) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
