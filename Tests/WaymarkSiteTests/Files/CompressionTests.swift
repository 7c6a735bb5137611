import Testing
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer

@testable import WaymarkSite

/// Which answers are compressed, and which never.
@Suite struct CompressionTests {
    private static let gzip = [("Accept-Encoding", "gzip, deflate, br")]

    @Test func allowsItForResponsesWithoutSecretsOnly() {
        let compressible = Site.routes.filter(\.isCompressible).map { "\($0.method.name) \($0.path.text)" }.sorted()
        #expect(
            compressible == [
                "GET /.well-known/apple-app-site-association", "GET /.well-known/assetlinks.json",
                "GET /.well-known/{file}", "GET /_/", "GET /_/association", "GET /_/docs/", "GET /_/docs/search.json",
                "GET /_/docs/{name}", "GET /_/openapi.json", "GET /_/reference", "GET /_/{file}", "GET /api/v1/apps",
                "GET /api/v1/apps/{id}/routes", "GET /api/v1/clicks", "GET /api/v1/conversions", "GET /api/v1/domains",
                "GET /api/v1/folders", "GET /api/v1/imports", "GET /api/v1/links",
                "GET /api/v1/links/{domain}/{slug}/clicks", "GET /api/v1/links/{domain}/{slug}/events",
                "GET /api/v1/links/{domain}/{slug}/history", "GET /apple-app-site-association", "GET /favicon.ico",
                "GET /metrics",
                "GET /robots.txt",
            ])
    }

    @Test(arguments: ["/_/", "/_/openapi.json", "/_/style.css", "/_/association.js", "/.well-known/assetlinks.json"])
    func compressesPagesAndDocuments(path: String) async throws {
        try await SiteFixture.run(.socket) { fixture in
            let plain = try await fixture.visit(path)
            #expect(plain[header: "Content-Encoding"] == nil)
            #expect(plain[header: "Vary"] == "Accept-Encoding")
            let coded = try await fixture.visit(path, headers: Self.gzip)
            #expect(coded.status == 200)
            #expect(coded[header: "Content-Encoding"] == "gzip")
            #expect(coded[header: "Vary"] == "Accept-Encoding")
            for name in ["Content-Type", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy"] {
                #expect(coded[header: name] == plain[header: name])
            }
            #expect(coded.body == Gzip.compressed(plain.body))
            let head = try await fixture.visit(path, method: "HEAD", headers: Self.gzip)
            #expect(head[header: "Content-Encoding"] == "gzip")
            #expect(head[header: "ETag"] == coded[header: "ETag"])
            let refused = try await fixture.visit(path, headers: [("Accept-Encoding", "gzip;q=0, identity")])
            #expect(refused.body == plain.body)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func compressesFiguresWithoutKeepingThem(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let plain = try await fixture.visit("/metrics")
            let kept = fixture.site.compression.bytes
            let coded = try await fixture.visit("/metrics", headers: Self.gzip)
            #expect(coded[header: "Content-Encoding"] == "gzip")
            #expect(coded[header: "Vary"] == "Accept-Encoding")
            #expect(coded.body.starts(with: [0x1F, 0x8B]))
            #expect(coded.body.count < plain.body.count)
            #expect(fixture.site.compression.bytes == kept)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func compressesListsAndReports(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            for number in 0..<20 {
                _ = try await fixture.create(
                    #"{"slug": "s\#(number)", "urls": {"web": "https://shop.example.com/\#(number)"}}"#)
            }
            for path in ["/api/v1/links", "/api/v1/apps", "/api/v1/clicks?from=2026-11-01&to=2026-11-20"] {
                let plain = try await fixture.call("GET", path)
                #expect(plain[header: "Content-Encoding"] == nil)
                #expect(plain[header: "Vary"] == "Accept-Encoding")
                let kept = fixture.site.compression.bytes
                let coded = try await fixture.call("GET", path, headers: Self.gzip)
                #expect(coded.status == 200, "\(path)")
                #expect(coded[header: "Content-Encoding"] == "gzip", "\(path)")
                #expect(coded[header: "Vary"] == "Accept-Encoding")
                #expect(coded[header: "Cache-Control"] == "no-store")
                #expect(coded.body == Gzip.compressed(plain.body))
                #expect(fixture.site.compression.bytes == kept)
                let refused = try await fixture.call("GET", path, key: nil, headers: Self.gzip)
                #expect(refused[header: "Content-Encoding"] == nil)
            }
            let few = try await fixture.call("GET", "/api/v1/links?limit=1&tag=none", headers: Self.gzip)
            #expect(few[header: "Content-Encoding"] == nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func leavesAlonePiecesThatHoldASecret(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let long = String(repeating: "a long text ", count: 200)
            let link = try await fixture.create(
                """
                {"route": "products/:product_id", "routeParameters": {"product_id": "42"},
                 "metadata": {"coupon": "\(long)"}, "tags": ["\(long.prefix(100))"],
                 "social": {"title": "\(long.prefix(100))", "description": "\(long.prefix(400))"}}
                """)
            let slug = try #require(link["slug"]?.string)
            let query = "?" + String(repeating: "q=aaaaaaaaaaaaaaaa&", count: 20)
            func check(_ answer: TestAnswer, _ what: String) {
                #expect(answer.status < 500, "\(what)")
                #expect(answer[header: "Content-Encoding"] == nil, "\(what)")
                #expect(answer[header: "Vary"]?.contains("Accept-Encoding") != true, "\(what)")
            }
            for (method, path, body) in [
                ("POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/\#(slug)"}"#),
                ("GET", "/api/v1/links/\(slug)", nil), ("GET", "/api/v1/webhooks", nil),
                ("GET", "/api/v1/links/go.example.com/\(slug)/metadata", nil), ("GET", "/api/v1/keys", nil),
                ("GET", "/api/v1/apps/shop", nil), ("POST", "/api/v1/links", #"{"route": "\#(long)"}"#),
            ] {
                check(try await fixture.call(method, path, body, headers: Self.gzip), "\(method) \(path)")
            }
            for agent in [Agent.windows, Agent.iphone, Agent.mac, Agent.crawler] {
                check(try await fixture.visit("/\(slug)\(query)", as: agent, headers: Self.gzip), agent)
                check(try await fixture.visit("/\(slug)+", as: agent, headers: Self.gzip), agent)
            }
            check(try await fixture.visit("/nothing", headers: Self.gzip), "a page about nothing")
        }
    }

    @Test(arguments: TransportKind.allCases, [["gzip"], ["identity", "gzip"], ["br"], ["gzip, identity"]])
    func takesNoCompressedBodies(transportKind: TransportKind, codings: [String]) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/links", SiteFixture.plain, headers: codings.map { ("Content-Encoding", $0) })
            #expect(answer.status == 415)
            #expect(answer.problem == "media-type-unsupported")
            #expect(answer[header: "Accept-Encoding"] == "identity")
            let plain = try await fixture.call(
                "POST", "/api/v1/links", SiteFixture.plain, headers: [("Content-Encoding", "identity")])
            #expect(plain.status == 201)
            let otherType = try await fixture.call(
                "POST", "/api/v1/links", SiteFixture.plain, headers: [("Content-Type", "text/plain")])
            #expect(otherType.status == 415)
            #expect(otherType[header: "Accept-Encoding"] == nil)
        }
    }
}
