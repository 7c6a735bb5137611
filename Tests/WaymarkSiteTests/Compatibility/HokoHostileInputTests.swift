import Testing
import WaymarkJSON
import WaymarkServer

@testable import WaymarkSite

/// HOKO's REST API with input that no SDK sends.
@Suite struct HokoHostileInputTests {
    private func run(
        options: SiteOptions = SiteFixture.options(), _ test: (SiteFixture) async throws -> Void
    ) async throws {
        try await SiteFixture.run(
            .inProcess, applications: [SiteFixture.hokoShop, SiteFixture.news], options: options, test: test)
    }

    private static let posts = [
        "/v2/smartlinks", "/v2/smartlinks/resolve", "/v2/smartlinks/redeem", "/v2/smartlinks/open", "/v2/routes",
        "/v2/installs/ios",
    ]

    private static let notObjects: [[UInt8]] = [
        [], Array("null".utf8), Array("1".utf8), Array("\"a\"".utf8), Array("[{}]".utf8), Array("{'uri': 'a'}".utf8),
        Array("{\"uri\": \"a\"".utf8), Array("{\"uri\": \"a\",}".utf8), Array("{uri: \"a\"}".utf8),
        Array("uri=a".utf8), Array("{\"uri\": \"\\ud800\"}".utf8), [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D],
        [0xFF, 0xFE],
        [UInt8](repeating: UInt8(ascii: "["), count: 100_000),
        Array((String(repeating: "{\"a\":", count: 50_000) + "1" + String(repeating: "}", count: 50_000)).utf8),
    ]

    @Test(arguments: posts)
    func rejectsBodiesThatAreNoObject(path: String) async throws {
        try await run { fixture in
            let token = try await fixture.token("ios")
            for body in Self.notObjects {
                let answer = try await fixture.client.send(
                    TestRequest(
                        "POST", path, host: "api.test", headers: [("Authorization", "Token \(token)")], body: body))
                #expect(answer.status == 400, "\(body.prefix(20)): \(answer.text)")
                #expect(answer.json["status"]?.integer == 5)
            }
        }
    }

    private static let long = String(repeating: "a", count: 70_000)

