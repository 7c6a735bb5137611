import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// `POST /api/v1/links/{domain}/{slug}:rename`, and links under their earlier slugs.
struct LinkRenameTests {
    private static let path = "/api/v1/links/go.example.com/"

    private static func fixtureLink(_ fixture: SiteFixture, _ members: String = "") async throws {
        _ = try await fixture.create(
            #"{"slug": "old", "urls": {"web": "https://a.example/"}, "metadata": {"a": 1}\#(members)}"#)
    }

    private static func rename(
        _ fixture: SiteFixture, _ slug: String = "old", to other: String, headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        try await fixture.call("POST", path + slug + ":rename", #"{"slug": "\#(other)"}"#, headers: headers)
    }

    @Test(arguments: TransportKind.allCases)
    func answersARenamedLinkUnderAllSlugs(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            try await Self.fixtureLink(fixture)
            // In the caches of the event loops.
            for _ in 0..<3 { #expect(try await fixture.visit("/old").status == 302) }
            #expect(try await fixture.visit("/new").status == 404)
            let renamed = try await Self.rename(fixture, to: "new")
            #expect(renamed.status == 200)
            #expect(renamed[header: "ETag"] == "\"2\"")
            #expect(renamed.json["slug"]?.string == "new")
            #expect(renamed.json["smartlink"]?.string == "https://go.example.com/new")
            #expect(renamed.json["aliases"]?.array?.map(\.string) == ["old"])
            let twice = try await Self.rename(fixture, to: "spring/sale")
            #expect(twice.json["aliases"]?.array?.map(\.string) == ["old", "new"])
            for slug in ["old", "new", "spring/sale"] {
                #expect(try await fixture.visit("/" + slug).status == 302)
                #expect(try await fixture.visit("/" + slug + "+").status == 200)
                let segment = slug.replacing("/", with: "%2F")
                for path in [Self.path + segment, "/api/v1/links/" + segment] {
                    let read = try await fixture.call("GET", path)
                    #expect(read.status == 200)
                    #expect(read.json["slug"]?.string == "spring/sale")
                }
                for part in ["metadata", "clicks", "events", "history"] {
                    #expect(try await fixture.call("GET", Self.path + segment + "/" + part).status == 200)
                }
                let resolved = try await fixture.call(
                    "POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/\#(slug)", "platform": "web"}"#)
                #expect(resolved.status == 200)
                #expect(resolved.json["metadata"]?["a"]?.integer == 1)
            }
            try await fixture.service.clicks.flush()
            #expect(try await fixture.call("GET", Self.path + "old").json["clicks"]?.integer == 6)
            let patch = try await fixture.call("PATCH", Self.path + "old", #"{"disabled": true}"#)
            #expect(patch.status == 200)
            for slug in ["old", "new", "spring/sale"] { #expect(try await fixture.visit("/" + slug).status == 410) }
            #expect(try await fixture.call("DELETE", Self.path + "new").status == 204)
            for slug in ["old", "new", "spring/sale"] { #expect(try await fixture.visit("/" + slug).status == 404) }
        }
    }

    @Test func renamesALinkBack() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            _ = try await Self.rename(fixture, to: "new")
            let back = try await Self.rename(fixture, "new", to: "old")
            #expect(back.status == 200)
            #expect(back.json["slug"]?.string == "old")
            #expect(back.json["aliases"]?.array?.map(\.string) == ["new"])
            let again = try await Self.rename(fixture, "new", to: "old")
            #expect(again.status == 200 && again.json["version"]?.integer == 3)
            for slug in ["old", "new"] { #expect(try await fixture.visit("/" + slug).status == 302) }
        }
    }

    @Test func refusesASlugOfAnotherLink() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            _ = try await fixture.create(#"{"slug": "other", "urls": {"web": "https://b.example/"}}"#)
            _ = try await Self.rename(fixture, "other", to: "next")
            for slug in ["other", "next"] {
                let answer = try await Self.rename(fixture, to: slug)
                #expect(answer.status == 409)
                #expect(answer.problem == "slug-taken")
                let new = try await fixture.call(
                    "POST", "/api/v1/links", #"{"slug": "\#(slug)", "urls": {"web": "https://c.example/"}}"#)
                #expect(new.status == 409)
            }
            #expect(try await fixture.visit("/other").status == 302)
        }
    }

    @Test(arguments: [
        (#"{"slug": "qr"}"#, 200), (#"{"slug": "a b"}"#, 422), (#"{"slug": ""}"#, 422), (#"{"slug": "api"}"#, 422),
        (#"{"slug": "a/qr.png"}"#, 422), (#"{"slug": 1}"#, 422), (#"{}"#, 422), (#"{"slug": "b", "x": 1}"#, 422),
        (#"{"slug": "b""#, 400),
    ])
    func namesInvalidBodies(body: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            #expect(try await fixture.call("POST", Self.path + "old:rename", body).status == status)
        }
    }

    @Test func keepsIfMatchAndAccess() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            try await Self.fixtureLink(fixture, #", "app": "shop""#)
            #expect(try await Self.rename(fixture, to: "b", headers: [("If-Match", "\"2\"")]).status == 412)
            #expect(try await Self.rename(fixture, to: "b", headers: [("If-Match", "\"1\"")]).status == 200)
            #expect(try await Self.rename(fixture, "nothing", to: "c").status == 404)
            for (scopes, app, status) in [(["read"], nil, 403), (["links"], "news", 404)] {
                let key = try await fixture.key(scopes, app: app)
                let answer = try await fixture.call(
                    "POST", Self.path + "old:rename", #"{"slug": "d"}"#, key: key)
                #expect(answer.status == status)
            }
            #expect(try await fixture.call("POST", Self.path + "old", "{}").status == 405)
            #expect(try await fixture.call("GET", Self.path + "old:rename").status == 404)
        }
    }

    @Test func refusesMoreAliasesThanALinkMayHave() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLink(fixture)
            for number in 0..<LinkLimits.aliases {
                #expect(try await Self.rename(fixture, to: "s\(number)").status == 200)
            }
            let answer = try await Self.rename(fixture, to: "more")
            #expect(answer.status == 422)
            #expect(answer.fields == ["slug"])
        }
    }
}
