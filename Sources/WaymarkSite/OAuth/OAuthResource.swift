import WaymarkHTTP
import WaymarkJSON
import WaymarkServer
import WaymarkStores

/// What OAuth protects, `/_/mcp`, under the address that the client uses; the server is its own authorization server.
struct OAuthResource: Sendable {
    static let path = "/_/mcp"
    private static let metadataPath = "/.well-known/oauth-protected-resource" + path
    /// What can be granted; assistants need no more than those of the challenge.
    static let scopes: [KeyScope] = [.read, .links, .admin]
    static let usualScopes: Set<KeyScope> = [.read, .links]

    let origin: String
    var text: String { origin + Self.path }

    init(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) { origin = SessionRoute.origin(head, bytes, peer) }

    /// Whether a client means this (RFC 8707). Some write a slash behind it.
    func isNamed(by text: String) -> Bool { text == self.text || text == self.text + "/" }

    /// The value of `WWW-Authenticate` (RFC 9728 section 5.1).
    ///
    /// - Parameter hasToken: whether the request had a token or key, which is then not valid.
    func challenge(hasToken: Bool) -> String {
        let scopes = Self.text(of: Self.usualScopes)
        let error = hasToken ? "error=\"invalid_token\", " : ""
        return "Bearer \(error)resource_metadata=\"\(origin)\(Self.metadataPath)\", scope=\"\(scopes)\""
    }

    /// RFC 9728.
    var protectedResource: JSONValue {
        [
            "resource": JSONValue(text), "authorization_servers": [JSONValue(origin)],
            "scopes_supported": Self.scopeNames, "bearer_methods_supported": ["header"],
            "resource_name": "Waymark", "resource_documentation": JSONValue(origin + "/_/docs/assistants.md"),
        ]
    }

    /// RFC 8414.
    var authorizationServer: JSONValue {
        [
            "issuer": JSONValue(origin),
            "authorization_endpoint": JSONValue(origin + "/_/oauth/authorize"),
            "token_endpoint": JSONValue(origin + "/_/oauth/token"),
            "registration_endpoint": JSONValue(origin + "/_/oauth/register"),
            "revocation_endpoint": JSONValue(origin + "/_/oauth/revoke"),
            "scopes_supported": Self.scopeNames, "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
            "service_documentation": JSONValue(origin + "/_/docs/assistants.md"),
        ]
    }

    static func text(of scopes: Set<KeyScope>) -> String {
        Self.scopes.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
    }

    private static var scopeNames: JSONValue { JSONValue(scopes.map { JSONValue($0.rawValue) }) }
}
