import Testing
import WaymarkJSON

/// Slugs of several segments, and a domain without any.
@Suite struct SlugSegmentTests {
    private static let link = #"{"slug": "spring/sale", "urls": {"web": "https://shop.example.com/spring"}}"#

    @Test(arguments: TransportKind.allCases)
    func aLinkOfSeveralSegmentsIsFollowedPreviewedAndDrawn(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let link = try await fixture.create(Self.link)
            #expect(link["smartlink"] == "https://go.example.com/spring/sale")
            // Twice: the second comes from memory.
            for _ in 0..<2 {
                let visit = try await fixture.visit("/spring/sale")
                #expect(visit.status == 302)
                #expect(visit[header: "Location"] == "https://shop.example.com/spring")
            }
            #expect(try await fixture.visit("/spring/sale", method: "HEAD").status == 302)
            #expect(try await fixture.visit("/spring/sale+").status == 200)
            let picture = try await fixture.visit("/spring/sale/qr.png")
            #expect(picture[header: "Content-Type"] == "image/png")
            #expect(try await fixture.visit("/spring/sale/qr.svg").status == 200)
            #expect(try await fixture.visit("/spring/sale", method: "POST").status == 405)
        }
    }

    @Test func underTheAPISuchASlugIsOneSegment() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let created = try await fixture.call("POST", "/api/v1/links", Self.link)
            let address = "/api/v1/links/go.example.com/spring%2Fsale"
            #expect(created[header: "Location"] == address)
            for target in [address, "/api/v1/links/spring%2Fsale", address + "/metadata", address + "/clicks"] {
                #expect(try await fixture.call("GET", target).status == 200, "\(target)")
            }
            let patched = try await fixture.call("PATCH", address, #"{"disabled": true}"#)
            #expect(patched.json["state"] == "disabled")
            #expect(try await fixture.call("DELETE", address).status == 204)
            #expect(try await fixture.visit("/spring/sale").status == 404)
        }
    }

    @Test func resolveAndExplainFindIt() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(Self.link)
            let body = #"{"smartlink": "https://go.example.com/spring/sale"}"#
            #expect(try await fixture.call("POST", "/api/v1/resolve", body).status == 200)
            let explained = try await fixture.call(
                "POST", "/api/v1/explain", #"{"url": "https://go.example.com/spring/sale"}"#)
            #expect(explained.json["link"]?["slug"] == "spring/sale")
            #expect(explained.json["outcome"] == "redirect")
        }
    }

    @Test(arguments: ["api/x", "_/x", "a/qr.png", "a//b", "a/b/c/d/e", "/a", "a/..", ".well-known/x"])
    func `a path of another form is not a slug`(slug: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/links", #"{"slug": "\#(slug)", "urls": {"web": "https://shop.example.com/"}}"#)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.json["errors"]?.array?.first?["field"] == "slug")
        }
    }

    @Test(arguments: [("/api/v1/nothing", "GET", 404), ("/api/v1/resolve", "GET", 405), ("/healthz/x", "GET", 404)])
    func thePathsOfTheServiceStayItsOwn(path: String, method: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.visit(path, method: method)
            #expect(answer.status == status)
        }
    }

    private static let roots: [(members: String, location: String?)] = [
        (#""onRoot": "https://example.com/home""#, "https://example.com/home"),
        (#""onUnknown": "https://example.com/lost""#, "https://example.com/lost"),
        (
            #""onRoot": "https://example.com/home", "onUnknown": "https://example.com/lost""#,
            "https://example.com/home"
        ),
        (#""name": "Shop""#, nil),
    ]

    @Test(arguments: roots)
    func aDomainWithoutASlugLeadsWhereTheApplicationSays(root: (members: String, location: String?)) async throws {
        let application = #"{"id": "shop", "domains": ["go.example.com"], \#(root.members)}"#
        try await SiteFixture.run(.inProcess, applications: [application]) { fixture in
            let answer = try await fixture.visit("/")
            #expect(answer.status == (root.location == nil ? 404 : 302))
            #expect(answer[header: "Location"] == root.location)
            #expect(try await fixture.visit("/", host: "other.example.com").status == 404)
        }
    }
}
