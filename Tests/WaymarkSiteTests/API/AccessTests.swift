import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkStores
import WaymarkTLS

/// Who may do what, with which key.
@Suite struct AccessTests {
    private static let routes: [(String, String, String?)] = [
        ("POST", "/api/v1/links", SiteFixture.plain), ("GET", "/api/v1/links", nil),
        ("POST", "/api/v1/links:batch", "[]"), ("GET", "/api/v1/links/x", nil), ("PATCH", "/api/v1/links/x", "{}"),
        ("DELETE", "/api/v1/links/x", nil), ("GET", "/api/v1/links/go.example.com/x", nil),
        ("PATCH", "/api/v1/links/go.example.com/x", "{}"), ("DELETE", "/api/v1/links/go.example.com/x", nil),
        ("GET", "/api/v1/links/go.example.com/x/metadata", nil), ("POST", "/api/v1/resolve", "{}"),
        ("GET", "/api/v1/apps", nil), ("GET", "/api/v1/apps/shop", nil), ("PUT", "/api/v1/apps/shop", "{}"),
        ("DELETE", "/api/v1/apps/shop", nil), ("GET", "/api/v1/keys", nil), ("POST", "/api/v1/keys", "{}"),
        ("DELETE", "/api/v1/keys/x", nil), ("GET", "/api/v1/people", nil), ("POST", "/api/v1/people", "{}"),
        ("GET", "/api/v1/people/x", nil), ("PATCH", "/api/v1/people/x", "{}"), ("DELETE", "/api/v1/people/x", nil),
        ("POST", "/api/v1/people:invite", "{}"),
    ]

