import Testing
import WaymarkClient
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkStores
import WaymarkTLS

@testable import SignInTestSupport
@testable import WaymarkSignIn
@testable import WaymarkSite

/// Sign-in by a provider, as a browser goes there and comes back.
@Suite struct ProviderSignInTests {
    private let fake = FakeProvider()

    private func options(_ roles: ProviderRoles? = nil, createsPeople: Bool = false) -> SiteOptions {
        var options = SiteFixture.options()
        options.provider = SignInProvider(fake.provider(), roles: roles, createsPeople: createsPeople)
        return options
    }

    private static let roles = ProviderRoles(
        claim: "groups",
        map: [
            "staff": [Membership(application: ApplicationID("shop")!, role: .viewer)],
            "editors": [Membership(application: ApplicationID("shop")!, role: .editor)],
        ])

    private static func groups(_ names: String...) -> JSONValue { JSONValue(names.map { JSONValue($0) }) }

    private func get(_ fixture: SiteFixture, _ target: String, _ headers: [(String, String)] = []) async throws
        -> TestAnswer
    {
        try await fixture.call("GET", target, key: nil, host: "localhost:8080", headers: headers)
    }

    /// Goes to the provider; gives the attempt, and the cookie as the browser sends it.
    private func begin(_ fixture: SiteFixture, _ query: String = "") async throws -> (OpenIDAttempt, (String, String)) {
        let answer = try await get(fixture, "/_/oidc" + query)
        try #require(answer.status == 303, "\(answer.text)")
        #expect(answer[header: "Location"]?.hasPrefix("https://idp.example.com/realm/auth?response_type=code") == true)
        let cookie = String(try #require(answer[header: "Set-Cookie"]).prefix { $0 != ";" })
        let parts = cookie.dropFirst("waymark-oidc=".count).split(separator: ".").map(String.init)
        try #require(parts.count >= 3)
        let attempt = OpenIDAttempt(
            state: parts[0], nonce: parts[1], verifier: parts[2],
            redirectURI: "http://localhost:8080/_/oidc/callback")
        return (attempt, ("Cookie", cookie))
    }

    /// Signs in at the provider and comes back.
    private func signIn(_ fixture: SiteFixture, _ query: String = "") async throws -> TestAnswer {
        let (attempt, cookie) = try await begin(fixture, query)
        return try await get(fixture, "/_/oidc/callback?" + fake.query(for: attempt), [cookie])
    }

    private func invite(_ fixture: SiteFixture) async throws -> String {
        let made = try await fixture.call("POST", "/api/v1/people:invite", #"{"role": "editor", "name": "Ana"}"#)
        return "?invitation=" + (try #require(made.json["link"]?.string).dropFirst("/_/#invitation=".count))
    }

    private func expectPage(_ answer: TestAnswer, _ status: Int, _ sentence: String) {
        #expect(answer.status == status && answer.text.contains(sentence), "\(answer.text)")
        #expect(!answer.text.contains("<script") && answer[header: "Content-Type"]?.hasPrefix("text/html") == true)
        #expect(answer[header: "Set-Cookie"]?.hasPrefix("waymark-oidc=; Path=/; Max-Age=0;") == true)
    }

    @Test(arguments: TransportKind.allCases)
    func `an invited person signs in by an account`(kind: TransportKind) async throws {
        try await SiteFixture.run(kind, options: options()) { fixture in
            expectPage(try await signIn(fixture), 403, "to nobody here")
            let invitation = try await invite(fixture)
            for query in [invitation, ""] {
                let answer = try await signIn(fixture, query)
                #expect(answer.status == 303 && answer[header: "Location"] == "/_/", "\(answer.text)")
            }
            expectPage(try await signIn(fixture, invitation), 403, "The invitation is unknown")
            let people = try await fixture.call("GET", "/api/v1/people")
            #expect(people.json["people"]?.array?.first?["identities"]?.array?.first?["subject"] == "0815")
        }
    }

    @Test func `signing out leads to the provider`() async throws {
        try await SiteFixture.run(.inProcess, options: options()) { fixture in
            let answer = try await signIn(fixture, try await invite(fixture))
            let cookie = String(try #require(answer[header: "Set-Cookie"]).prefix { $0 != ";" })
            let headers = [("Cookie", cookie), ("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]
            let end = try await fixture.call(
                "DELETE", "/_/session", key: nil, host: "localhost:8080", headers: headers)
            #expect(end.status == 200, "\(end.text)")
            let url = try #require(end.json["logoutURL"]?.string)
            #expect(url.hasPrefix("https://idp.example.com/realm/logout?a=b&post_logout_redirect_uri="))
            #expect(url.contains("client_id=way%20mark") && !url.contains("id_token_hint"))
        }
    }

    @Test func `roles follow the claim`() async throws {
        try await SiteFixture.run(.inProcess, options: options(Self.roles, createsPeople: true)) { fixture in
            fake.change { $0.claims["name"] = "Bea" }
            expectPage(try await signIn(fixture), 403, "to nobody here")
            for (groups, role) in [(Self.groups("staff"), "viewer"), (Self.groups("staff", "editors"), "editor")] {
                fake.change { $0.claims["groups"] = groups }
                #expect(try await signIn(fixture).status == 303)
                let person = try await fixture.call("GET", "/api/v1/people").json["people"]?.array?.first
                #expect(person?["name"] == "Bea" && person?["memberships"]?.array?.count == 1)
                #expect(person?["memberships"]?.array?.first?["role"]?.string == role)
            }
            fake.change { $0.claims["groups"] = Self.groups("other") }
            expectPage(try await signIn(fixture), 403, "has no role")
            let left = try await fixture.call("GET", "/api/v1/people").json["people"]?.array?.first
            #expect(left?["memberships"]?.array?.isEmpty == true)
            fake.change { $0.claims["groups"] = Self.groups("staff") }
            #expect(try await signIn(fixture).status == 303)
        }
    }

    @Test func `a callback needs the attempt of its browser`() async throws {
        try await SiteFixture.run(.inProcess, options: options()) { fixture in
            _ = try await signIn(fixture, try await invite(fixture))
            let (attempt, cookie) = try await begin(fixture)
            let query = "/_/oidc/callback?" + fake.query(for: attempt)
            let begin = "begin again"
            expectPage(try await get(fixture, query), 403, begin)
            expectPage(try await get(fixture, query, [("Cookie", "waymark-oidc=a.b.c.")]), 403, begin)
            #expect(try await get(fixture, query, [cookie]).status == 303)
            expectPage(try await get(fixture, query, [cookie]), 403, begin)
            let denied = "/_/oidc/callback?error=access_denied&state=" + attempt.state
            expectPage(try await get(fixture, denied, [cookie]), 403, "did not let you in")
        }
    }

    @Test func `a provider that is away is not one that is wrong`() async throws {
        try await SiteFixture.run(.inProcess, options: options()) { fixture in
            let (attempt, cookie) = try await begin(fixture)
            fake.change { $0.answers["/token"] = .failure(.connection(.unreachable, host: "idp.example.com")) }
            let query = "/_/oidc/callback?" + fake.query(for: attempt)
            expectPage(try await get(fixture, query, [cookie]), 503, "at the moment")
            fake.change {
                $0.answers = [:]; $0.claims["aud"] = "other"
            }
            expectPage(try await get(fixture, query, [cookie]), 403, "fit together")
        }
    }

    @Test func `without a provider there is no such page`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for target in ["/_/oidc", "/_/oidc/callback?code=a&state=b"] {
                let answer = try await get(fixture, target)
                #expect(answer.status == 404)
            }
        }
    }

    @Test(arguments: ["?invitation=a%3Bb", "?invitation=" + String(repeating: "a", count: 256)])
    func `what is no invitation's token goes into no cookie`(query: String) async throws {
        try await SiteFixture.run(.inProcess, options: options()) { fixture in
            expectPage(try await get(fixture, "/_/oidc" + query), 403, "The invitation is unknown")
        }
    }
}
