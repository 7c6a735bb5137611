import Testing
import WaymarkJSON

@testable import WaymarkSite

/// HOKO's REST API as its SDKs and callers of its documentation use it: smart links.
@Suite struct HokoSmartlinkTests {
    private func run(_ test: (SiteFixture) async throws -> Void) async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop, SiteFixture.news], test: test)
    }

    private static let paths: [(String, String, String?)] = [
        ("POST", "/v2/smartlinks", #"{"uri": "products/1"}"#), ("GET", "/v2/smartlinks", nil),
        ("GET", "/v2/smartlinks/none", nil), ("POST", "/v2/smartlinks/resolve", "{}"),
        ("GET", "/v2/smartlinks/metadata", nil), ("POST", "/v2/smartlinks/redeem", "{}"),
        ("POST", "/v2/smartlinks/open", #"{"deeplink": "shop://products/1"}"#),
        ("POST", "/v2/routes", #"{"route": {"path": "a/:b"}}"#), ("POST", "/v2/installs/ios", #"{"device": {}}"#),
        ("POST", "/v2/installs/android", "{}"), ("GET", "/v2/version", nil),
    ]

    @Test func answersThreeSpellingsOfEachPathAlike() async throws {
        try await run { fixture in
            let token = try await fixture.token("iphone")
            for (method, path, body) in Self.paths {
                let statuses = try await [path, path + ".json", path + "/"].asyncMap {
                    try await fixture.hoko(method, $0, body, token: token).status
                }
                #expect(Set(statuses).count == 1 && statuses[0] != 405, "\(method) \(path): \(statuses)")
            }
            let other = try await fixture.hoko("DELETE", "/v2/smartlinks.json", token: token)
            #expect(other.status == 400)
            #expect(other.text == #"{"error":"Unsupported method","status":4}"#)
            #expect(try await fixture.hoko("HEAD", "/v2/smartlinks/metadata", token: token).status == 400)
        }
    }

    @Test func `HOKO's API is absent without such an application`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let token = try await fixture.token("web")
            for (method, path, body) in Self.paths {
                for spelling in [path, path + ".json", path + "/"] {
                    let answer = try await fixture.hoko(method, spelling, body, token: token)
                    #expect(answer.status == 404, "\(method) \(spelling)")
                    #expect(answer.json["status"]?.integer != 7)
                }
            }
            #expect(try await fixture.hoko("PUT", "/v2/smartlinks", "{}", token: token).status == 404)
            #expect(try await fixture.visit("/lazy?uri=products%2F1").status == 404)
        }
    }

    @Test func tellsTokensApart() async throws {
        try await run { fixture in
            let revoked = try await fixture.token("web")
            let keys = try await fixture.call("GET", "/api/v1/keys").json["keys"]?.array
            let id = try #require(keys?.first { $0["app"]?.string == "shop" }?["id"]?.string)
            _ = try await fixture.call("DELETE", "/api/v1/keys/\(id)")
            let cases: [(String?, Int)] = [
                (nil, 3), ("", 3), (String(repeating: "0", count: 40), 3), (revoked, 3),
                (try await fixture.token("web", app: "news"), 3), (try await fixture.token(nil), 11),
                (try await fixture.token("web", ["resolve"]), 11), (try await fixture.token("web", ["create"]), 0),
                (try await fixture.token("android", app: nil), 0),
            ]
            for (token, status) in cases {
                let answer = try await fixture.hoko("POST", "/v2/smartlinks", #"{"uri": "/products/1"}"#, token: token)
                #expect(answer.status == (status == 0 ? 200 : 401), "\(answer.text)")
                #expect(answer.json["status"]?.integer == (status == 0 ? nil : status))
                #expect(answer[header: "WWW-Authenticate"] == (status == 0 ? nil : "Token"))
            }
            let unknown = try await fixture.hoko("GET", "/v2/version", token: nil)
            #expect(unknown.text == #"{"error":"Unknown platform token","status":3}"#)
            let bearer = try await fixture.call("GET", "/v2/version")
            #expect(bearer.status == 401)
        }
    }

    @Test(arguments: [
        // Scope, method, path, HTTP status.
        ("create", "GET", "/v2/smartlinks", 401), ("create", "GET", "/v2/version", 401),
        ("create", "GET", "/v2/smartlinks/metadata", 401), ("resolve", "GET", "/v2/version", 200),
        ("resolve", "GET", "/v2/smartlinks", 401), ("resolve", "GET", "/v2/smartlinks/metadata", 400),
        ("links", "GET", "/v2/smartlinks", 200), ("links", "GET", "/v2/version", 200),
        ("links", "GET", "/v2/smartlinks/metadata", 400),
    ])
    func asksForTheScope(scope: String, method: String, path: String, status: Int) async throws {
        try await run { fixture in
            let token = try await fixture.token("web", [scope])
            #expect(try await fixture.hoko(method, path, token: token).status == status)
        }
    }

    /// What the three kinds of `uri` lead to, by template and without one.
    @Test(
        arguments: [
            ("products/42", "https://shop.example.com/products/42", "shop://products/42"),
            ("/products/42/", "https://shop.example.com/products/42", "shop://products/42"),
            (
                "products/42?referrer=ana", "https://shop.example.com/products/42?referrer=ana",
                "shop://products/42?referrer=ana"
            ),
            ("https://shop.example.com/products/42", "https://shop.example.com/products/42", "shop://products/42"),
            ("shop://products/42", "https://shop.example.com/products/42", "shop://products/42"),
            ("products/a b", "https://shop.example.com/products/a%20b", "shop://products/a%20b"),
            ("sale/spring", "https://shop.example.com/sale/spring", "shop://sale/spring"),
            ("/sale?from=mail", "https://shop.example.com/sale?from=mail", "shop://sale?from=mail"),
            ("shop://sale", "https://shop.example.com/sale", "shop://sale"),
            ("https://shop.example.com/sale", "https://shop.example.com/sale", "shop://sale"),
            ("https://other.example/x?y=1#z", "https://other.example/x?y=1#z", nil),
            ("100% off", "https://shop.example.com/100%25%20off", "shop://100%25%20off"),
        ] as [(String, String, String?)])
    func readsTheURI(uri: String, web: String, app: String?) async throws {
        try await run { fixture in
            let token = try await fixture.token("web")
            let body = JSONValue(["uri": JSONValue(uri)] as JSONObject)
            let code = try await fixture.hokoCode(String(decoding: body.bytes(), as: UTF8.self), token: token)
            let answer = try await fixture.hoko("GET", "/v2/smartlinks/\(code)", token: token)
            let routes = answer.json["smartlink"]?["routes"]
            #expect(answer.json["smartlink"]?["code"]?.string == code)
            #expect(routes?["web"]?["link"]?.string == web)
            #expect(routes?["universal"]?["link"]?.string == app)
            #expect(routes?["android"]?["link"]?.string == app)
            #expect(routes?["web"]?["fallback"]?.string == "")
        }
    }

    @Test func takesLinksOfEachPlatformAndGivesThemBack() async throws {
        try await run { fixture in
            let token = try await fixture.token("iphone")
            let routes = #"""
                {"web":{"link":"https://shop.example.com/w","fallback":""},
                 "iphone":{"link":"shop://phone","fallback":"https://apps.example/id1"},
                 "ipad":{"link":"shop://pad","fallback":""},"universal":{"link":"shop://any","fallback":""},
                 "android":{"link":"https://awesome.example/none","fallback":"https://shop.example.com/w"}}
                """#
            for uri in [#""uri": "products/42", "#, #""uri": null, "#, ""] {
                let code = try await fixture.hokoCode(
                    "{\(uri)\"routes\": \(routes), \"metadata\": null}", token: token)
                let answer = try await fixture.hoko("GET", "/v2/smartlinks/\(code).json", token: token)
                #expect(answer.json["smartlink"]?["routes"] == (try JSONValue(parsing: routes)))
                #expect(answer.json["smartlink"]?["tags"]?.array == [])
            }
            let list = try await fixture.hoko("GET", "/v2/smartlinks", token: token)
            #expect(list.json["smartlinks"]?.array?.count == 3)
            let older = try await fixture.hokoCode(
                #"{"uri": "sale", "routes": {"ios": {"link": "shop://sale/ios"}}}"#, token: token)
            let resolved = try await fixture.hoko(
                "POST", "/v2/smartlinks/resolve", #"{"smartlink": "http://go.example.com/\#(older)", "uid": "U1"}"#,
                token: token)
            #expect(resolved.text == #"{"deeplink":"shop://sale/ios"}"#)
        }
    }

    @Test func givesAUniqueLinkAgain() async throws {
        try await run { fixture in
            let token = try await fixture.token("web")
            let unique = #"{"uri": "/products/398291", "unique": true}"#
            let first = try await fixture.hokoCode(unique, token: token)
            #expect(try await fixture.hokoCode(unique, token: token) == first)
            #expect(try await fixture.hokoCode(#"{"uri": "/products/398291"}"#, token: token) != first)
        }
    }

    @Test(arguments: [
        ("{'uri': '/products/1'}", 400, 5), ("", 400, 5), ("[]", 400, 5), ("{", 400, 5), ("{}", 400, 2),
        (#"{"uri": null}"#, 400, 2), (#"{"uri": null, "routes": {}}"#, 400, 2), (#"{"uri": 42}"#, 422, 9),
        (#"{"uri": ""}"#, 422, 9), (#"{"uri": "black://products/1"}"#, 422, 9),
        (#"{"uri": "//other.example"}"#, 422, 9),
        (#"{"uri": "a/../b"}"#, 422, 9), (#"{"uri": "x", "routes": []}"#, 422, 9),
        (#"{"uri": "x", "routes": {"windows": {"link": "https://shop.example.com"}}}"#, 422, 9),
        (#"{"uri": "x", "routes": {"web": {"fallback": ""}}}"#, 422, 9),
        (#"{"uri": "x", "routes": {"web": {"link": "shop://x"}}}"#, 422, 9),
        (#"{"uri": "x", "metadata": []}"#, 422, 9), (#"{"uri": "x", "unique": 1}"#, 422, 9),
        (#"{"uri": "x", "redeem_limit": -1}"#, 422, 9), (#"{"uri": "x", "redeem_limit": "1"}"#, 422, 9),
    ])
    func refusesBadBodies(body: String, http: Int, status: Int) async throws {
        try await run { fixture in
            let answer = try await fixture.hoko(
                "POST", "/v2/smartlinks", body, token: try await fixture.token("web"))
            #expect(answer.status == http, "\(answer.text)")
            #expect(answer.json["status"]?.integer == status)
            #expect(answer.json["error"]?.string?.isEmpty == false)
        }
    }

    @Test func holdsKeysInAppsToTheApplication() async throws {
        try await run { fixture in
            let token = try await fixture.token("iphone", ["create"])
            for (uri, http) in [
                ("products/1", 200), ("sale", 200), ("https://shop.example.com/a", 200), ("https://evil.example/", 401),
            ] {
                let answer = try await fixture.hoko("POST", "/v2/smartlinks", #"{"uri": "\#(uri)"}"#, token: token)
                #expect(answer.status == http, "\(uri): \(answer.text)")
                if http == 401 { #expect(answer.json["status"]?.integer == 11) }
            }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