    @Test(arguments: TransportKind.allCases)
    func asksForAKeyEverywhere(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            for (method, path, body) in Self.routes {
                for key in [nil, "wm_" + String(repeating: "0", count: 40), "wm_short", ""] {
                    let answer = try await fixture.call(method, path, body, key: key)
                    #expect(answer.status == 401, "\(method) \(path)")
                    #expect(answer[header: "WWW-Authenticate"] == "Bearer")
                    #expect(answer.problem == "key-unknown")
                    #expect(answer[header: "Cache-Control"] == "no-store")
                }
            }
        }
    }

    /// RFC 9110 section 11.1: the scheme in whatever case, then one or more spaces, then the key.
    @Test(arguments: [
        ("Bearer KEY", 200), ("bearer KEY", 200), ("BEARER KEY", 200), ("Bearer   KEY", 200), ("BearerKEY", 401),
        ("KEY", 401), ("Bearer", 401), ("Bearer ", 401), ("Basic KEY", 401), ("Bearer KEY KEY", 401),
        ("Bearer KEY,", 401), ("Bearer\tKEY", 401), ("Bearer k", 401), ("\u{201C}earer KEY", 401),
    ])
    func readsTheKeyBehindItsScheme(authorization: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let value = authorization.replacing("KEY", with: SiteFixture.adminKey)
            let answer = try await fixture.client.send(
                TestRequest("GET", "/api/v1/apps", headers: [("Authorization", value)]))
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [
        ("resolve", ["POST /api/v1/resolve", "GET /api/v1/apps/shop"]),
        ("create", ["POST /api/v1/links", "GET /api/v1/apps", "GET /api/v1/apps/shop"]),
        (
            "read",
            [
                "GET /api/v1/links", "GET /api/v1/links/x", "GET /api/v1/links/go.example.com/x", "GET /api/v1/apps",
                "GET /api/v1/apps/shop",
            ]
        ),
        (
            "links",
            [
                "GET /api/v1/apps", "GET /api/v1/apps/shop",
                "POST /api/v1/links", "GET /api/v1/links", "POST /api/v1/links:batch", "GET /api/v1/links/x",
                "PATCH /api/v1/links/x", "DELETE /api/v1/links/x", "GET /api/v1/links/go.example.com/x",
                "PATCH /api/v1/links/go.example.com/x", "DELETE /api/v1/links/go.example.com/x", "POST /api/v1/resolve",
            ]
        ),
    ])
    func holdsAKeyToItsScope(scope: String, allowed: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let key = try await fixture.key([scope])
            for (method, path, body) in Self.routes {
                let answer = try await fixture.call(method, path, body, key: key)
                if allowed.contains("\(method) \(path)") {
                    #expect(answer.problem != "scope-missing" || scope == "create", "\(method) \(path)")
                    #expect(answer.status != 401)
                } else {
                    #expect(answer.status == 403, "\(method) \(path)")
                    #expect(answer.problem == "scope-missing")
                }
            }
        }
    }

    @Test(arguments: [
        (#"{"route": "products/:product_id", "routeParameters": {"product_id": "1"}}"#, 201),
        (#"{"urls": {"web": "https://shop.example.com/sale"}}"#, 201),
        (#"{"urls": {"web": "https://shop.example.com/sale", "ios": "shop://sale"}}"#, 201),
        (#"{"urls": {"web": "https://evil.example/"}}"#, 403),
        (#"{"urls": {"web": {"link": "https://shop.example.com/", "fallback": "https://evil.example/"}}}"#, 403),
        (#"{"urls": {"web": "https://shop.example.com/", "ios": "https://evil.example/"}}"#, 403),
        (#"{"slug": "mine", "urls": {"web": "https://shop.example.com/"}}"#, 403),
        (#"{"route": "other/route", "urls": {"web": "https://shop.example.com/"}}"#, 403),
    ])
    func letsAnAppCreateOnlyFromItsApplication(body: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let key = try await fixture.key(["create"], app: "shop")
            let answer = try await fixture.call("POST", "/api/v1/links", body, key: key)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func keepsApplicationsApart(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let key = try await fixture.key(["links"], app: "news")
            _ = try await fixture.create(#"{"app": "shop", "slug": "x", "urls": {"web": "https://a.example/"}}"#)
            let foreign = try await fixture.call(
                "POST", "/api/v1/links", #"{"app": "shop", "urls": {"web": "https://a.example/"}}"#, key: key)
            #expect(foreign.status == 403)
            let own = try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, key: key)
            #expect(own.status == 201)
            #expect(own.json["app"]?.string == "news")
            #expect(try await fixture.call("GET", "/api/v1/links/go.example.com/x", key: key).status == 404)
            #expect(try await fixture.call("DELETE", "/api/v1/links/x", key: key).status == 404)
            #expect(
                try await fixture.call("GET", "/api/v1/links", key: key).json["links"]?.array?.count == 1)
            let resolve = #"{"smartlink": "https://go.example.com/x"}"#
            #expect(try await fixture.call("POST", "/api/v1/resolve", resolve, key: key).status == 404)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func makesListsAndRevokesKeys(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let made = try await fixture.call(
                "POST", "/api/v1/keys",
                #"{"name": "phone", "app": "shop", "scopes": ["resolve"], "expiresAt": "2027-01-01T00:00:00Z"}"#)
            #expect(made.status == 201)
            let id = try #require(made.json["id"]?.string)
            let key = try #require(made.json["key"]?.string)
            #expect(key.wholeMatch(of: /wm_[0-9A-Za-z]{32,}/) != nil)
            let list = try await fixture.call("GET", "/api/v1/keys")
            #expect(list.json["keys"]?.array?.count == 1)
            #expect(!list.text.contains(key))
            #expect(try await fixture.call("POST", "/api/v1/resolve", "{}", key: key).status == 422)
            #expect(try await fixture.call("DELETE", "/api/v1/keys/\(id)").status == 204)
            #expect(try await fixture.call("POST", "/api/v1/resolve", "{}", key: key).status == 401)
            #expect(try await fixture.call("DELETE", "/api/v1/keys/\(id)").status == 404)
        }
    }

    @Test func refusesAKeyThatHasExpired() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "x", "scopes": ["links"], "expiresAt": "2026-11-21T10:00:10Z"}"#)
            let key = try #require(made.json["key"]?.string)
            #expect(try await fixture.call("GET", "/api/v1/links", key: key).status == 200)
            fixture.clock.advance(seconds: 11)
            #expect(try await fixture.call("GET", "/api/v1/links", key: key).status == 401)
        }
    }

    @Test(arguments: [
        (#"{"name": "", "scopes": []}"#, ["name", "scopes"]), (#"{}"#, ["name", "scopes"]),
        (#"{"name": "x", "scopes": ["all", "links"]}"#, ["scopes[0]"]),
        (#"{"name": "x", "scopes": ["links"], "app": "other"}"#, ["app"]),
        (#"{"name": "x", "scopes": ["links"], "expiresAt": "2020-01-01T00:00:00Z"}"#, ["expiresAt"]),
        (#"{"name": "x", "scopes": ["links"], "expiresAt": "tomorrow"}"#, ["expiresAt"]),
        (#"{"name": "a\u0000\r\n", "scopes": ["links"]}"#, ["name"]),
        (
            #"{"name": 5, "scopes": [7, "all"], "app": "other", "expiresAt": "x", "colour": 1}"#,
            ["app", "colour", "expiresAt", "name", "scopes[0]", "scopes[1]"]
        ),
    ])
    func refusesABadKeyBody(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/keys", body)
            #expect(answer.status == 422)
            #expect(answer.fields == fields)
        }
    }

    @Test func aKeyOfOneApplicationCannotMakeItServeEveryHost() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = #"{"domains": ["news.example.com"]}"#
            #expect(try await fixture.call("PUT", "/api/v1/apps/news", made).status == 201)
            let key = try await fixture.key(["admin"], app: "news")
            for body in ["{}", #"{"domains": [], "baseURL": "https://go.example.com"}"#] {
                let answer = try await fixture.call("PUT", "/api/v1/apps/news", body, key: key)
                #expect(answer.status == 403)
                #expect(answer.problem == "scope-missing")
            }
            let named = #"{"domains": ["news.example.com"]}"#
            #expect(try await fixture.call("PUT", "/api/v1/apps/news", named, key: key).status == 200)
        }
    }

    @Test func aReadKeyReadsLinksAndStatisticsAndExplains() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let key = try await fixture.key(["read"])
            let path = "/api/v1/links/go.example.com/\(slug)"
            for read in [path, path + "/clicks", "/api/v1/links"] {
                #expect(try await fixture.call("GET", read, key: key).status == 200)
            }
            let question = #"{"url": "https://go.example.com/\#(slug)"}"#
            #expect(try await fixture.call("POST", "/api/v1/explain", question, key: key).status == 200)
            #expect(try await fixture.call("GET", path + "/metadata", key: key).status == 403)
            #expect(try await fixture.call("DELETE", path, key: key).status == 403)
        }
    }

    @Test(arguments: TransportKind.allCases) func takesAKeyThatIsGiven(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let body = #"{"name": "old", "scopes": ["read"], "key": "an-old-key/with:marks=="}"#
            let made = try await fixture.call("POST", "/api/v1/keys", body)
            #expect(made.status == 201)
            #expect(made.json["lastUsedAt"]?.isNull == true)
            #expect(try await fixture.call("GET", "/api/v1/links", key: "an-old-key/with:marks==").status == 200)
            let again = try await fixture.call("POST", "/api/v1/keys", body)
            #expect(again.status == 409)
            #expect(again.problem == "key-taken")
            let list = try await fixture.call("GET", "/api/v1/keys")
            #expect(!list.text.contains("an-old-key"))
            #expect(list.json["keys"]?.array?.first?["lastUsedAt"]?.string?.hasPrefix("2026-11-21T10:00:0") == true)
            let short = #"{"name": "old", "scopes": ["read"], "key": "too short"}"#
            #expect(try await fixture.call("POST", "/api/v1/keys", short).fields == ["key"])
        }
    }

    @Test func aCredentialIdentifiesOneCaller() async throws {
        let news =
            #"{"id": "news", "domains": ["news.example.com"], "firebase": {"enabled": true, "apiKeys": ["AIzaSy-news-key-123456789"]}}"#
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, news]) { fixture in
            let admin = try await fixture.key(["admin"], app: "shop")
            let theft = #"{"name": "x", "app": "shop", "scopes": ["create"], "key": "AIzaSy-news-key-123456789"}"#
            for key in [admin, SiteFixture.adminKey] {
                let answer = try await fixture.call("POST", "/api/v1/keys", theft, key: key)
                #expect(answer.status == 409 && answer.problem == "key-taken")
                #expect(!answer.text.contains("news"))
            }
            let own = #"{"name": "x", "app": "shop", "scopes": ["create"], "key": "a-text-of-the-shop-123"}"#
            #expect(try await fixture.call("POST", "/api/v1/keys", own, key: admin).status == 201)
            for text in ["a-text-of-the-shop-123", SiteFixture.adminKey] {
                let taken = news.replacing("AIzaSy-news-key-123456789", with: text)
                let answer = try await fixture.call("PUT", "/api/v1/apps/news", taken)
                #expect(answer.status == 409 && answer.problem == "key-taken")
                #expect(!answer.text.contains("shop"))
            }
            #expect(try await fixture.call("PUT", "/api/v1/apps/news", news).status == 200)
        }
    }

    @Test func limitsChosenTextsOfKeysOfAnApplication() async throws {
        try await SiteFixture.run(.inProcess, options: SiteFixture.limitedOptions()) { fixture in
            let admin = try await fixture.key(["admin"], app: "shop")
            var statuses: [Int] = []
            for number in 0..<31 {
                let body =
                    #"{"name": "x", "app": "shop", "scopes": ["read"], "key": "guess-at-a-key-\#(100 + number)-x"}"#
                statuses.append(try await fixture.call("POST", "/api/v1/keys", body, key: admin).status)
            }
            #expect(statuses == Array(repeating: 201, count: 30) + [429])
            _ = try await fixture.key(["read"], app: "shop")
        }
    }

    @Test func limitsAPIKeysOfApplicationsLikeChosenTexts() async throws {
        try await SiteFixture.run(.inProcess, options: SiteFixture.limitedOptions()) { fixture in
            let admin = try await fixture.key(["admin"], app: "shop")
            func put(_ numbers: Range<Int>) async throws -> Int {
                let keys = numbers.map { #""guess-at-a-key-\#(100 + $0)-x""# }.joined(separator: ",")
                let document = SiteFixture.shop.replacing(
                    #""name": "Shop","#,
                    with: #""name": "Shop", "firebase": {"enabled": true, "apiKeys": [\#(keys)]},"#)
                return try await fixture.call("PUT", "/api/v1/apps/shop", document, key: admin).status
            }
            #expect(try await put(0..<20) == 200)
            // Those that the application has are no guesses.
            for _ in 0..<3 { #expect(try await put(0..<20) == 200) }
            #expect(try await put(10..<30) == 200)
            #expect(try await put(30..<31) == 429)
        }
    }

    @Test func hidesOperatorsFromKeysOfAnApplication() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://shop.example.com/"}}"#)
            let (own, foreign) = (try await fixture.key(["links"], app: "shop"), try await fixture.key(["links"]))
            let path = "/api/v1/links/go.example.com/a"
            for (number, key) in [SiteFixture.adminKey, foreign, own].enumerated() {
                let answer = try await fixture.call("PATCH", path, #"{"note": "\#(number)"}"#, key: key)
                #expect(answer.status == 200)
            }
            func names(_ key: String) async throws -> [String] {
                let changes = try await fixture.call("GET", path + "/history", key: key).json["changes"]?.array ?? []
                return changes.compactMap { $0["by"]?["name"]?.string }
            }
            let reader = try await fixture.key(["read"], app: "shop")
            #expect(try await names(reader) == ["test", "operator", "operator", "operator"])
            #expect(try await names(SiteFixture.adminKey) == ["test", "test", "environment", "environment"])
        }
    }

    @Test(arguments: TransportKind.allCases) func acceptsAtOnceAKeyThatAnotherServerMade(transportKind: TransportKind)
        async throws
    {
        let store = try FaultyStore(seed: 1)
        try await SiteFixture.run(transportKind, store: store) { fixture in
            for number in 0..<5 {
                let text = "another-servers-key-\(number)"
                _ = try await store.insert(
                    StoredKey(
                        id: "k\(number)", name: "x", digest: SHA256.digest(of: Array(text.utf8)), application: nil,
                        scopes: [.links], createdAt: fixture.clock.now))
                let made = try await fixture.call(
                    "POST", "/api/v1/links", #"{"app": "shop", "urls": {"web": "https://a.example/"}}"#, key: text)
                #expect(made.status == 201)
                _ = try await store.deleteKey("k\(number)")
                try await fixture.service.keys.refresh()
                #expect(try await fixture.call("GET", "/api/v1/links", key: text).status == 401)
            }
            let unknown = try await fixture.call("POST", "/api/v1/links", "{", key: "a-key-that-nobody-has-made")
            #expect(unknown.status == 401)
            #expect(unknown.problem == "key-unknown")
        }
    }

    @Test func letsAKeyMakeOnlyLesserKeys() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let shop = try await fixture.key(["admin"], app: "shop")
            let own = #"{"name": "x", "app": "shop", "scopes": ["links"]}"#
            #expect(try await fixture.call("POST", "/api/v1/keys", own, key: shop).status == 201)
            let wide = #"{"name": "x", "scopes": ["links"]}"#
            #expect(try await fixture.call("POST", "/api/v1/keys", wide, key: shop).status == 403)
        }
    }

    @Test func sendsTheMetadataOnlyToOperators() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let path = "/api/v1/links/go.example.com/\(slug)/metadata"
            #expect(try await fixture.call("GET", path).text == #"{"coupon": "20"}"#)
            let key = try await fixture.key(["links"])
            #expect(try await fixture.call("GET", path, key: key).status == 403)
        }
    }
}