    @Test(arguments: [
        ("/v2/smartlinks", #"{"uri": "\#(long)"}"#, 422, 9),
        ("/v2/smartlinks", #"{"uri": "a", "metadata": {"a": "\#(long)"}}"#, 422, 9),
        ("/v2/smartlinks", #"{"routes": {"web": {"link": "https://shop.example.com/\#(long)"}}}"#, 422, 9),
        ("/v2/smartlinks", #"{"uri": "a?b=\u0000"}"#, 422, 9), ("/v2/smartlinks", #"{"uri": "a%00"}"#, 422, 9),
        ("/v2/smartlinks", #"{"uri": "a%ff"}"#, 422, 9), ("/v2/smartlinks", #"{"uri": "a/%2e%2e/b"}"#, 422, 9),
        ("/v2/smartlinks", #"{"uri": "a", "redeem_limit": 1.5}"#, 422, 9),
        ("/v2/smartlinks", #"{"uri": "a", "redeem_limit": 99999999999999999999}"#, 422, 9),
        ("/v2/smartlinks", #"{"uri": "a", "unique": "true"}"#, 422, 9),
        ("/v2/smartlinks", #"{"routes": {"web": "https://shop.example.com/"}}"#, 422, 9),
        ("/v2/smartlinks", #"{"routes": {"web": {"link": "https://shop.example.com/", "fallback": 1}}}"#, 422, 9),
        ("/v2/smartlinks", #"{"routes": {"iphone": {"link": "javascript:alert(1)"}}}"#, 422, 9),
        ("/v2/smartlinks", #"{"routes": {"iphone": {"link": "shop://a", "fallback": "javascript:alert(1)"}}}"#, 422, 9),
        ("/v2/smartlinks/resolve", #"{"smartlink": "\#(long)"}"#, 404, 7),
        ("/v2/smartlinks/resolve", #"{"smartlink": "https://go.example.com/\#(long)"}"#, 404, 7),
        ("/v2/smartlinks/resolve", #"{"smartlink": "__banner?uri=https%3A%2F%2Fevil.example%2F"}"#, 404, 7),
        (
            "/v2/smartlinks/resolve", #"{"smartlink": "https://go.example.com/lazy?uri=https%3A%2F%2Fevil.example"}"#,
            404, 7
        ),
        ("/v2/smartlinks/resolve", #"{"smartlink": "https://go.example.com/lazy"}"#, 404, 7),
        ("/v2/smartlinks/redeem", #"{"_hk_sid": "\#(long)"}"#, 404, 7),
        ("/v2/smartlinks/redeem", #"{"_hk_cid": ""}"#, 400, 2),
        ("/v2/smartlinks/redeem", #"{"_hk_sid": "../a"}"#, 404, 7),
        ("/v2/routes", #"{"route": {"path": "\#(long)"}}"#, 422, 8),
        ("/v2/routes", #"{"route": {"path": "../a"}}"#, 422, 8),
        ("/v2/routes", #"{"route": {"path": "a", "device": "\#(long)"}}"#, 422, 8),
        ("/v2/routes", #"{"route": {"path": "a", "device": "\u0007"}}"#, 422, 8),
        ("/v2/routes", #"{"route": {"path": "a", "url_schemes": "shop"}}"#, 422, 8),
        ("/v2/routes", #"{"route": {"path": "a", "url_schemes": [1]}}"#, 422, 8),
        (
            "/v2/routes",
            #"{"route": {"path": "a", "url_schemes": [\#(Array(repeating: #""a""#, count: 17).joined(separator: ","))]}}"#,
            422, 8
        ),
    ])
    func rejectsBadValues(path: String, body: String, http: Int, status: Int) async throws {
        try await run { fixture in
            let answer = try await fixture.hoko("POST", path, body, token: try await fixture.token("web"))
            #expect(answer.status == http, "\(body.prefix(100)): \(answer.text.prefix(300))")
            #expect(answer.json["status"]?.integer == status)
            #expect(answer.text.utf8.count < 1_000)
        }
    }

    @Test(arguments: ["/v2/smartlinks/open", "/v2/installs/android"])
    func acceptsReportsOfAnyURL(path: String) async throws {
        try await run { fixture in
            let token = try await fixture.token("android")
            for url in [
                "", Self.long, "shop://a?_hk_cid=forged", "shop://a?_hk_sid=..", "shop://a?_hk_cid=%ff%00", "?&&=",
            ] {
                let answer = try await fixture.hoko(
                    "POST", path, #"{"deeplink": "\#(url)", "uid": []}"#, token: token)
                #expect(answer.status == 200, "\(url.prefix(40)): \(answer.text)")
            }
        }
    }

    @Test(arguments: [
        "%ff", "%00", "%zz", "%", "..", "%2e%2e", "a%2fb%2fc%2fd%2fe", "%252e", "a.json.json", ".json", "'",
        String(repeating: "a", count: 3_000),
    ])
    func findsNothingByBadCodes(code: String) async throws {
        try await run { fixture in
            let token = try await fixture.token("web")
            for path in ["/v2/smartlinks/\(code)", "/v2/smartlinks/metadata?_hk_sid=\(code)"] {
                let answer = try await fixture.hoko("GET", path, token: token)
                #expect([400, 404].contains(answer.status), "\(path.prefix(60)): \(answer.status)")
            }
        }
    }

    @Test func answersUnsupportedMethods() async throws {
        try await run { fixture in
            let token = try await fixture.token("web")
            let calls = [
                ("PUT", "/v2/smartlinks"), ("DELETE", "/v2/smartlinks/abc"), ("POST", "/v2/smartlinks/abc"),
                ("GET", "/v2/smartlinks/resolve"), ("GET", "/v2/smartlinks/redeem.json"),
                ("GET", "/v2/smartlinks/open/"),
                ("POST", "/v2/smartlinks/metadata"), ("GET", "/v2/routes"), ("GET", "/v2/installs/ios"),
                ("PATCH", "/v2/installs/android"), ("POST", "/v2/version"), ("OPTIONS", "/v2/smartlinks"),
            ]
            for (method, path) in calls {
                let answer = try await fixture.hoko(method, path, method == "GET" ? nil : "{}", token: token)
                #expect(answer.status == 400, "\(method) \(path): \(answer.status)")
                #expect(answer.text == #"{"error":"Unsupported method","status":4}"#)
            }
            let slug = #"{"app": "shop", "slug": "resolve", "urls": {"web": "https://shop.example.com/"}}"#
            _ = try await fixture.create(slug)
            #expect(try await fixture.hoko("GET", "/v2/smartlinks/resolve", token: token).status == 200)
        }
    }

    @Test(arguments: [
        #"{"disabled": true}"#, #"{"expiresAt": "2020-01-01T00:00:00Z"}"#, #"{"validFrom": "2100-01-01T00:00:00Z"}"#,
    ])
    func hidesInactiveLinks(patch: String) async throws {
        try await run { fixture in
            let token = try await fixture.token("web")
            let code = try await fixture.hokoCode(#"{"uri": "products/1"}"#, token: token)
            let change = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(code)", patch)
            try #require(change.status == 200, "\(change.text)")
            let answer = try await fixture.hoko("GET", "/v2/smartlinks/\(code)", token: token)
            #expect(answer.status == 404)
            #expect(answer.text == #"{"error":"Could not find record","status":7}"#)
            let list = try await fixture.hoko("GET", "/v2/smartlinks", token: token)
            #expect(list.json["smartlinks"]?.array == [])
        }
    }

    @Test(arguments: [
        "Token", "Token ", "Token\t", "Token x y", "Bearer x", "Basic eDp5", "token=x", "Token token=\"x\"",
        "Token \u{E9}",
    ])
    func rejectsBadAuthorization(value: String) async throws {
        try await run { fixture in
            let answer = try await fixture.client.send(
                TestRequest("GET", "/v2/version", host: "api.test", headers: [("Authorization", value)]))
            #expect(answer.status == 401)
            #expect(answer.json["status"]?.integer == 3)
        }
    }

    @Test func limitsCallers() async throws {
        var options = SiteFixture.limitedOptions()
        for kind in [CallerLimits.Kind.create, .resolve, .event, .failedAuthentication] {
            options.callerLimits[kind] = RateLimit(perMinute: 1, burst: 1)
        }
        try await run(options: options) { fixture in
            let token = try await fixture.token("android")
            let calls = [
                ("POST", "/v2/smartlinks", #"{"uri": "a"}"#, token),
                ("POST", "/v2/smartlinks/resolve", #"{"smartlink": "https://go.example.com/none"}"#, token),
                ("POST", "/v2/smartlinks/open", #"{"deeplink": "shop://a"}"#, token),
                ("POST", "/v2/smartlinks", "{}", "unknown"),
            ]
            for (method, path, body, token) in calls {
                #expect(try await fixture.hoko(method, path, body, token: token).status != 429)
                let answer = try await fixture.hoko(method, path, body, token: token)
                #expect(answer.status == 429, "\(path)")
                #expect(answer[header: "Retry-After"] != nil)
                #expect(answer.json["status"]?.integer == 6)
            }
        }
    }

    @Test func letsNoOtherOriginRead() async throws {
        let open = SiteFixture.hokoShop.replacing(
            #""name": "Shop","#, with: #""name": "Shop", "cors": {"origins": ["https://shop.example.com"]},"#)
        try await SiteFixture.run(.inProcess, applications: [open]) { fixture in
            let token = try await fixture.token("web")
            for method in ["OPTIONS", "GET"] {
                let answer = try await fixture.client.send(
                    TestRequest(
                        method, "/v2/smartlinks", host: "api.test",
                        headers: [
                            ("Origin", "https://shop.example.com"), ("Access-Control-Request-Method", "POST"),
                            ("Authorization", "Token \(token)"),
                        ]))
                #expect(answer[header: "Access-Control-Allow-Origin"] == nil)
            }
        }
    }
}
