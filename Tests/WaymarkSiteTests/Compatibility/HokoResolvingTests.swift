import Testing
import WaymarkJSON

@testable import WaymarkSite

/// HOKO's REST API as apps use it once a link has opened them.
@Suite struct HokoResolvingTests {
    private func run(_ test: (SiteFixture) async throws -> Void) async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop, SiteFixture.news], test: test)
    }

    private static let routes = #"""
        {"web":{"link":"https://shop.example.com/w"},"iphone":{"link":"shop://phone"},"ipad":{"link":"shop://pad"},
         "android":{"link":"shop://droid"}}
        """#

    @Test(arguments: [
        ("web", "https://shop.example.com/w"), ("iphone", "shop://phone"), ("ipad", "shop://pad"),
        ("ios", "shop://phone"), ("android", "shop://droid"),
    ])
    func resolvesForThePlatformOfTheToken(platform: String, deeplink: String) async throws {
        try await run { fixture in
            let code = try await fixture.hokoCode(#"{"routes": \#(Self.routes)}"#, token: fixture.token("web"))
            let token = try await fixture.token(platform, ["resolve"])
            for url in ["http://go.example.com/\(code)", "https://go.example.com/\(code)"] {
                let answer = try await fixture.hoko(
                    "POST", "/v2/smartlinks/resolve.json", #"{"smartlink": "\#(url)", "uid": "U1"}"#, token: token)
                #expect(answer.status == 200)
                #expect(answer.text == #"{"deeplink":"\#(deeplink)"}"#)
            }
        }
    }

    @Test func takesARedeemWithEachResolve() async throws {
        try await run { fixture in
            let token = try await fixture.token("iphone")
            let code = try await fixture.hokoCode(
                #"{"uri": "products/42", "metadata": {"coupon": "20"}, "redeem_limit": 1}"#, token: token)
            let body = #"{"smartlink": "http://go.example.com/\#(code)"}"#
            let first = try await fixture.hoko("POST", "/v2/smartlinks/resolve", body, token: token)
            #expect(first.text == #"{"deeplink":"shop://products/42","metadata":{"coupon": "20"}}"#)
            let second = try await fixture.hoko("POST", "/v2/smartlinks/resolve", body, token: token)
            #expect(second.text == #"{"deeplink":"shop://products/42"}"#)
        }
    }

    @Test func takesOneRedeemForEachClick() async throws {
        try await run { fixture in
            let token = try await fixture.token("android")
            let code = try await fixture.hokoCode(
                #"{"uri": "products/42", "metadata": {"coupon": "20"}, "redeem_limit": 2}"#, token: token)
            let clicks = [
                try await fixture.hokoClick(code), try await fixture.hokoClick(code), try await fixture.hokoClick(code),
            ]
            for click in clicks.prefix(2) {
                for _ in 0..<3 {
                    let answer = try await fixture.hoko(
                        "GET", "/v2/smartlinks/metadata.json?_hk_cid=\(click)", token: token)
                    #expect(answer.text == #"{"coupon": "20"}"#)
                    let redeemed = try await fixture.hoko(
                        "POST", "/v2/smartlinks/redeem", #"{"_hk_cid": "\#(click)"}"#, token: token)
                    #expect(redeemed.status == 200)
                }
            }
            for (method, path, body) in [
                ("GET", "/v2/smartlinks/metadata?_hk_cid=\(clicks[2])", nil),
                ("POST", "/v2/smartlinks/redeem", #"{"_hk_cid": "\#(clicks[2])"}"#),
                ("POST", "/v2/smartlinks/redeem", #"{"_hk_sid": "\#(code)"}"#),
            ] as [(String, String, String?)] {
                let answer = try await fixture.hoko(method, path, body, token: token)
                #expect(answer.status == 409)
                #expect(answer.text == #"{"error":"Too many redeems","status":10}"#)
            }
        }
    }

    @Test func redeemsAClickWhenTheLimitIsRaised() async throws {
        try await run { fixture in
            let token = try await fixture.token("android")
            let code = try await fixture.hokoCode(
                #"{"uri": "products/42", "metadata": {"a": 1}, "redeem_limit": 1}"#, token: token)
            let metadata = "/v2/smartlinks/metadata?_hk_cid="
            let clicks = [try await fixture.hokoClick(code), try await fixture.hokoClick(code)]
            #expect(try await fixture.hoko("GET", metadata + clicks[0], token: token).status == 200)
            #expect(try await fixture.hoko("GET", metadata + clicks[1], token: token).status == 409)
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(code)", #"{"redeemLimit": 3}"#)
            for _ in 0..<2 {
                for click in clicks {
                    #expect(try await fixture.hoko("GET", metadata + click, token: token).status == 200)
                }
            }
            let link = try await fixture.call("GET", "/api/v1/links/go.example.com/\(code)").json
            #expect(link["redeem"]?["used"]?.integer == 2)
        }
    }

    @Test(arguments: [
        ("redeem_limit\": 1", #"{"disabled": true}"#), ("redeem_limit\": 0", #"{"disabled": true}"#),
        ("redeem_limit\": 1", #"{"expiresAt": "2020-01-01T00:00:00Z"}"#),
    ])
    func givesNoMetadataOfAnInactiveLinkAgain(limit: String, patch: String) async throws {
        try await run { fixture in
            let token = try await fixture.token("android")
            let code = try await fixture.hokoCode(
                #"{"uri": "products/42", "metadata": {"a": 1}, "\#(limit)}"#, token: token)
            let target = "/v2/smartlinks/metadata?_hk_cid=\(try await fixture.hokoClick(code))"
            #expect(try await fixture.hoko("GET", target, token: token).status == 200)
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(code)", patch)
            #expect(try await fixture.hoko("GET", target, token: token).status == 404)
        }
    }

    @Test func givesMetadataThatWasAddedAfterTheFirstCall() async throws {
        try await run { fixture in
            let token = try await fixture.token("android")
            let code = try await fixture.hokoCode(#"{"uri": "products/42"}"#, token: token)
            let target = "/v2/smartlinks/metadata?_hk_cid=\(try await fixture.hokoClick(code))"
            #expect(try await fixture.hoko("GET", target, token: token).text == "{}")
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(code)", #"{"metadata": {"a": 1}}"#)
            #expect(try await fixture.hoko("GET", target, token: token).json["a"]?.integer == 1)
        }
    }

    @Test func takesARedeemEachTimeByTheCode() async throws {
        try await run { fixture in
            let token = try await fixture.token("iphone", ["resolve"])
            let maker = try await fixture.token("web")
            let metadata = #""metadata": {"a": [1.50]}"#
            let limited = try await fixture.hokoCode(
                #"{"uri": "products/1", \#(metadata), "redeem_limit": 2}"#, token: maker)
            var statuses: [Int] = []
            for _ in 0..<3 {
                statuses.append(
                    try await fixture.hoko("GET", "/v2/smartlinks/metadata?_hk_sid=\(limited)", token: token).status)
            }
            #expect(statuses == [200, 200, 409])
            let free = try await fixture.hokoCode(
                #"{"uri": "products/1", \#(metadata), "redeem_limit": 0}"#, token: maker)
            for _ in 0..<5 {
                let answer = try await fixture.hoko("GET", "/v2/smartlinks/metadata?_hk_sid=\(free)", token: token)
                #expect(answer.text == #"{"a": [1.50]}"#)
            }
            let without = try await fixture.hokoCode(#"{"uri": "products/1"}"#, token: maker)
            #expect(
                try await fixture.hoko("GET", "/v2/smartlinks/metadata?_hk_sid=\(without)", token: token).text == "{}")
        }
    }

    @Test func knowsOnlyActiveLinksOfTheApplication() async throws {
        try await run { fixture in
            let token = try await fixture.token("iphone")
            let foreign = try await fixture.create(
                #"{"app": "news", "urls": {"web": "https://a.example/"}, "metadata": {"a": 1}}"#)
            let code = try await fixture.hokoCode(#"{"uri": "products/1", "metadata": {"a": 1}}"#, token: token)
            let click = try await fixture.hokoClick(code)
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(code)", #"{"disabled": true}"#)
            let other = try #require(foreign["slug"]?.string)
            let requests: [(String, String, String?)] = [
                ("GET", "/v2/smartlinks/\(other)", nil), ("GET", "/v2/smartlinks/none", nil),
                ("GET", "/v2/smartlinks/metadata?_hk_sid=\(other)", nil),
                ("GET", "/v2/smartlinks/metadata?_hk_sid=\(code)", nil),
                ("GET", "/v2/smartlinks/metadata?_hk_cid=\(click)", nil),
                ("GET", "/v2/smartlinks/metadata?_hk_cid=forged", nil),
                ("POST", "/v2/smartlinks/redeem", #"{"_hk_sid": "none"}"#),
                ("POST", "/v2/smartlinks/resolve", #"{"smartlink": "http://go.example.com/\#(code)"}"#),
                ("POST", "/v2/smartlinks/resolve", #"{"smartlink": "http://news.example.com/\#(other)"}"#),
                ("POST", "/v2/smartlinks/resolve", #"{"smartlink": "http://other.example/x"}"#),
                ("POST", "/v2/smartlinks/resolve", #"{"smartlink": "nonsense"}"#),
                ("POST", "/v2/smartlinks/resolve", #"{"smartlink": "http://news.example.com/lazy?uri=a"}"#),
            ]
            for (method, path, body) in requests {
                let answer = try await fixture.hoko(method, path, body, token: token)
                #expect(answer.status == 404, "\(path) \(body ?? "")")
                #expect(answer.text == #"{"error":"Could not find record","status":7}"#)
            }
        }
    }

    @Test(arguments: [
        ("POST", "/v2/smartlinks/resolve", "{}", 400, 2), ("POST", "/v2/smartlinks/resolve", "'", 400, 5),
        ("POST", "/v2/smartlinks/resolve", #"{"smartlink": 1}"#, 422, 6),
        ("POST", "/v2/smartlinks/redeem", "{}", 400, 2), ("POST", "/v2/smartlinks/redeem", #"{"_hk_cid": 1}"#, 422, 6),
        ("POST", "/v2/smartlinks/open", "{}", 400, 2), ("POST", "/v2/smartlinks/open", #"{"deeplink": []}"#, 422, 6),
        ("POST", "/v2/installs/ios", "{}", 400, 2), ("POST", "/v2/installs/ios", #"{"device": 1}"#, 422, 6),
        ("POST", "/v2/routes", "{}", 400, 2), ("POST", "/v2/routes", #"{"route": {}}"#, 400, 2),
        ("POST", "/v2/routes", #"{"route": []}"#, 422, 8),
        ("POST", "/v2/routes", #"{"route": {"path": "a:b"}}"#, 422, 8),
        ("POST", "/v2/routes", #"{"route": {"path": ""}}"#, 422, 8),
        ("POST", "/v2/routes", #"{"route": {"path": "a", "version": 1}}"#, 422, 8),
    ])
    func saysWhatIsWrong(method: String, path: String, body: String, http: Int, status: Int) async throws {
        try await run { fixture in
            let answer = try await fixture.hoko(method, path, body, token: try await fixture.token("ios"))
            #expect(answer.status == http, "\(answer.text)")
            #expect(answer.json["status"]?.integer == status)
        }
    }

    @Test func countsOpensAndInstallations() async throws {
        try await run { fixture in
            let token = try await fixture.token("android")
            let code = try await fixture.hokoCode(#"{"uri": "products/42"}"#, token: token)
            let click = try await fixture.hokoClick(code)
            for deeplink in ["shop://products/42?_hk_cid=\(click)", "shop://products/42?_hk_sid=\(code)", "shop://x"] {
                for _ in 0..<2 {
                    let answer = try await fixture.hoko(
                        "POST", "/v2/smartlinks/open", #"{"deeplink": "\#(deeplink)", "referrer": null, "uid": "U1"}"#,
                        token: token)
                    #expect(answer.status == 200)
                }
            }
            for deeplink in ["waymark=\(click)&deeplink=shop%3A%2F%2Fproducts%2F42", "shop://products/2"] {
                let answer = try await fixture.hoko(
                    "POST", "/v2/installs/android.json", #"{"deeplink": "\#(deeplink)"}"#, token: token)
                #expect(answer.status == 200)
            }
            let events = try await fixture.call("GET", "/api/v1/links/go.example.com/\(code)/events").json["total"]
            #expect(events?["opens"]?.integer == 3)
            #expect(events?["installs"]?.integer == 1)
        }
    }

    @Test(arguments: [
        ("iphone", "ios", 200), ("ipad", "ios", 200), ("ios", "ios", 200), ("android", "ios", 401), ("web", "ios", 401),
        ("android", "android", 200), ("iphone", "android", 401), ("web", "android", 401),
    ])
    func takesInstallationsOfThePlatform(platform: String, path: String, status: Int) async throws {
        try await run { fixture in
            let body = path == "ios" ? #"{"device": {"os_version": "9.0", "uid": "U"}}"# : #"{"deeplink": "shop://a"}"#
            let answer = try await fixture.hoko(
                "POST", "/v2/installs/\(path)", body, token: try await fixture.token(platform))
            #expect(answer.status == status)
            if status == 401 { #expect(answer.json["status"]?.integer == 11) }
            if status == 200, path == "ios" { #expect(answer.text == #"{"deeplink":null}"#) }
        }
    }

    @Test func keepsTheNewestRegistrationOfEachRoute() async throws {
        try await run { fixture in
            let ios = try await fixture.token("iphone")
            let android = try await fixture.token("android")
            func register(_ path: String, _ version: String, _ token: String) async throws -> TestAnswer {
                try await fixture.hoko(
                    "POST", "/v2/routes.json",
                    #"{"route": {"path": "\#(path)", "device": "iPhone", "build": "7", "version": "\#(version)", "url_schemes": ["shop"]}}"#,
                    token: token)
            }
            #expect(try await register("products/:id", "1.0", ios).text == "{}")
            #expect(try await register("about", "1.0", ios).status == 200)
            let again = try await register("/products/:id/", "1.1", android)
            #expect(again.status == 200)
            #expect(again.text == #"{"warning":"Replaced previously registered route","status":1}"#)
            let routes = try await fixture.call("GET", "/api/v1/apps/shop/routes").json["routes"]?.array
            #expect(routes?.map { $0["path"]?.string } == ["about", "products/:id"])
            #expect(routes?.map { $0["version"]?.string } == ["1.0", "1.1"])
            #expect(routes?.last?["platform"]?.string == "android")
            #expect(routes?.last?["urlSchemes"]?.array?.map(\.string) == ["shop"])
            #expect(try await fixture.call("GET", "/api/v1/apps/news/routes").text == #"{"routes":[]}"#)
            #expect(try await fixture.call("GET", "/api/v1/apps/none/routes").status == 404)
            #expect(try await fixture.hoko("GET", "/v2/version", token: ios).text == #"{"version":"2.5.0"}"#)
        }
    }
}
