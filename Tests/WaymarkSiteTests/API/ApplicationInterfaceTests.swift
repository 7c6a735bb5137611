import Testing
import WaymarkJSON
import WaymarkService
import WaymarkSite

/// Applying, reading and removing applications.
@Suite struct ApplicationInterfaceTests {
    private static let path = "/api/v1/apps/news"

    @Test(arguments: TransportKind.allCases)
    func appliesReadsReplacesAndDeletes(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: []) { fixture in
            let created = try await fixture.call("PUT", Self.path, SiteFixture.news)
            #expect(created.status == 201)
            #expect(created[header: "Location"] == Self.path)
            let tag = try #require(created[header: "ETag"])
            #expect(created.json == (try JSONValue(parsing: SiteFixture.news)))
            let read = try await fixture.call("GET", Self.path)
            #expect(read.status == 200)
            #expect(read.body == created.body)
            #expect(read[header: "ETag"] == tag)
            let list = try await fixture.call("GET", "/api/v1/apps")
            #expect(list.json["apps"]?.array == [created.json])
            let replaced = try await fixture.call(
                "PUT", Self.path, #"{"domains": ["news.example.com"]}"#, headers: [("If-Match", tag)])
            #expect(replaced.status == 200)
            #expect(replaced.text == #"{"id":"news","domains":["news.example.com"]}"#)
            #expect(replaced[header: "ETag"] != tag)
            let stale = try await fixture.call("PUT", Self.path, "{}", headers: [("If-Match", tag)])
            #expect(stale.status == 412)
            #expect(stale.problem == "version-mismatch")
            #expect(try await fixture.call("DELETE", Self.path, headers: [("If-Match", tag)]).status == 412)
            #expect(try await fixture.call("DELETE", Self.path).status == 204)
            #expect(try await fixture.call("GET", Self.path).status == 404)
            #expect(try await fixture.call("DELETE", Self.path).status == 404)
            #expect(try await fixture.call("PUT", Self.path, "{}", headers: [("If-Match", "*")]).status == 412)
        }
    }

