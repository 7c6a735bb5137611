import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkSite

/// `/api/v1/domains` and the challenges of authorities, with stub certificates.
@Suite struct DomainInterfaceTests {
    private static let token = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"
    private static let challenge = "/.well-known/acme-challenge/\(token)"
    private static let shop = """
        {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "openHost": "open.example.com"}
        """

    private static func run(
        role: ListenerRole = .public, _ test: (SiteFixture) async throws -> Void
    ) async throws {
        var options = SiteFixture.options()
        options.certificates = Certificates()
        try await SiteFixture.run(
            .inProcess, applications: [shop, SiteFixture.news], options: options, role: role, test: test)
    }

    @Test func `domains are listed with their certificates`() async throws {
        try await Self.run { fixture in
            let list = try await fixture.call("GET", "/api/v1/domains")
            #expect(list.status == 200)
            let domains = try #require(list.json["domains"]?.array)
            #expect(
                domains.map { $0["domain"] } == [
                    "news.example.com", "go.example.com", "open.example.com", "further.example.com",
                ])
            #expect(domains.map { $0["app"] } == ["news", "shop", "shop", .null])
            #expect(domains[0]["certificate"] == .null)
            #expect(
                domains[0]["problem"]
                    == ["at": "1970-01-01T00:00:01Z", "detail": "no address", "nextAttempt": "1970-01-01T00:01:01Z"])
            #expect(
                domains[1]["certificate"]
                    == [
                        "source": "acme", "since": "1970-01-01T00:00:10Z", "until": "1970-01-01T00:00:40Z",
                        "renewsAt": "1970-01-01T00:00:30Z",
                    ])
            #expect(domains[1]["problem"] == .null)
        }
    }

    @Test func `a key of one application sees only its domains`() async throws {
        try await Self.run { fixture in
            let key = try await fixture.key(["read"], app: "shop")
            let list = try await fixture.call("GET", "/api/v1/domains", key: key)
            #expect(list.json["domains"]?.array?.map { $0["domain"] } == ["go.example.com", "open.example.com"])
            let other = try await fixture.key(["resolve"])
            #expect(try await fixture.call("GET", "/api/v1/domains", key: other).status == 403)
        }
    }

    @Test(arguments: [ListenerRole.public, .redirect])
    func `a pending challenge is answered`(role: ListenerRole) async throws {
        try await Self.run(role: role) { fixture in
            let answer = try await fixture.visit(Self.challenge)
            #expect(answer.status == 200)
            #expect(answer.text == "\(Self.token).thumbprint")
            #expect(answer[header: "Content-Type"] == "application/octet-stream")
            // For another host, or none that is pending, it is an unknown file.
            #expect(try await fixture.visit(Self.challenge, host: "news.example.com").status == 404)
            #expect(try await fixture.visit(Self.challenge + "A").status == 404)
        }
    }

    @Test(arguments: [
        ("go.example.com", "superseded", 204), ("go.example.com", "keyCompromise", 409),
        ("news.example.com", "superseded", 404), ("go.example.com", "boredom", 422),
    ])
    func `a certificate is revoked`(host: String, reason: String, status: Int) async throws {
        try await Self.run { fixture in
            let body = "{\"reason\": \"\(reason)\"}"
            #expect(try await fixture.call("POST", "/api/v1/domains/\(host):revoke", body).status == status)
            let key = try await fixture.key(["links"])
            #expect(
                try await fixture.call("POST", "/api/v1/domains/\(host):revoke", body, key: key).status == 403)
        }
    }

    @Test func `a challenge needs no public folder`() async throws {
        var options = SiteFixture.options()
        options.publicFolder = "/nowhere/at/all"
        options.certificates = Certificates()
        try await SiteFixture.run(.inProcess, applications: [Self.shop], options: options) { fixture in
            let answer = try await fixture.visit(Self.challenge)
            #expect(answer.status == 200)
            let unknown = try await fixture.visit(Self.challenge + "A")
            #expect(unknown.status == 404)
        }
    }

    @Test(arguments: ["short", "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ%2FPCt92wr", "..", ""])
    func `text that is no token is not looked up`(token: String) async throws {
        try await Self.run { fixture in
            let answer = try await fixture.visit("/.well-known/acme-challenge/\(token)")
            #expect(answer.status == 404 || answer.status == 400)
        }
    }
}

private struct Certificates: DomainCertificates {
    let additionalHosts = ["further.example.com", "go.example.com"]

    func statuses(of hosts: [String]) -> [DomainStatus] {
        hosts.map { host in
            switch host {
            case "go.example.com":
                DomainStatus(
                    certificate: .init(
                        source: "acme", since: "1970-01-01T00:00:10Z", until: "1970-01-01T00:00:40Z",
                        renewsAt: "1970-01-01T00:00:30Z"))
            case "news.example.com":
                DomainStatus(
                    problem: .init(
                        at: "1970-01-01T00:00:01Z", detail: "no address", nextAttempt: "1970-01-01T00:01:01Z"))
            default:
                DomainStatus(
                    certificate: .init(
                        source: "file", since: "1970-01-01T00:00:00Z", until: "1970-01-01T00:00:01Z", renewsAt: nil))
            }
        }
    }

    func revokeCertificate(of host: String, reason: RevocationReason) async -> RevocationOutcome {
        switch host {
        case "go.example.com": reason == .superseded ? .revoked : .failed("the authority can't be reached")
        default: .unknown
        }
    }

    func keyAuthorization(for token: String, at host: String) async -> String? {
        host == "go.example.com" && token.hasPrefix("eva") && token.count == 43 ? "\(token).thumbprint" : nil
    }
}
