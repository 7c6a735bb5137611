import Synchronization
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

@testable import WaymarkSignIn

/// A provider in the test's process, with a clock of its own. Each part can be made wrong.
final class FakeProvider: HTTPSending {
    static let issuer = "https://idp.example.com/realm"
    static let secret = "s3cret & more"

    struct State {
        var now: Int64 = 1_800_000_000
        var key = P256Key.generate()
        var keyID: String? = "one"
        /// Published beside or instead of `key`; nil: `key` alone.
        var keySet: JSONValue?
        var metadata = JSONValue(
            parsedFrom: """
                {"issuer":"https://idp.example.com/realm",
                "authorization_endpoint":"https://idp.example.com/realm/auth","token_endpoint":"https://idp.example.com/realm/token",
                "jwks_uri":"https://idp.example.com/realm/keys","end_session_endpoint":"https://idp.example.com/realm/logout?a=b"}
                """)
        /// Changes of the usual claims; null removes one.
        var claims: [String: JSONValue] = [:]
        var header: [String: JSONValue] = [:]
        /// Instead of the usual answer, by the end of the URL.
        var answers: [String: Result<HTTPResponse, HTTPFailure>] = [:]
        /// Members of the token response; null removes one.
        var response: [String: JSONValue] = [:]
        /// Codes that were issued and not used, with the nonce and the challenge of their attempt.
        var codes: [String: (nonce: String, challenge: String)] = [:]
        var requests: [HTTPRequest] = []
    }

    private let state = Mutex(State())

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func provider(
        secret: String? = FakeProvider.secret, issuer: String = FakeProvider.issuer
    ) -> OpenIDProvider {
        let settings = OpenIDSettings(issuer: issuer, clientID: "way mark", clientSecret: secret)!
        return OpenIDProvider(settings, self) { self.state.withLock { $0.now } }
    }

    /// Signs a person in, and gives the query with which the browser comes back.
    func query(for attempt: OpenIDAttempt) -> String {
        state.withLock { state in
            let code = "code-\(state.codes.count)-\(state.requests.count)"
            state.codes[code] = (attempt.nonce, Base64.urlText(SHA256.digest(of: Array(attempt.verifier.utf8))))
            return "code=\(code)&state=\(attempt.state)"
        }
    }

    func obstacle(to url: String) async -> HTTPFailure? { nil }

    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        requests.map { request in
            HTTPOutcome(
                state.withLock { state in
                    state.requests.append(request)
                    if let answer = state.answers.first(where: { request.url.hasSuffix($0.key) }) {
                        return answer.value
                    }
                    return .success(Self.response(to: request, &state))
                })
        }
    }

    private static func response(to request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        switch request.url {
        case issuer + "/.well-known/openid-configuration":
            return HTTPResponse(status: 200, body: state.metadata.bytes())
        case issuer + "/keys":
            let set = state.keySet ?? JSONValue(members: ["keys": JSONValue([publicKey(state.key, id: state.keyID)])])
            return HTTPResponse(status: 200, body: set.bytes())
        case issuer + "/token": return token(request, &state)
        default: return HTTPResponse(status: 404)
        }
    }

    static func publicKey(_ key: P256Key, id: String?) -> JSONValue {
        var members = ["kty": JSONValue("EC"), "crv": JSONValue("P-256"), "use": JSONValue("sig")]
        members["x"] = JSONValue(Base64.urlText(key.coordinates.x))
        members["y"] = JSONValue(Base64.urlText(key.coordinates.y))
        members["kid"] = id.map { JSONValue($0) }
        return JSONValue(members: members)
    }

    static func form(_ request: HTTPRequest) -> [String: String] {
        var form: [String: String] = [:]
        for field in String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&") {
            let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            form[String(halves[0])] = PercentEncoding.decodeText(halves[1])
        }
        return form
    }

    private static func token(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let form = form(request)
        guard let code = form["code"], let known = state.codes.removeValue(forKey: code),
            Base64.urlText(SHA256.digest(of: Array((form["code_verifier"] ?? "").utf8))) == known.challenge
        else { return HTTPResponse(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8)) }
        var members = ["access_token": JSONValue("access"), "token_type": JSONValue("Bearer")]
        members["id_token"] = JSONValue(token(nonce: known.nonce, state))
        members.merge(state.response) { $1 }
        return HTTPResponse(status: 200, body: JSONValue(members: members).bytes())
    }

    static func token(nonce: String, _ state: State) -> String {
        var claims = [
            "iss": JSONValue(issuer), "aud": JSONValue("way mark"), "sub": JSONValue("0815"), "nonce": JSONValue(nonce),
            "iat": JSONValue(Int(state.now)), "exp": JSONValue(Int(state.now) + 300),
        ]
        claims.merge(state.claims) { $1 }
        var header = ["alg": JSONValue("ES256")]
        header["kid"] = state.keyID.map { JSONValue($0) }
        header.merge(state.header) { $1 }
        let message =
            Base64.urlText(JSONValue(members: header).bytes()) + "."
            + Base64.urlText(JSONValue(members: claims).bytes())
        return message + "." + Base64.urlText(state.key.signature(of: Array(message.utf8)))
    }
}

extension JSONValue {
    /// Nulls are left out.
    init(members: [String: JSONValue]) {
        var object = JSONObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !value.isNull { object[name] = value }
        self.init(object)
    }

    init(parsedFrom text: String) { try! self.init(parsing: text) }
}
