import WaymarkBytes
import WaymarkTLS

/// One sign-in on its way. The caller remembers it for the browser that began it, for a few minutes, and forgets it with the first
/// callback.
package struct OpenIDAttempt: Sendable, Equatable {
    /// In the callback's URL, so that no other site can send a browser there.
    package let state: String
    /// In the token, so that no other token can be used.
    package let nonce: String
    /// Proves to the token endpoint that the code is for this program (PKCE, RFC 7636).
    package let verifier: String
    /// Where the provider sends the browser back.
    package let redirectURI: String

    /// A new one, with 32 random bytes in each part.
    package init(redirectURI: String) {
        func random() -> String { Base64.urlText(SecureRandom.bytes(count: 32)) }
        self.init(state: random(), nonce: random(), verifier: random(), redirectURI: redirectURI)
    }

    /// One that was remembered.
    package init(state: String, nonce: String, verifier: String, redirectURI: String) {
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.redirectURI = redirectURI
    }

    /// Where the browser goes (OpenID Connect Core section 3.1.2.1).
    func authorizationURL(_ metadata: OpenIDMetadata, _ settings: OpenIDSettings) -> String {
        FormFields([
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirectURI),
            ("scope", settings.scopes.joined(separator: " ")), ("state", state), ("nonce", nonce),
            ("code_challenge", Base64.urlText(SHA256.digest(of: Array(verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ]).url(metadata.authorizationEndpoint)
    }
}

/// Fields of a form or of a query.
struct FormFields {
    private(set) var fields: [(name: String, value: String)]

    init(_ fields: [(name: String, value: String)]) { self.fields = fields }

    mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    var text: String {
        fields.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// The URL, which may have a query already, with the fields behind it.
    func url(_ base: String) -> String {
        let separator = base.hasSuffix("?") || base.hasSuffix("&") ? "" : base.contains("?") ? "&" : "?"
        return base + separator + text
    }
}
