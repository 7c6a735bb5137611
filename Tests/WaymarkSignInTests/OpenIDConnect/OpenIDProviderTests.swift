import Testing
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

@testable import SignInTestSupport
@testable import WaymarkSignIn

/// Whole sign-ins with a provider in the test's process.
@Suite struct OpenIDProviderTests {
    private let fake = FakeProvider()
    private let attempt = OpenIDAttempt(redirectURI: "https://links.example.com/_/oidc/callback")

    private func signIn(
        _ provider: OpenIDProvider? = nil, query: String? = nil, _ attempt: OpenIDAttempt? = nil
    ) async throws(OpenIDFailure) -> OpenIDIdentity {
        let attempt = attempt ?? self.attempt
        return try await (provider ?? fake.provider()).identity(
            from: try OpenIDCallback(query: query ?? fake.query(for: attempt)), attempt)
    }

    private func expect(
        _ failure: OpenIDFailure, _ kind: OpenIDFailure.Kind, _ comment: Comment? = nil,
        location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        await #expect(throws: failure, comment, sourceLocation: location) { try await body() }
        #expect(failure.kind == kind, sourceLocation: location)
    }

    @Test func `a person signs in and out`() async throws {
        let provider = fake.provider()
        let url = try await provider.authorizationURL(for: attempt)
        let challenge = Base64.urlText(SHA256.digest(of: Array(attempt.verifier.utf8)))
        #expect(
            url == "https://idp.example.com/realm/auth?response_type=code&client_id=way%20mark"
                + "&redirect_uri=https%3A%2F%2Flinks.example.com%2F_%2Foidc%2Fcallback&scope=openid%20profile%20email"
                + "&state=\(attempt.state)&nonce=\(attempt.nonce)&code_challenge=\(challenge)&code_challenge_method=S256"
        )
        let identity = try await signIn(provider)
        #expect(identity.issuer == FakeProvider.issuer && identity.subject == "0815")
        // Discovery, code, keys; then from memory.
        #expect(fake.requests.map(\.method) == ["GET", "POST", "GET"])
        _ = try await signIn(provider)
        #expect(fake.requests.count == 4)
        let logout = await provider.logoutURL(token: identity.token, redirectURI: "https://links.example.com/_/")
        #expect(
            logout == "https://idp.example.com/realm/logout?a=b&id_token_hint=\(identity.token)"
                + "&post_logout_redirect_uri=https%3A%2F%2Flinks.example.com%2F_%2F&client_id=way%20mark")
        let long = await provider.logoutURL(token: String(repeating: "a", count: 4_097), redirectURI: "x")
        #expect(long == "https://idp.example.com/realm/logout?a=b&post_logout_redirect_uri=x&client_id=way%20mark")
    }

    @Test(
        arguments: [
            (FakeProvider.secret, nil, "basic"),
            (FakeProvider.secret, ["client_secret_basic", "client_secret_post"], "basic"),
            (FakeProvider.secret, ["client_secret_post"], "post"), (nil, ["client_secret_basic"], "none"),
            (nil, nil, "none"),
            (FakeProvider.secret, ["private_key_jwt"], "no"),
        ] as [(String?, [String]?, String)])
    func `the client proves itself as discovery says`(secret: String?, methods: [String]?, way: String) async throws {
        fake.change {
            $0.metadata = $0.metadata.setting(
                "token_endpoint_auth_methods_supported", to: methods.map { JSONValue($0.map { JSONValue($0) }) })
        }
        let provider = fake.provider(secret: secret)
        guard way != "no" else {
            return await expect(.noClientAuthentication, .wrong) { _ = try await signIn(provider) }
        }
        _ = try await signIn(provider)
        let request = try #require(fake.requests.first { $0.method == "POST" })
        let form = FakeProvider.form(request)
        let authorization = request.fields.first { $0.name == "Authorization" }?.value
        #expect(form["grant_type"] == "authorization_code" && form["code_verifier"] == attempt.verifier)
        #expect(form["redirect_uri"] == attempt.redirectURI)
        #expect(form["client_secret"] == (way == "post" ? secret : nil))
        #expect(form["client_id"] == (way == "basic" ? nil : "way mark"))
        let pair = Base64.text(Array("way%20mark:s3cret%20%26%20more".utf8))
        #expect(authorization == (way == "basic" ? "Basic \(pair)" : nil))
    }

    // MARK: Keys

    @Test func `keys that a provider changes are fetched again`() async throws {
        let provider = fake.provider()
        _ = try await signIn(provider)
        func keyRequests() -> Int { fake.requests.filter { $0.url.hasSuffix("/keys") }.count }
        fake.change {
            $0.key = P256Key.generate(); $0.keyID = "two"; $0.now += 31
        }
        _ = try await signIn(provider)
        #expect(keyRequests() == 2)
        // A key that the provider doesn't publish: asked for once, then not within 30 seconds.
        let old = JSONValue(members: ["keys": JSONValue([JSONValue]())])
        fake.change {
            $0.keyID = "three"; $0.keySet = old; $0.now += 31
        }
        for _ in 0..<3 { await expect(.token(.unknownKey), .wrong) { _ = try await signIn(provider) } }
        #expect(keyRequests() == 3)
        // A key that was withdrawn is not trusted for more than an hour.
        fake.change {
            $0.keyID = nil; $0.keySet = nil; $0.now += 3_600
        }
        _ = try await signIn(provider)
        #expect(keyRequests() == 4)
        // Without a name, a wrong signature may mean a new key.
        fake.change {
            $0.key = P256Key.generate(); $0.now += 31
        }
        _ = try await signIn(provider)
        #expect(keyRequests() == 5)
        fake.change {
            $0.keySet = JSONValue(members: ["keys": JSONValue([FakeProvider.publicKey(P256Key.generate(), id: nil)])]);
            $0.now += 3_600
        }
        await expect(.token(.signature), .wrong) { _ = try await signIn(provider) }
    }

    @Test func `many sign-ins at once fetch each document once`() async throws {
        let provider = fake.provider()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { try await provider.authorizationURL(for: OpenIDAttempt(redirectURI: "x")) }
            }
            try await group.waitForAll()
        }
        #expect(fake.requests.count == 1)
    }

    // MARK: Attempts

    @Test func `a callback belongs to its attempt`() async throws {
        let provider = fake.provider()
        let query = fake.query(for: attempt)
        await expect(.state, .refused) { _ = try await signIn(provider, query: query, OpenIDAttempt(redirectURI: "x")) }
        await expect(.state, .refused) { _ = try await signIn(provider, query: "code=a") }
        await expect(.state, .refused) { _ = try await signIn(provider, query: "code=a&state=") }
        // Another browser's state, with this one's verifier and nonce: the provider refuses the code, which is then used up.
        let stolen = OpenIDAttempt(
            state: attempt.state, nonce: attempt.nonce, verifier: OpenIDAttempt(redirectURI: "x").verifier,
            redirectURI: attempt.redirectURI)
        await expect(.code, .refused) { _ = try await signIn(provider, query: query, stolen) }
        await expect(.code, .refused) { _ = try await signIn(provider, query: query) }
        // A code of another attempt brings that attempt's nonce.
        let other = OpenIDAttempt(
            state: attempt.state, nonce: "other", verifier: attempt.verifier, redirectURI: attempt.redirectURI)
        await expect(.token(.nonce), .wrong) { _ = try await signIn(provider, query: fake.query(for: other)) }
        let used = fake.query(for: attempt)
        _ = try await signIn(provider, query: used)
        await expect(.code, .refused) { _ = try await signIn(provider, query: used) }
    }

    @Test(
        arguments: [
            ("error=access_denied", .denied, .refused), ("error=login_required", .denied, .refused),
            ("error=server_error", .providerError("server_error"), .away),
            ("error=temporarily_unavailable&code=x", .providerError("temporarily_unavailable"), .away),
            ("error=invalid_scope", .requestRefused("invalid_scope"), .wrong),
            ("error=%3Cscript%3E", .requestRefused("that the standard does not define"), .wrong),
            ("", .unreadableCallback, .wrong), ("code=", .unreadableCallback, .wrong),
            ("code=a&code=b", .unreadableCallback, .wrong), ("code", .unreadableCallback, .wrong),
            ("code=%FF", .unreadableCallback, .wrong), ("code=%2", .unreadableCallback, .wrong),
            ("state=x", .unreadableCallback, .wrong),
            ("code=a&iss=https%3A%2F%2Fevil.example", .callbackIssuer, .wrong),
            ("error=access_denied&iss=https%3A%2F%2Fevil.example", .callbackIssuer, .wrong),
        ] as [(String, OpenIDFailure, OpenIDFailure.Kind)])
    func `each answer to the browser has its reason`(rest: String, failure: OpenIDFailure, kind: OpenIDFailure.Kind)
        async
    {
        await expect(failure, kind) { _ = try await signIn(query: "state=\(attempt.state)&\(rest)") }
        #expect(fake.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func `a callback has a limit`() {
        #expect(throws: OpenIDFailure.unreadableCallback) {
            try OpenIDCallback(query: "code=" + String(repeating: "a", count: OpenIDCallback.sizeLimit))
        }
    }

    @Test func `a provider that names itself must do so`() async throws {
        fake.change {
            $0.metadata = $0.metadata.setting("authorization_response_iss_parameter_supported", to: JSONValue(true))
        }
        let issuer = "&iss=" + PercentEncoding.encode(FakeProvider.issuer)
        await expect(.callbackIssuer, .wrong) { _ = try await signIn() }
        await expect(.callbackIssuer, .wrong) { _ = try await signIn(query: fake.query(for: attempt) + issuer + "%2F") }
        _ = try await signIn(query: fake.query(for: attempt) + issuer)
    }
}