    /// Each scope with each kind of key, and what it reads of an application.
    @Test(arguments: ["resolve", "create", "read", "links", "admin"], [nil, "shop", "news"])
    func showsSummariesToKeysWithoutAdmin(scope: String, app: String?) async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.news, Self.shop]) { fixture in
            let key = try await fixture.key([scope], app: app)
            let list = try await fixture.call("GET", "/api/v1/apps", key: key)
            let one = try await fixture.call("GET", "/api/v1/apps/shop", key: key)
            guard scope != "resolve" else {
                #expect(list.problem == "scope-missing")
                #expect(list.json["detail"]?.string == "This needs a key with the scope read or create.")
                #expect(one.status == (app == "news" ? 404 : 200))
                let identity = #"""
                    {"id": "shop", "domains": ["go.example.com"], "platforms": ["ios", "android", "web"],
                     "urlSchemes": {"ios": "shop", "android": "shop"}}
                    """#
                #expect(try app == "news" || one.json == JSONValue(parsing: identity))
                return
            }
            let expected = try JSONValue(parsing: scope == "admin" ? Self.shop : Self.summary)
            let ids = list.json["apps"]?.array?.compactMap { $0["id"]?.string }
            #expect(ids == (app.map { [$0] } ?? ["news", "shop"]))
            #expect(list.json["apps"]?.array?.contains(expected) == (app != "news"))
            #expect(one.status == (app == "news" ? 404 : 200))
            #expect(app == "news" || one.json == expected)
            #expect((one[header: "ETag"] != nil) == (app != "news" && scope == "admin"))
            for secret in ["AIzaSy", "destinations", "evil.example", "fingerprint", "shop://"] where scope != "admin" {
                #expect(!list.text.contains(secret) && !one.text.contains(secret))
            }
        }
    }

    private static let shop = #"""
        {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "baseURL": "https://go.example.com",
         "ios": {"appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop"},
         "android": {"package": "com.example.shop", "urlScheme": "shop"}, "web": {"baseURL": "https://shop.example.com"},
         "templates": [{"name": "Product", "route": "products/:product_id", "urls": {"ios": "shop://p/:product_id"}}],
         "destinations": {"blockedHosts": ["evil.example"]}, "cors": {"origins": ["https://shop.example.com"]},
         "firebase": {"enabled": true, "apiKeys": ["AIzaSyA-0123456789abcdefghijklmnopqrstu"]},
         "appearance": {"iconURL": "https://shop.example.com/i.png", "accentColor": "#0b6e4f"}}
        """#

    private static let summary = #"""
        {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "routes": ["products/:product_id"],
         "platforms": ["ios", "android", "web"], "urlSchemes": {"ios": "shop", "android": "shop"},
         "appearance": {"iconURL": "https://shop.example.com/i.png", "accentColor": "#0b6e4f"}}
        """#

    @Test func summarizesAnApplicationWithoutDetails() async throws {
        try await SiteFixture.run(.inProcess, applications: [#"{"id": "bare"}"#]) { fixture in
            let key = try await fixture.key(["read"])
            let text = try await fixture.call("GET", "/api/v1/apps/bare", key: key).text
            #expect(
                text
                    == #"{"id":"bare","name":"bare","domains":[],"routes":[],"platforms":[],"#
                    + #""urlSchemes":{"ios":null,"android":null},"#
                    + #""appearance":{"iconURL":null,"accentColor":null}}"#)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func refusesToTakeAwayWhatLinksUse(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(SiteFixture.product)
            let withoutRoute = SiteFixture.shop.replacing("products/:product_id\",\n", with: "other/:product_id\",\n")
            let dropped = try await fixture.call("PUT", "/api/v1/apps/shop", withoutRoute)
            #expect(dropped.status == 409)
            #expect(dropped.problem == "application-in-use")
            #expect(dropped.json["detail"]?.string?.contains("1 link") == true)
            let withoutDomain = SiteFixture.shop.replacing("[\"go.example.com\"]", with: "[\"to.example.com\"]")
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", withoutDomain).status == 409)
            let deleted = try await fixture.call("DELETE", "/api/v1/apps/shop")
            #expect(deleted.status == 409)
            #expect(deleted.problem == "application-in-use")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func refusesAnotherApplicationsDomain(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let answer = try await fixture.call("PUT", "/api/v1/apps/copy", #"{"domains": ["go.example.com"]}"#)
            #expect(answer.status == 409)
            #expect(answer.problem == "domain-taken")
        }
    }

    @Test(arguments: [
        #"{"domains": ["open.example.com"]}"#, #"{"domains": ["x.example.com"], "openHost": "go.example.com"}"#,
        #"{"domains": ["x.example.com"], "openHost": "open.example.com"}"#, #"{"baseURL": "https://go.example.com"}"#,
    ])
    func refusesAnotherApplicationsHost(body: String) async throws {
        try await SiteFixture.run(.inProcess, applications: []) { fixture in
            let shop = #"{"domains": ["go.example.com"], "openHost": "open.example.com"}"#
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", shop).status == 201)
            let answer = try await fixture.call("PUT", "/api/v1/apps/copy", body)
            #expect(answer.status == 409)
            #expect(answer.problem == "domain-taken")
        }
    }

    @Test func bindsTemplatesAtVisitTime() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            for _ in 0..<2 { #expect(try await fixture.visit("/\(slug)").status == 302) }
            let moved = SiteFixture.shop.replacing(
                "\"https://shop.example.com/products/:product_id\"", with: "\"https://shop.example.com/p/:product_id\"")
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", moved).status == 200)
            #expect(
                try await fixture.visit("/\(slug)")[header: "Location"] == "https://shop.example.com/p/42?referrer=ana")
        }
    }

    @Test(arguments: [
        (#"{"id": "other"}"#, ["id"]), (#"{"id": 5}"#, ["id"]),
        (#"{"domains": ["a b", "ok.example"]}"#, ["domains[0]"]),
        (#"{"redirectStatus": 303}"#, ["redirectStatus"]), (#"{"onExpired": "javascript:x"}"#, ["onExpired"]),
        (#"{"schemes": ["javascript"]}"#, ["schemes[0]"]), (#"{"ios": {"urlScheme": "https"}}"#, ["ios.urlScheme"]),
        (#"{"ios": {"appIDs": ["nonsense"]}}"#, ["ios.appIDs[0]"]),
        (
            #"{"android": {"package": "com.example.shop", "sha256CertFingerprints": ["AB"]}}"#,
            ["android.sha256CertFingerprints[0]"]
        ),
        (#"{"templates": [{"route": "a/:b", "urls": {"web": "https://:b.example/"}}]}"#, ["templates[0].urls.web"]),
        (
            #"{"templates": [{"route": "a/:b", "urls": {"ios": {"link": "evil://x", "fallback": "store"}}}]}"#,
            ["templates[0].urls.ios.link"]
        ),
        (#"{"templates": [{"name": "x"}], "colour": 1}"#, ["colour", "templates[0].route"]),
        (#"{"baseURL": "https://go.example.com/path"}"#, ["baseURL"]), ("[]", ["body"]),
        (
            #"{"domains": [5, "a b"], "schemes": [true, "javascript"]}"#,
            ["domains[0]", "domains[1]", "schemes[0]", "schemes[1]"]
        ),
        (
            #"{"templates": [7, {"urls": {}}, {"urls": {}}, {"route": "a/:b:"}]}"#,
            ["templates[0]", "templates[1].route", "templates[2].route", "templates[3].route"]
        ),
    ])
    func namesTheFieldsThatAreWrong(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess, applications: []) { fixture in
            let answer = try await fixture.call("PUT", Self.path, body)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.fields == fields, "\(answer.text)")
        }
    }

    @Test func refusesAnAssociationFileBeyondItsLimit() async throws {
        try await SiteFixture.run(.inProcess, applications: []) { fixture in
            let component = #"{"/": "/\#(String(repeating: "a", count: 200))/*"}"#
            let components = Array(repeating: component, count: 800).joined(separator: ",")
            let answer = try await fixture.call(
                "PUT", Self.path,
                #"{"ios": {"appIDs": ["ABCDE12345.com.example.shop"], "components": [\#(components)]}}"#)
            #expect(answer.status == 422)
            #expect(answer.fields == ["ios"])
        }
    }

    @Test func keepsWhatTheFileAppliedReadOnly() async throws {
        try await SiteFixture.run(.inProcess, applications: []) { fixture in
            guard case .definitions(let definitions) = ApplicationsFile.read(Array("[\(SiteFixture.shop)]".utf8)) else {
                Issue.record("the file is not valid")
                return
            }
            let outcome = try await fixture.service.applications.apply(file: definitions)
            #expect(outcome == .applied(changes: 1))
            let put = try await fixture.call("PUT", "/api/v1/apps/shop", SiteFixture.shop)
            #expect(put.status == 409)
            #expect(put.problem == "application-read-only")
            #expect(try await fixture.call("DELETE", "/api/v1/apps/shop").status == 409)
        }
    }

    @Test(arguments: [
        ("{}", "must be an array of applications, not an object"), ("[{}]", "[0].id is missing"),
        ("[{\"id\": \"a\"}, {\"id\": \"b\", \"x\": 1}]", "[1].x is not a known field"),
        ("[5]", "[0] must be an object, not a number"),
    ])
    func namesWhatIsWrongInAFile(text: String, problem: String) {
        guard case .problems(let problems) = ApplicationsFile.read(Array(text.utf8)) else {
            Issue.record("the file was accepted")
            return
        }
        #expect(problems == [problem])
    }
}
