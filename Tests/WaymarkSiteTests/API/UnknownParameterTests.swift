import Testing
import WaymarkJSON
import WaymarkTestSupport

@testable import WaymarkSite

@Suite struct UnknownParameterTests {
    private static let link = "/api/v1/links/go.example.com/a"

    @Test(
        arguments: [
            ("/api/v1/links?foo=1&limit=x&state=zz", ["foo", "limit", "state"]),
            ("/api/v1/audit?limit=x&foo=1&bar=2", ["bar", "foo", "limit"]), ("/api/v1/clicks/live?foo=1", ["foo"]),
            ("/api/v1/audit?format=jsonl&foo=1", ["foo"]), ("/api/v1/links?foo=1", ["foo"]),
            (link + "/history?foo=1&limit=x", ["foo", "limit"]), (link + "/history?foo=1", ["foo"]),
            (link + "?foo=1", ["foo"]), ("/api/v1/links/go.example.com/unknown?foo=1", ["foo"]),
            ("/api/v1/clicks?foo=1&from=x", ["foo", "from"]),
        ] as [(String, [String])], TransportKind.allCases)
    func `are reported with all other problems`(
        call: (path: String, fields: [String]), transportKind: TransportKind
    ) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            let answer = try await fixture.call("GET", call.path)
            #expect(answer.status == 422 && answer.fields == call.fields, "\(answer.text)")
        }
    }

    @Test func `keep a call from changing anything`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            for (method, body) in [("DELETE", nil), ("PATCH", #"{"title": "new"}"#)] as [(String, String?)] {
                let answer = try await fixture.call(method, Self.link + "?foo=1", body)
                #expect(answer.status == 422 && answer.fields == ["foo"], "\(answer.text)")
            }
            #expect(try await fixture.call("GET", Self.link).json["version"] == 1)
        }
    }
}
