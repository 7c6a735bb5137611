import Testing

@testable import WaymarkSite

/// A server that shows a demonstration.
@Suite struct DemoTests {
    private static let options: SiteOptions = {
        var options = SiteFixture.options()
        options.isDemo = true
        return options
    }()

    @Test(arguments: TransportKind.allCases)
    func `everybody is signed in and may read`(_ transport: TransportKind) async throws {
        try await SiteFixture.run(transport, options: Self.options) { fixture in
            let session = try await fixture.call("GET", "/_/session", key: nil)
            #expect(session.status == 200)
            #expect(session.text.contains(#""scopes":["read"]"#))
            #expect(session.text.contains(#""demo":true"#))
            let links = try await fixture.call("GET", "/api/v1/links", key: nil)
            #expect(links.status == 200)
            let out = try await fixture.call("DELETE", "/_/session", key: nil)
            #expect(out.status == 204)
        }
    }

    @Test(arguments: [
        ("/api/v1/explain", ""), ("/api/v1/explain:difference", #", "from": 1"#),
    ])
    func `questions with a body are answered`(_ path: String, _ more: String) async throws {
        try await SiteFixture.run(.inProcess, options: Self.options) { fixture in
            let body = #"{"url": "https://go.example.com/none"\#(more)}"#
            let answer = try await fixture.call("POST", path, body, key: nil)
            #expect(answer.status != 403, "\(answer.text)")
        }
    }

    @Test(arguments: [
        ("POST", "/api/v1/links"), ("PATCH", "/api/v1/links/go.example.com/x"), ("PUT", "/api/v1/apps/shop"),
        ("DELETE", "/api/v1/links/go.example.com/x"), ("GET", "/api/v1/keys"), ("POST", "/api/v1/keys"),
        ("POST", "/_/session"), ("POST", "/api/v1/resolve"), ("POST", "/api/v1/reports"), ("GET", "/api/v1/webhooks"),
    ])
    func `changes and keys get 403`(_ method: String, _ path: String) async throws {
        try await SiteFixture.run(.inProcess, options: Self.options) { fixture in
            let answer = try await fixture.call(method, path, method == "GET" ? nil : "{}", key: nil)
            #expect(answer.status == 403)
        }
    }
}
