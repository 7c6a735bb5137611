import Testing
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

@testable import SignInTestSupport
@testable import WaymarkSignIn

/// Providers that are away, and providers that are wrong.
@Suite struct OpenIDFailureTests {
    private let fake = FakeProvider()
    private let attempt = OpenIDAttempt(redirectURI: "https://links.example.com/_/oidc/callback")

    private func signIn(_ provider: OpenIDProvider? = nil) async throws(OpenIDFailure) -> OpenIDIdentity {
        try await (provider ?? fake.provider()).identity(
            from: try OpenIDCallback(query: fake.query(for: attempt)), attempt)
    }

    private static func answer(_ status: Int, _ body: String = "") -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(status: status, body: Array(body.utf8)))
    }

    private static let cut: Result<HTTPResponse, HTTPFailure> = {
        var response = HTTPResponse(status: 200, body: Array("{}".utf8))
        response.isCutOff = true
        return .success(response)
    }()

    private static let answers: [(Result<HTTPResponse, HTTPFailure>, OpenIDFailure.Kind)] = [
        (.failure(.connection(.unreachable, host: "idp.example.com")), .away),
        (.failure(.connection(.timeout, host: "idp.example.com")), .away),
        (.failure(.name(host: "idp.example.com")), .away),
        (.failure(.unreadable(.incomplete, host: "idp.example.com")), .away),
        (answer(500), .away), (answer(503, "{}"), .away), (answer(429), .away),
        (.failure(.address(.unencrypted, host: "idp.example.com")), .wrong), (.failure(.url), .wrong),
        (.failure(.unreadable(.tooLarge, host: "idp.example.com")), .wrong),
        (answer(302), .wrong), (answer(404, "{}"), .wrong), (answer(401), .wrong), (answer(204), .wrong),
        (answer(200), .wrong),
        (answer(200, "<html>"), .wrong), (answer(200, "[]"), .wrong), (answer(200, "{\"a\":1,\"a\":1}"), .wrong),
        (answer(200, "{}"), .wrong), (cut, .wrong),
    ]

    @Test(arguments: answers.indices, ["/openid-configuration", "/keys", "/token"])
    func `each document can be away or wrong`(index: Int, path: String) async throws {
        let (answer, kind) = Self.answers[index]
        fake.change { $0.answers[path] = answer }
        let failure = await #expect(throws: OpenIDFailure.self) { _ = try await signIn() }
        #expect(failure?.kind == kind, "\(String(describing: failure))")
        #expect(failure.map { !$0.reason.isEmpty && !$0.reason.contains("\n") } == true)
    }

    @Test(
        arguments: [
            ("invalid_grant", .code), ("invalid_client", .clientRefused), ("unauthorized_client", .clientRefused),
            ("invalid_request", .requestRefused("invalid_request")),
            ("the secret code is x", .requestRefused("that the standard does not define")),
        ] as [(String, OpenIDFailure)])
    func `each error of the token endpoint has its reason`(code: String, failure: OpenIDFailure) async {
        fake.change { $0.answers["/token"] = Self.answer(400, "{\"error\":\"\(code)\"}") }
        await #expect(throws: failure) { _ = try await signIn() }
    }

    @Test func `a failure is remembered for ten seconds`() async throws {
        let provider = fake.provider()
        fake.change { $0.answers["/openid-configuration"] = Self.answer(503) }
        for _ in 0..<5 { await #expect(throws: OpenIDFailure.self) { _ = try await signIn(provider) } }
        #expect(fake.requests.count == 1)
        fake.change {
            $0.answers = [:]; $0.now += 10
        }
        _ = try await signIn(provider)
        // A clock that was set back: fetched again.
        fake.change {
            $0.now -= 100_000; $0.requests = []
        }
        _ = try await signIn(provider)
        #expect(fake.requests.count == 3)
    }

    private static let metadata: [(String, JSONValue?, OpenIDFailure)] = [
        ("issuer", nil, .unreadable(.discovery)), ("issuer", JSONValue(1), .unreadable(.discovery)),
        ("issuer", JSONValue("https://idp.example.com/realm/"), .otherIssuer),
        ("issuer", JSONValue("https://idp.example.com"), .otherIssuer),
        ("issuer", JSONValue("HTTPS://idp.example.com/realm"), .otherIssuer),
    ]

    @Test(arguments: metadata.indices)
    func `the discovery document is of exactly this issuer`(index: Int) async {
        let (name, value, failure) = Self.metadata[index]
        fake.change { $0.metadata = $0.metadata.setting(name, to: value) }
        await #expect(throws: failure) { _ = try await signIn() }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"])
    func `the provider's URLs are https`(name: String) async {
        var wrong: [JSONValue?] = [
            JSONValue("http://idp.example.com/x"), JSONValue("idp.example.com"), JSONValue(""), JSONValue(1),
            JSONValue("https://"), JSONValue("javascript:alert(1)"), JSONValue("https://a b"),
            JSONValue("https://a/#b"),
            JSONValue("https://user@idp.example.com/"), JSONValue("https://a\r\nb"), JSONValue("ftp://a"),
            JSONValue("https://a/" + String(repeating: "a", count: 2_048)),
        ]
        if name != "end_session_endpoint" { wrong.append(nil) }
        for value in wrong {
            fake.change { $0.metadata = $0.metadata.setting(name, to: value) }
            await #expect(throws: OpenIDFailure.endpoint(name)) { _ = try await signIn() }
        }
    }

    @Test func `a provider without logout has no logout page`() async throws {
        fake.change { $0.metadata = $0.metadata.setting("end_session_endpoint", to: nil) }
        let provider = fake.provider()
        _ = try await signIn(provider)
        #expect(await provider.logoutURL(token: nil, redirectURI: "x") == nil)
    }

    @Test func `a response without an ID token is refused`() async {
        for value in [JSONValue.null, JSONValue(1)] {
            fake.change { $0.response["id_token"] = value }
            await #expect(throws: OpenIDFailure.token(.missing)) { _ = try await signIn() }
        }
        fake.change { $0.response["id_token"] = JSONValue("a.b") }
        await #expect(throws: OpenIDFailure.token(.malformed)) { _ = try await signIn() }
        fake.change {
            $0.response = [:]; $0.claims["exp"] = JSONValue(1)
        }
        await #expect(throws: OpenIDFailure.token(.expired)) { _ = try await signIn() }
    }

    @Test(arguments: [
        ("https://idp.example.com", true), ("https://idp.example.com/a/b/", true),
        ("http://127.0.0.1:8080/realm", true),
        ("idp.example.com", false), ("https://idp.example.com/?a", false), ("https://idp.example.com/#a", false),
        ("https://user:word@idp.example.com", false), ("ftp://idp.example.com", false), ("", false),
        ("https://", false),
        ("https://idp.example.com/ü", false), ("https://idp.example.com/a b", false),
    ])
    func `an issuer is a plain URL`(text: String, isIssuer: Bool) {
        #expect(OpenIDSettings.isIssuer(text) == isIssuer)
        #expect((OpenIDSettings(issuer: text, clientID: "c", clientSecret: nil) != nil) == isIssuer)
    }

    @Test(arguments: [
        ("https://idp.example.com", "https://idp.example.com/.well-known/openid-configuration"),
        ("https://idp.example.com/a/", "https://idp.example.com/a/.well-known/openid-configuration"),
    ])
    func `discovery is below the issuer`(issuer: String, url: String) {
        #expect(OpenIDSettings(issuer: issuer, clientID: "c", clientSecret: nil)?.discoveryURL == url)
    }

    @Test func `plain HTTP goes where the rule permits only`() async throws {
        let settings = try #require(OpenIDSettings(issuer: "http://127.0.0.1:1", clientID: "c", clientSecret: nil))
        let client = settings.client(plain: AddressRule(), userAgent: "test")
        let provider = OpenIDProvider(settings, client) { 0 }
        let failure = await #expect(throws: OpenIDFailure.self) { _ = try await provider.check() }
        #expect(failure == .address("127.0.0.1 has an address that is not public"))
        #expect(settings.isEndpoint("http://127.0.0.1:1/x") && settings.isEndpoint("https://idp.example.com"))
    }

    @Test func `a check fetches both documents now`() async throws {
        let provider = fake.provider()
        _ = try await provider.check()
        let (metadata, count) = try await provider.check()
        #expect(metadata.tokenEndpoint == "https://idp.example.com/realm/token" && count == 1)
        #expect(fake.requests.count == 4)
    }

    @Test func `reasons hold no secret`() async {
        let codes: [OpenIDFailure] = [.code, .state, .denied, .clientRefused, .token(.nonce), .unreadableCallback]
        for failure in codes {
            #expect(!failure.reason.contains(FakeProvider.secret) && !failure.sentence.contains("nonce"))
            #expect(failure.sentence.hasSuffix(".") && !failure.reason.hasSuffix("."))
        }
        #expect(Set(IDTokenProblem.allCases.map(\.reason)).count == IDTokenProblem.allCases.count)
    }
}
