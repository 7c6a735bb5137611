package import WaymarkClient
import WaymarkJSON

/// A provider of OpenID Connect, by the authorization code flow with PKCE. Safe to use from any task.
package struct OpenIDProvider: Sendable {
    /// Seconds for which the discovery document and the keys are used: a key that a provider withdraws is trusted no longer.
    private static let documentAge: Int64 = 3_600
    /// Seconds between two requests for keys because of a token whose key is unknown.
    private static let rotationAge: Int64 = 30

    package let settings: OpenIDSettings
    private let now: @Sendable () -> Int64
    private let requests: OpenIDRequests
    private let metadata: CachedDocument<OpenIDMetadata>
    private let keys: CachedDocument<JSONWebKeySet>

    /// - Parameters:
    ///   - sender: decides where this program connects (`OpenIDSettings.client`).
    ///   - now: seconds since 1970.
    package init(_ settings: OpenIDSettings, _ sender: any HTTPSending, now: @escaping @Sendable () -> Int64) {
        self.settings = settings
        self.now = now
        let requests = OpenIDRequests(settings: settings, sender: sender)
        self.requests = requests
        let metadata = CachedDocument(now: now) { () async throws(OpenIDFailure) in try await requests.metadata() }
        self.metadata = metadata
        keys = CachedDocument(now: now) { () async throws(OpenIDFailure) in
            try await requests.keys(metadata.value(maximumAge: Self.documentAge))
        }
    }

    /// Where the browser goes to sign in.
    package func authorizationURL(for attempt: OpenIDAttempt) async throws(OpenIDFailure) -> String {
        attempt.authorizationURL(try await discovered(), settings)
    }

    /// Who signed in.
    ///
    /// - Parameter attempt: the one of this browser, which the caller has forgotten already: a second callback must find none.
    package func identity(
        from callback: OpenIDCallback, _ attempt: OpenIDAttempt
    ) async throws(OpenIDFailure) -> OpenIDIdentity {
        let metadata = try await discovered()
        let code = try callback.code(for: attempt, metadata, issuer: settings.issuer)
        let tokens = try await requests.tokens(for: code, attempt, metadata)
        let token: CompactToken
        do throws(IDTokenProblem) {
            token = try CompactToken(tokens.identity)
        } catch {
            throw .token(error)
        }
        try await checkSignature(of: token)
        do throws(IDTokenProblem) {
            let subject = try IDToken.subject(
                of: token, settings, nonce: attempt.nonce, accessToken: tokens.access, now: now())
            return OpenIDIdentity(
                issuer: settings.issuer, subject: subject, claims: token.claims, token: tokens.identity)
        } catch {
            throw .token(error)
        }
    }

    /// A provider may have new keys since they were fetched.
    private func checkSignature(of token: CompactToken) async throws(OpenIDFailure) {
        for age in [Self.documentAge, Self.rotationAge] {
            let keys = try await keys.value(maximumAge: age)
            do throws(IDTokenProblem) {
                return try token.check(keys)
            } catch {
                let mayBeNew = error == .unknownKey || token.keyID == nil
                guard mayBeNew, age != Self.rotationAge else { throw .token(error) }
            }
        }
    }

    /// Where the browser goes to sign out at the provider as well (RP-Initiated Logout section 2); nil if the provider has no such
    /// page or can't be asked.
    ///
    /// - Parameters:
    ///   - token: of the identity; one of more than 4 KiB is left out, because it would not fit into a URL.
    ///   - redirectURI: where the provider may send the browser afterwards, if it knows the address.
    package func logoutURL(token: String?, redirectURI: String) async -> String? {
        guard let endpoint = try? await discovered().endSessionEndpoint else { return nil }
        var fields = FormFields([])
        if let token, token.utf8.count <= 4_096 { fields.append("id_token_hint", token) }
        fields.append("post_logout_redirect_uri", redirectURI)
        fields.append("client_id", settings.clientID)
        return fields.url(endpoint)
    }

    /// Fetches both documents now, and says what they hold: for commands that check a configuration.
    package func check() async throws(OpenIDFailure) -> (metadata: OpenIDMetadata, keyCount: Int) {
        let metadata = try await requests.metadata()
        return (metadata, try await requests.keys(metadata).keys.count)
    }

    private func discovered() async throws(OpenIDFailure) -> OpenIDMetadata {
        try await metadata.value(maximumAge: Self.documentAge)
    }
}
