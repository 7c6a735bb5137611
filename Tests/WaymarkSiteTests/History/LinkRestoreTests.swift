import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService

/// `POST /api/v1/links/{domain}/{slug}:restore`.
struct LinkRestoreTests {
    private static let path = "/api/v1/links/go.example.com/"

    private static func fixtureLink(_ fixture: SiteFixture) async throws {
        _ = try await fixture.create(
            #"{"slug": "a", "urls": {"web": "https://a.example/"}, "tags": ["x"], "metadata": {"kept": 0}}"#)
        _ = try await fixture.call(
            "PATCH", path + "a",
            #"{"urls": {"web": "https://b.example/"}, "tags": ["y"], "title": "B", "metadata": {"kept": 1}}"#)
    }

    private static func restore(
        _ fixture: SiteFixture, _ slug: String = "a", to version: Int, headers: [(String, String)] = [],
        key: String = SiteFixture.adminKey
    ) async throws -> TestAnswer {
        try await fixture.call(
            "POST", path + slug + ":restore", #"{"version": \#(version)}"#, key: key, headers: headers)
    }

    @Test(arguments: TransportKind.allCases)
    func `a restored link leads where it led`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            try await Self.fixtureLink(fixture)
            for _ in 0..<3 {
                #expect(try await fixture.visit("/a")[header: "Location"] == "https://b.example/")
            }
            let answer = try await Self.restore(fixture, to: 1)
            #expect(answer.status == 200)
            #expect(answer[header: "ETag"] == "\"3\"")
            #expect(answer.json["tags"]?.array?.map(\.string) == ["x"])
            #expect(answer.json["title"]?.string == nil)
            for _ in 0..<3 {
                #expect(try await fixture.visit("/a")[header: "Location"] == "https://a.example/")
            }
            let metadata = try await fixture.call("GET", Self.path + "a/metadata")
            #expect(metadata.json["kept"]?.integer == 1)
            #expect(try await fixture.links("tag=x").count == 1)
            let history = try await fixture.call("GET", Self.path + "a/history")
            #expect(history.json["changes"]?.array?.first?["fields"] == ["urls", "tags", "title"])
        }
    }

    @Test func `the slug of a version comes back`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            _ = try await fixture.call("POST", Self.path + "a:rename", #"{"slug": "b"}"#)
            let answer = try await Self.restore(fixture, "b", to: 1)
            #expect(answer.status == 200)
            #expect(answer.json["slug"]?.string == "a")
            #expect(answer.json["aliases"]?.array?.map(\.string) == ["b"])
            for slug in ["/a", "/b"] {
                #expect(try await fixture.visit(slug)[header: "Location"] == "https://a.example/")
            }
            #expect(try await Self.restore(fixture, "a", to: 3).json["slug"]?.string == "b")
        }
    }

    @Test func `counts and the password stay`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"{"slug": "a", "urls": {"web": "https://a.example/"}, "maxClicks": 2, "password": "one"}"#)
            _ = try await fixture.call("PATCH", Self.path + "a", #"{"password": null, "maxClicks": 5}"#)
            for _ in 0..<3 { #expect(try await fixture.visit("/a").status == 302) }
            #expect(try await Self.restore(fixture, to: 1).status == 200)
            // No password, and three clicks are more than the limit of two.
            #expect(try await fixture.visit("/a").status == 410)
            let link = try await fixture.call("GET", Self.path + "a")
            #expect(link.json["clicks"]?.integer == 3)
            #expect(link.json["maxClicks"]?.integer == 2)
        }
    }

    @Test func `unknown versions and links are 404`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            for version in [0, 3, -1, 1_000_000] {
                let answer = try await Self.restore(fixture, to: version)
                #expect(answer.status == 404)
                #expect(answer.json["type"]?.string == "urn:waymark:problem:version-unknown")
            }
            #expect(
                try await Self.restore(fixture, "none", to: 1).json["type"]?.string
                    == "urn:waymark:problem:link-unknown")
        }
    }

    @Test(arguments: ["{}", #"{"version": "1"}"#, #"{"version": 1.5}"#, #"{"version": 1, "more": 2}"#, "[]"])
    func `bodies without a version are refused`(body: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            #expect(try await fixture.call("POST", Self.path + "a:restore", body).status == 422)
        }
    }

    @Test func `values that are no longer valid are named`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"{"slug": "a", "route": "products/:product_id", "routeParameters": {"product_id": "1"}}"#)
            let change = #"{"route": null, "routeParameters": null, "urls": {"web": "https://b.example/"}}"#
            #expect(try await fixture.call("PATCH", Self.path + "a", change).status == 200)
            let without = try #require(JSONValue(parsing: Array(SiteFixture.shop.utf8)).object).without("templates")
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", without.text()).status == 200)
            let answer = try await Self.restore(fixture, to: 1)
            #expect(answer.status == 422)
            #expect(answer.fields.contains { $0.hasPrefix("route") })
        }
    }

    @Test func `a restore respects the version and the key`() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "app": "shop", "urls": {"web": "https://a.example/"}}"#)
            #expect(try await Self.restore(fixture, to: 1, headers: [("If-Match", "\"2\"")]).status == 412)
            #expect(try await Self.restore(fixture, to: 1, headers: [("If-Match", "\"1\"")]).status == 200)
            for (scopes, app, status) in [(["read"], nil, 403), (["links"], "news", 404)] {
                let key = try await fixture.key(scopes, app: app)
                #expect(try await Self.restore(fixture, to: 1, key: key).status == status)
            }
        }
    }
}

extension JSONObject {
    fileprivate func without(_ name: String) -> JSONValue {
        var object = self
        object[name] = nil
        return JSONValue(object)
    }
}
