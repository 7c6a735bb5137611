import Testing
import WaymarkHTTP
import WaymarkJSON

@testable import WaymarkSite

/// A query parameter that a route does not know is refused, so that no filter is lost to a typing error.
@Suite struct QueryParameterTests {
    private static let link = "/api/v1/links/go.example.com/a"

    private func refusedFields(_ answer: TestAnswer) -> [String] {
        (answer.json["errors"]?.array ?? []).compactMap { $0["field"]?.string }
    }

    @Test func everyAPIRouteRefusesUnknownParameters() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for route in Site.routes {
                guard case .api(_, let body, _) = route.access else { continue }
                let path = route.path.text.split(separator: "/").map { segment in
                    segment.hasPrefix("{") ? "x" + String(segment.drop { $0 != "}" }.dropFirst()) : String(segment)
                }
                let target = "/" + path.joined(separator: "/") + "?bogus=1&limt=2"
                let answer = try await fixture.call(route.method.name, target, body == .none ? nil : "{}")
                #expect(answer.status == 422, "\(route.method.name) \(target)")
                #expect(refusedFields(answer).prefix(2) == ["bogus", "limt"], "\(route.method.name) \(target)")
            }
        }
    }

    @Test(
        arguments: [
            ("/api/v1/links?foo=1&limit=x&state=zz", ["foo", "limit", "state"]),
            ("/api/v1/audit?limit=x&foo=1&bar=2", ["bar", "foo", "limit"]), ("/api/v1/clicks/live?foo=1", ["foo"]),
            ("/api/v1/audit?format=jsonl&foo=1", ["foo"]), ("/api/v1/links?foo=1", ["foo"]),
            (link + "/history?foo=1&limit=x", ["foo", "limit"]), (link + "/history?foo=1", ["foo"]),
            (link + "?foo=1", ["foo"]), ("/api/v1/links/go.example.com/unknown?foo=1", ["foo"]),
            ("/api/v1/clicks?foo=1&from=x", ["foo", "from"]),
        ] as [(String, [String])], TransportKind.allCases)
    func `unknown parameters come with all other problems`(
        call: (path: String, fields: [String]), transportKind: TransportKind
    ) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            let answer = try await fixture.call("GET", call.path)
            #expect(answer.status == 422 && answer.fields == call.fields, "\(answer.text)")
        }
    }

    @Test func `unknown parameters keep a call from changing anything`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            for (method, body) in [("DELETE", nil), ("PATCH", #"{"title": "new"}"#)] as [(String, String?)] {
                let answer = try await fixture.call(method, Self.link + "?foo=1", body)
                #expect(answer.status == 422 && answer.fields == ["foo"], "\(answer.text)")
            }
            #expect(try await fixture.call("GET", Self.link).json["version"] == 1)
        }
    }

    @Test func theRefusalNamesTheParametersThatThereAre() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("GET", "/api/v1/links?querry=sale")
            #expect(answer.text.contains("the parameters are app, "), "\(answer.text)")
            let none = try await fixture.call("GET", "/api/v1/keys?limit=1")
            #expect(none.text.contains("takes no query parameters"), "\(none.text)")
        }
    }

    @Test(arguments: ["localhost:18200", "LOCALHOST", "127.0.0.1", "127.0.0.1:8080", "%5B%3A%3A1%5D:8080", "::1"])
    func namesOfThisMachineMeanTheLinksWithoutDomains(domain: String) async throws {
        try await SiteFixture.run(.inProcess, applications: [#"{"id": "default", "name": "Links"}"#]) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://shop.example.com/"}}"#)
            let answer = try await fixture.call("GET", "/api/v1/links/\(domain)/sale")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["domain"] == "localhost")
            #expect(try await fixture.call("DELETE", "/api/v1/links/\(domain)/sale").status == 204)
        }
    }

    @Test(arguments: ["go.example.com:443", "GO.example.com", "go.example.com."])
    func aDomainMayCarryAPort(domain: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://shop.example.com/"}}"#)
            #expect(try await fixture.call("GET", "/api/v1/links/\(domain)/sale").status == 200)
            #expect(try await fixture.call("GET", "/api/v1/links/go.example.com:x/sale").status == 404)
            #expect(try await fixture.call("GET", "/api/v1/links/127.0.0.1/sale").status == 404)
        }
    }

    @Test(arguments: ["clicks", "metadata"])
    func aPartOfALinkWithoutItsDomainIsExplained(part: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://shop.example.com/"}}"#)
            let answer = try await fixture.call("GET", "/api/v1/links/sale/\(part)")
            #expect(answer.status == 404)
            #expect(answer.text.contains("/api/v1/links/DOMAIN/SLUG/\(part)"), "\(answer.text)")
        }
    }
}
