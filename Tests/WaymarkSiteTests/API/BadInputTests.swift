import Testing
import WaymarkJSON

/// Bodies, fields and routes as nobody should send them.
@Suite struct BadInputTests {
    @Test(arguments: [
        ("{", 400, "malformed-json"), ("", 400, "malformed-json"), ("{\"a\":1,}", 400, "malformed-json"),
        ("{\"slug\":\"a\",\"slug\":\"b\"}", 400, "malformed-json"), ("\u{FEFF}{}", 400, "malformed-json"),
        ("[]", 422, "invalid-fields"), ("null", 422, "invalid-fields"), ("\"x\"", 422, "invalid-fields"),
        (String(repeating: "[", count: 10_000), 400, "malformed-json"),
    ])
    func refusesABodyThatIsNoLink(body: String, status: Int, type: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/links", body)
            #expect(answer.status == status)
            #expect(answer.problem == type)
        }
    }

    @Test(arguments: [
        ("/api/v1/resolve", "smartlink"), ("/api/v1/explain", "url"),
    ])
    func saysThatAURLIsTooLong(path: String, field: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let url = "https://go.example.com/" + String(repeating: "x", count: 8_000)
            let answer = try await fixture.call("POST", path, #"{"\#(field)": "\#(url)"}"#)
            #expect(answer.status == 422)
            #expect(answer.fields == [field])
            #expect(answer.text.contains("is longer than 8,000 bytes"))
        }
    }

    @Test(arguments: [
        (#"{"urls": {"web": "javascript:alert(1)"}}"#, ["urls.web"]),
        (#"{"urls": {"web": "data:text/html,x"}}"#, ["urls.web"]),
        (#"{"urls": {"web": "https://a.example/", "ios": "javascript:alert(1)"}}"#, ["urls.ios"]),
        (
            #"{"urls": {"web": "https://a.example/", "ios": {"link": "shop://a", "fallback": "data:x"}}}"#,
            ["urls.ios.fallback"]
        ),
        (#"{"urls": {"web": "https://user:pass@a.example/"}}"#, ["urls.web"]),
        (#"{"urls": {"web": "https://a.example/\r\nSet-Cookie: x"}}"#, ["urls.web"]),
        (#"{"urls": {"web": "https://a.example/\u0000"}}"#, ["urls.web"]),
        (#"{"urls": {"desktop": "https://a.example/"}}"#, ["urls.desktop"]),
        (#"{"slug": "api", "urls": {"web": "https://a.example/"}}"#, ["slug"]),
        (#"{"slug": ".well-known", "urls": {"web": "https://a.example/"}}"#, ["slug"]),
        (#"{"slug": "../x", "urls": {"web": "https://a.example/"}}"#, ["slug"]),
        (#"{"slug": "a\u0000b", "urls": {"web": "https://a.example/"}}"#, ["slug"]),
        (#"{"slug": "ä b", "urls": {"web": "https://a.example/"}}"#, ["slug"]),
        (#"{"slug": "", "urls": {"web": "https://a.example/"}}"#, ["slug"]),
        (#"{"domain": "evil.example", "urls": {"web": "https://a.example/"}}"#, ["domain"]),
        (#"{"domain": "a\r\nb", "urls": {"web": "https://a.example/"}}"#, ["domain"]),
        (#"{"app": "nope", "urls": {"web": "https://a.example/"}}"#, ["app"]),
        (
            #"{"app": "nope", "slug": "api", "urls": {"web": "javascript:x", "ios": "shop://x"}, "maxClicks": 0, "x": 1}"#,
            ["app", "maxClicks", "slug", "urls.web", "x"]
        ),
        (#"{"urls": {"web": "https://a.example/"}, "tags": [5, ""], "slug": "."}"#, ["slug", "tags[0]", "tags[1]"]),
        (#"{"route": "products/:product_id"}"#, ["routeParameters.product_id"]),
        (
            #"{"route": "products/:product_id", "routeParameters": {"product_id": "1", "x": "2"}}"#,
            ["routeParameters.x"]
        ),
        (
            #"{"route": "products/:product_id", "routeParameters": {"product_id": ".."}}"#,
            ["routeParameters.product_id"]
        ),
        (#"{"route": "products/:product_id", "routeParameters": {"product_id": ""}}"#, ["routeParameters.product_id"]),
        (#"{"route": "other/:id", "routeParameters": {"id": "1"}}"#, ["route"]),
        (
            #"{"route": "products/:product_id", "routeParameters": {"product_id": null}}"#,
            ["routeParameters.product_id"]
        ),
        (#"{}"#, ["route"]),
        (#"{"urls": {"web": "https://a.example/"}, "redeemLimit": -1}"#, ["redeemLimit"]),
        (#"{"urls": {"web": "https://a.example/"}, "maxClicks": 0}"#, ["maxClicks"]),
        (#"{"urls": {"web": "https://a.example/"}, "expiresAt": "tomorrow"}"#, ["expiresAt"]),
        (#"{"urls": {"web": "https://a.example/"}, "metadata": "x"}"#, ["metadata"]),
        (
            #"{"urls": {"web": "https://a.example/"}, "tags": ["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17"]}"#,
            ["tags"]
        ),
        (
            #"{"urls": {"web": 1}, "slug": true, "colour": "red", "redeemLimit": -5}"#,
            ["colour", "redeemLimit", "slug", "urls.web"]
        ),
    ])
    func namesTheFieldsThatAreWrong(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/links", body)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.problem == "invalid-fields")
            #expect(answer.fields == fields)
            #expect(answer[header: "Set-Cookie"] == nil)
        }
    }

    @Test(arguments: [
        (#"{"domain": "other.example", "slug": "api", "urls": {"web": "https://a.example/"}}"#, ["domain", "slug"]),
        (#"{"domain": "other.example", "colour": 1, "urls": {"web": "https://a.example/"}}"#, ["colour", "domain"]),
        (#"{"domain": "other.example", "urls": {"web": "https://a.example/"}}"#, ["domain"]),
        (#"{"slug": "api", "urls": {"ios": "https://a.example/"}}"#, ["slug"]),
        (#"{"slug": "api", "urls": {"web": 5}}"#, ["slug", "urls.web"]),
    ])
    func namesTheFieldsThatAreWrongForAnApplicationWithoutDomains(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess, applications: [#"{"id": "bare"}"#]) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/links", body)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.fields == fields)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func refusesLargeBodies(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let large = "{\"slug\": \"" + String(repeating: "a", count: 10 << 20) + "\"}"
            for (method, path) in [
                ("POST", "/api/v1/links"), ("POST", "/api/v1/links:batch"), ("POST", "/api/v1/resolve"),
                ("PUT", "/api/v1/apps/x"), ("POST", "/api/v1/keys"), ("PATCH", "/api/v1/links/go.example.com/x"),
            ] {
                let answer = try await fixture.call(method, path, large)
                #expect(answer.status == 413, "\(method) \(path)")
                #expect(answer.problem == "body-too-large")
            }
        }
    }

    @Test func refusesMetadataBeyondSixteenKibibytes() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            func body(_ count: Int) -> String {
                let text = "{\"a\":\"" + String(repeating: "x", count: count - 8) + "\"}"
                return "{\"urls\": {\"web\": \"https://a.example/\"}, \"metadata\": \(text)}"
            }
            #expect(try await fixture.call("POST", "/api/v1/links", body(16_384)).status == 201)
            let answer = try await fixture.call("POST", "/api/v1/links", body(16_385))
            #expect(answer.status == 422)
            #expect(answer.fields == ["metadata"])
        }
    }

    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "*/*"])
    func refusesOtherMediaTypes(type: String?) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for (method, path) in [
                ("POST", "/api/v1/links"), ("POST", "/api/v1/links:batch"), ("POST", "/api/v1/resolve"),
                ("PUT", "/api/v1/apps/x"), ("POST", "/api/v1/keys"), ("PATCH", "/api/v1/links/x"),
            ] {
                var headers = [("Authorization", "Bearer \(SiteFixture.adminKey)")]
                if let type { headers.append(("Content-Type", type)) }
                let answer = try await fixture.client.send(
                    TestRequest(method, path, headers: headers, body: Array("{}".utf8)))
                #expect(answer.status == 415, "\(method) \(path)")
                #expect(answer.problem == "media-type-unsupported")
            }
        }
    }

    @Test(arguments: ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"])
    func takesJSONHoweverItIsWritten(type: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/links", SiteFixture.plain, headers: [("Content-Type", type)])
            #expect(answer.status == 201)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func saysWhichMethodsAPathTakes(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            for (method, path, allowed) in [
                ("DELETE", "/api/v1/links", "GET, HEAD, POST"), ("GET", "/api/v1/resolve", "POST"),
                ("POST", "/api/v1/apps/shop", "GET, HEAD, PUT, DELETE"), ("POST", "/healthz", "GET, HEAD"),
                ("PUT", "/api/v1/links/a/b", "GET, HEAD, PATCH, DELETE"),
            ] {
                let answer = try await fixture.call(method, path)
                #expect(answer.status == 405)
                #expect(answer[header: "Allow"] == allowed)
                #expect(answer.problem == "method-not-allowed")
            }
        }
    }

    @Test(arguments: [
        "/api/v1/nothing", "/api/v2/links", "/api/v1/links/a/b/c", "/api/v1/links/", "/api/v1/../v1/links",
    ])
    func answersUnknownPathsOfTheAPIWithAProblem(path: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("GET", path)
            #expect(answer.status == 404)
            #expect(answer.problem == "resource-unknown")
            #expect(answer[header: "Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: [
        (#"{"smartlink": "https://go.example.com/x", "clickID": "y"}"#, ["clickID"]), (#"{}"#, ["smartlink"]),
        (#"{"smartlink": "shop://x"}"#, ["smartlink"]), (#"{"smartlink": "x"}"#, ["smartlink"]),
        (#"{"smartlink": "https://go.example.com/x", "platform": "symbian"}"#, ["platform"]),
        (
            #"{"smartlink": "javascript:alert(1)", "redeem": "yes", "platform": 5, "y": 1}"#,
            ["platform", "redeem", "smartlink", "y"]
        ),
        (#"{"smartlink": "x", "clickID": "y", "platform": "symbian"}"#, ["clickID", "platform", "smartlink"]),
        (#"{"platform": "symbian"}"#, ["platform", "smartlink"]),
    ])
    func refusesABadResolve(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/resolve", body)
            #expect(answer.status == 422)
            #expect(answer.fields == fields)
        }
    }

    @Test(arguments: [
        "https://go.example.com/", "https://go.example.com/unknown", "https://other.example/x",
        "https://go.example.com/x/y", "https://go.example.com/x%00", "https://go.example.com/..",
    ])
    func knowsNoSuchSmartLink(url: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/resolve", #"{"smartlink": "\#(url)"}"#)
            #expect(answer.status == 404)
            #expect(answer.problem == "link-unknown")
        }
    }
}
