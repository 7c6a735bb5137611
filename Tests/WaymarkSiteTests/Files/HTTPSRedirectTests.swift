import Foundation
import Testing
import WaymarkServer
import WaymarkSite
import WaymarkTestSupport

/// Listeners that send plain HTTP to HTTPS: the same URL, for hosts of ours, and with exceptions that have to be in clear.
@Suite struct HTTPSRedirectTests {
    private static func options(port: Int = 443, status: Int = 308, folder: String? = nil) -> SiteOptions {
        var options = SiteFixture.options()
        options.secureRedirect.port = port
        options.secureRedirect.isPermanentForMethods = status == 308
        options.secureRedirect.isCertified = { $0 == "www.example.com" }
        if let folder { options.publicFolder = folder }
        return options
    }

    private func run(
        _ options: SiteOptions = options(), _ test: (SiteFixture) async throws -> Void
    ) async throws {
        try await SiteFixture.run(.inProcess, options: options, role: .redirect, test: test)
    }

    @Test(arguments: [
        ("GET", "/spring", "go.example.com", "https://go.example.com/spring"),
        ("HEAD", "/spring", "GO.Example.COM", "https://go.example.com/spring"),
        ("GET", "/", "go.example.com", "https://go.example.com/"),
        (
            "GET", "/a%20b/c?x=%22&y=//evil.example", "go.example.com",
            "https://go.example.com/a%20b/c?x=%22&y=//evil.example"
        ),
        ("GET", "//evil.example/x", "go.example.com", "https://go.example.com//evil.example/x"),
        ("GET", "/spring?", "go.example.com:8080", "https://go.example.com/spring?"),
        ("GET", "http://go.example.com?x", "go.example.com", "https://go.example.com/?x"),
        ("GET", "/_/", "go.example.com", "https://go.example.com/_/"),
        ("GET", "/metrics", "go.example.com", "https://go.example.com/metrics"),
        ("GET", "/no/such/route", "go.example.com", "https://go.example.com/no/such/route"),
        ("POST", "/api/v1/resolve", "go.example.com", "https://go.example.com/api/v1/resolve"),
        ("GET", "/spring", "www.example.com", "https://www.example.com/spring"),
    ])
    func leadToTheSameURL(method: String, target: String, host: String, location: String) async throws {
        try await run { fixture in
            let answer = try await fixture.visit(target, host: host, method: method)
            #expect(answer.status == 308)
            #expect(answer[header: "Location"] == location)
        }
    }

    @Test func nameThePortAndTheStatusThatAreConfigured() async throws {
        try await run(Self.options(port: 8_443, status: 301)) { fixture in
            let answer = try await fixture.visit("/spring?a=b")
            #expect(answer.status == 301)
            #expect(answer[header: "Location"] == "https://go.example.com:8443/spring?a=b")
        }
    }

    @Test(arguments: ["evil.example", "go.example.com.evil.example", "127.0.0.1", "[::1]", "example.com"])
    func leadToNoHostThatOnlyTheClientHasNamed(host: String) async throws {
        try await run { fixture in
            let answer = try await fixture.visit("/spring", host: host)
            #expect(answer.status == 404)
            #expect(answer[header: "Location"] == nil)
        }
    }

    @Test(arguments: [
        "/.well-known/apple-app-site-association", "/apple-app-site-association", "/.well-known/assetlinks.json",
    ])
    func leaveAssociationFilesAlone(path: String) async throws {
        try await run { fixture in
            let answer = try await fixture.visit(path)
            #expect(answer.status == 200)
            #expect(answer[header: "Content-Type"] == "application/json")
        }
    }

    @Test(arguments: ["/healthz", "/readyz"])
    func leaveProbesAlone(path: String) async throws {
        try await run { fixture in
            let answer = try await fixture.visit(path, host: "10.0.0.1")
            #expect(answer.status == 200)
        }
    }

    @Test func leaveTheProofsOfCertificateAuthoritiesAlone() async throws {
        let folder = try TemporaryFolder()
        let challenges = folder.url.appendingPathComponent(".well-known/acme-challenge")
        try FileManager.default.createDirectory(at: challenges, withIntermediateDirectories: true)
        try Data("token.thumbprint".utf8).write(to: challenges.appendingPathComponent("token_-1"))
        for role in [ListenerRole.redirect, .public] {
            try await SiteFixture.run(.socket, options: Self.options(folder: folder.path), role: role) { fixture in
                let answer = try await fixture.visit("/.well-known/acme-challenge/token_-1", host: "not-yet.example")
                #expect(answer.status == 200)
                #expect(answer.text == "token.thumbprint")
                for path in ["/.well-known/acme-challenge/other", "/.well-known/acme-challenge/..%2f..%2ftoken"] {
                    #expect(try await fixture.visit(path).status == 404)
                }
            }
        }
    }

    @Test func tellWhoeverSendsAKeyInClear() async throws {
        try await run { fixture in
            let answer = try await fixture.call("GET", "/api/v1/links", host: "go.example.com")
            #expect(answer.status == 403)
            #expect(answer[header: "Location"] == nil)
            #expect(answer[header: "Content-Type"] == "application/problem+json")
            #expect(!answer.text.contains(SiteFixture.adminKey))
        }
    }
}
