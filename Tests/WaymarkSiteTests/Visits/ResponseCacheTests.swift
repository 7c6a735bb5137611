import Testing
import WaymarkHTTP
import WaymarkServer

@testable import WaymarkSite

/// Answers that are kept finished are those that would be made anew.
@Suite struct ResponseCacheTests {
    private static let paths = [
        "/.well-known/apple-app-site-association", "/apple-app-site-association", "/.well-known/assetlinks.json",
        "/healthz",
    ]
    private static let gzip = [("Accept-Encoding", "gzip")]

    @Test(arguments: TransportKind.allCases, paths)
    func saysTheSameEachTime(transportKind: TransportKind, path: String) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.shop, SiteFixture.news]) {
            (fixture: SiteFixture) async throws in
            let first = try await fixture.visit(path)
            #expect(first.status == 200)
            for _ in 0..<2 {
                let again = try await fixture.visit(path)
                #expect(again.body == first.body)
                for name in ["Content-Type", "Cache-Control", "ETag", "Vary", "X-Content-Type-Options"] {
                    #expect(again[header: name] == first[header: name], "\(name)")
                }
                let head = try await fixture.visit(path, method: "HEAD")
                #expect(head.status == 200)
                #expect(head.body.isEmpty)
                #expect(head[header: "ETag"] == first[header: "ETag"])
                // A host that nobody has is asked for in between.
                #expect(try await fixture.visit(path, host: "other.example").status == (path == "/healthz" ? 200 : 404))
                #expect(try await fixture.visit(path, method: "POST").status == 405)
                #expect(try await fixture.visit(path + "?a=b").body == first.body)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func sendsEachClientItsCoding(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { (fixture: SiteFixture) async throws in
            let path = Self.paths[2]
            let plain = try await fixture.visit(path)
            for _ in 0..<4 {
                let coded = try await fixture.visit(path, headers: Self.gzip)
                #expect(coded[header: "Content-Encoding"] == "gzip")
                #expect(coded[header: "Vary"] == "Accept-Encoding")
                #expect(coded.body == Gzip.compressed(plain.body))
                #expect(coded[header: "ETag"] != plain[header: "ETag"])
                let again = try await fixture.visit(path)
                #expect(again[header: "Content-Encoding"] == nil)
                #expect(again.body == plain.body)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func followsChangesOfApplications(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { (fixture: SiteFixture) async throws in
            for name in ["one", "two", "three"] {
                let changed = SiteFixture.shop.replacing(
                    "ABCDE12345.com.example.shop", with: "ABCDE12345.com.example.\(name)")
                #expect(try await fixture.call("PUT", "/api/v1/apps/shop", changed).status == 200)
                for _ in 0..<3 {
                    #expect(try await fixture.visit(Self.paths[0]).text.contains("com.example.\(name)"))
                    #expect(try await fixture.visit(Self.paths[1], host: "GO.example.com:443").text.contains(name))
                }
            }
            #expect(try await fixture.call("DELETE", "/api/v1/apps/shop").status == 204)
            #expect(try await fixture.visit(Self.paths[0]).status == 404)
        }
    }

    @Test func `cached responses are counted for their routes`() async throws {
        try await SiteFixture.run(.socket) { (fixture: SiteFixture) async throws in
            for path in Self.paths {
                for _ in 0..<3 { #expect(try await fixture.visit(path).status == 200) }
            }
            let requests = fixture.site.currentStatistics.requests
            for path in Self.paths {
                let counted = requests.answers.filter { $0.route.path == path && $0.status == 200 }.map(\.count)
                #expect(counted == [3], "\(path)")
            }
            // All but the first of each, which was made.
            #expect(requests.count(.ready) == 8)
        }
    }

    /// What a handler keeps ready for a request.
    private static func ready(_ handler: any RequestHandler, _ text: String) -> PreparedResponse? {
        let (head, bytes) = (RequestHead(), Array(text.utf8))
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head),
            let peer = Peer(addressText: "127.0.0.1", role: .public)
        else { return nil }
        if let ready = handler.cachedResponse(to: head, in: bytes.span, from: peer) {
            return ready.takeUnretainedValue()
        }
        _ = handler.respond(to: head, in: bytes.span, from: peer)
        return nil
    }

    @Test func `responses are cached by host and coding`() async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            let handler = fixture.site.makeHandler()
            func get(_ host: String, _ more: String = "") -> String {
                "GET \(Self.paths[0]) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n"
            }
            #expect(Self.ready(handler, get("go.example.com")) == nil)
            #expect(Self.ready(handler, get("go.example.com")) != nil)
            #expect(Self.ready(handler, get("GO.example.com")) == nil)
            #expect(Self.ready(handler, get("other.example")) == nil)
            #expect(Self.ready(handler, get("other.example")) == nil)
            #expect(Self.ready(handler, get("go.example.com", "Accept-Encoding: gzip\r\n"))?.fields == nil)
            let encoded = "GET /%2Ewell-known/apple-app-site-association HTTP/1.1\r\nHost: go.example.com\r\n\r\n"
            #expect(Self.ready(handler, encoded) == nil)
            // Kept again where one of the others had its place, which the seeds decide.
            _ = Self.ready(handler, get("go.example.com"))
            fixture.site.reload()
            #expect(Self.ready(handler, get("go.example.com")) != nil)
        }
    }
}
