import WaymarkHTTP
import WaymarkJSON
import WaymarkServer

/// A refusal as OAuth's standards name it (RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2).
struct OAuthError: Error, Sendable {
    enum Code: String, Sendable {
        case accessDenied = "access_denied"
        case invalidClient = "invalid_client"
        case invalidClientMetadata = "invalid_client_metadata"
        case invalidGrant = "invalid_grant"
        case invalidRedirectURI = "invalid_redirect_uri"
        case invalidRequest = "invalid_request"
        case invalidScope = "invalid_scope"
        case invalidTarget = "invalid_target"
        case temporarilyUnavailable = "temporarily_unavailable"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
    }

    let code: Code
    /// A sentence in ASCII.
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    var response: Response {
        let json: JSONValue = ["error": JSONValue(code.rawValue), "error_description": JSONValue(description)]
        let status: Status =
            switch code {
            case .temporarilyUnavailable: .serviceUnavailable
            default: .badRequest
            }
        return .json(status, json.bytes())
    }
}

/// The fields of a form, each at most once.
struct OAuthForm: Sendable {
    private let fields: QueryString

    init(_ bytes: [UInt8]?) throws(OAuthError) {
        fields = QueryString(bytes)
        if let name = fields.names.first(where: { fields.all($0).count > 1 }) {
            throw OAuthError(
                .invalidRequest,
                Self.known.contains(name) ? "\(name) is given more than once." : "A parameter is given more than once.")
        }
    }

    /// Nil if it is missing or empty.
    subscript(name: String) -> String? { fields.all(name).first.flatMap { $0.isEmpty ? nil : $0 } }

    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name] else { throw OAuthError(.invalidRequest, "\(name) is missing.") }
        return value
    }

    private static let known: Set<String> = [
        "client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "scope", "state",
        "resource", "grant_type", "code", "code_verifier", "refresh_token", "token",
    ]
}
