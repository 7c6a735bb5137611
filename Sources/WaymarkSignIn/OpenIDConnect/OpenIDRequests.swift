import WaymarkBytes
import WaymarkClient
import WaymarkJSON

/// The requests to a provider. Redirects are not followed.
struct OpenIDRequests: Sendable {
    /// Seconds.
    static let timeout = 10
    /// Bytes of a response.
    static let bodyLimit = 262_144

    /// Of a token response (OpenID Connect Core section 3.1.3.3).
    struct Tokens: Sendable {
        let identity: String
        let access: String?
    }

    let settings: OpenIDSettings
    let sender: any HTTPSending

    func metadata() async throws(OpenIDFailure) -> OpenIDMetadata {
        try OpenIDMetadata(try await document(settings.discoveryURL, .discovery), settings)
    }

    func keys(_ metadata: OpenIDMetadata) async throws(OpenIDFailure) -> JSONWebKeySet {
        try JSONWebKeySet(try await document(metadata.keySetURL, .keys))
    }

    private func document(_ url: String, _ kind: OpenIDFailure.Document) async throws(OpenIDFailure) -> JSONValue {
        let request = HTTPRequest(
            url, fields: [("Accept", "application/json")], timeout: Self.timeout, bodyLimit: Self.bodyLimit)
        let response = try await send(request, kind)
        guard response.status == 200 else { throw .status(kind, response.status) }
        return try Self.json(response, kind)
    }

    /// Exchanges the code (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
    func tokens(
        for code: String, _ attempt: OpenIDAttempt, _ metadata: OpenIDMetadata
    ) async throws(OpenIDFailure) -> Tokens {
        var form = FormFields([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", attempt.redirectURI),
            ("code_verifier", attempt.verifier),
        ])
        var fields = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
        let secret = settings.clientSecret ?? ""
        switch metadata.clientAuthentication {
        case .basic:
            // Both are encoded as in a form first (RFC 6749 section 2.3.1).
            let pair = PercentEncoding.encode(settings.clientID) + ":" + PercentEncoding.encode(secret)
            fields.append(("Authorization", "Basic " + Base64.text(Array(pair.utf8))))
        case .post:
            form.append("client_id", settings.clientID)
            form.append("client_secret", secret)
        case .none: form.append("client_id", settings.clientID)
        }
        let request = HTTPRequest(
            metadata.tokenEndpoint, method: "POST", fields: fields, body: Array(form.text.utf8), timeout: Self.timeout,
            bodyLimit: Self.bodyLimit)
        let response = try await send(request, .tokens)
        guard response.status == 200 else { throw Self.failure(of: response) }
        let value = try Self.json(response, .tokens)
        guard value.object != nil else { throw .unreadable(.tokens) }
        guard let token = value["id_token"]?.string else { throw .token(.missing) }
        return Tokens(identity: token, access: value["access_token"]?.string)
    }

    /// RFC 6749 section 5.2.
    private static func failure(of response: HTTPResponse) -> OpenIDFailure {
        let code = (try? json(response, .tokens))?["error"]?.string
        switch code {
        case "invalid_grant": return .code
        case "invalid_client", "unauthorized_client": return .clientRefused
        case let code?: return .requestRefused(OpenIDCallback.errorCode(code))
        case nil: return response.status == 401 ? .clientRefused : .status(.tokens, response.status)
        }
    }

    private static func json(
        _ response: HTTPResponse, _ kind: OpenIDFailure.Document
    ) throws(OpenIDFailure) -> JSONValue {
        guard !response.isCutOff, let value = try? JSONValue(parsing: response.body, depthLimit: 16) else {
            throw .unreadable(kind)
        }
        return value
    }

    private func send(
        _ request: HTTPRequest, _ kind: OpenIDFailure.Document
    ) async throws(OpenIDFailure) -> HTTPResponse {
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await sender.response(to: request)
        } catch {
            switch error {
            case .unreadable(.malformed, _), .unreadable(.tooLarge, _): throw .unreadable(kind)
            default: throw error.isOfURL ? .address(error.sentence) : .unreachable(error.sentence)
            }
        }
        // Out of order, or too many requests.
        guard response.status < 500, response.status != 429, response.status != 408 else {
            throw .unavailable(kind, status: response.status)
        }
        return response
    }
}
