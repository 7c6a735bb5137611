package import WaymarkClient

/// This program as a client of a provider of OpenID Connect ("relying party").
package struct OpenIDSettings: Sendable, Equatable {
    /// Bytes of a URL.
    package static let urlLimit = 2_048

    /// The provider's name, which is a URL: exactly as its discovery document and its tokens have it.
    package let issuer: String
    package let clientID: String
    /// Nil for a public client, which PKCE alone protects.
    package let clientSecret: String?
    /// `openid` is always among them.
    package let scopes: [String]

    /// - Returns: nil where the issuer is none (`isIssuer`).
    package init?(
        issuer: String, clientID: String, clientSecret: String?, scopes: [String] = ["openid", "profile", "email"]
    ) {
        guard Self.isIssuer(issuer) else { return nil }
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scopes = scopes
    }

    /// Whether a text is an http or https URL without query, fragment and user name (OpenID Connect Core section 2).
    package static func isIssuer(_ text: String) -> Bool { isURL(text) && !text.utf8.contains(UInt8(ascii: "?")) }

    /// Whether a provider's URL may be used: https, or http where the issuer itself is http.
    func isEndpoint(_ text: String) -> Bool { Self.isURL(text) && (Self.isSecure(text) || !Self.isSecure(issuer)) }

    private static func isURL(_ text: String) -> Bool {
        guard text.utf8.count <= urlLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#"),
            let scheme = text.firstRange(of: "://"), HTTPTarget(text) != nil
        else { return false }
        return !text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }.contains("@")
    }

    private static func isSecure(_ url: String) -> Bool { HTTPTarget(url)?.isSecure == true }

    /// Where its metadata is (OpenID Connect Discovery section 4).
    var discoveryURL: String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Sends the requests to this provider. An https issuer may be anywhere, because an operator named it; plain HTTP goes only
    /// to networks that the rule allows.
    package func client(plain rule: AddressRule, userAgent: String) -> HTTPClient {
        HTTPClient(.host(Self.isSecure(issuer) ? nil : rule), userAgent: userAgent)
    }
}
