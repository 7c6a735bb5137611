import WaymarkBytes
import WaymarkJSON
import WaymarkService
import WaymarkStores

/// What a client asks for at `/_/oauth/authorize`, in the query and again in the form of the consent page.
struct AuthorizationRequest: Sendable {
    let client: OAuthClient
    let redirect: RedirectAddress
    let state: String?
    private let form: OAuthForm

    /// - Throws: what keeps the browser from being sent back: nobody knows where.
    init(_ form: OAuthForm, _ client: OAuthClient?) throws(OAuthError) {
        guard let client else {
            throw OAuthError(
                .invalidClient,
                "The program is not registered here, or no longer; remove this server from it and add it again.")
        }
        let only = client.redirectURIs.count == 1 ? client.redirectURIs.first : nil
        guard let given = form["redirect_uri"] ?? only, client.redirectURIs.contains(given),
            let redirect = RedirectAddress(given)
        else {
            throw OAuthError(
                .invalidRequest,
                "The address to return to (redirect_uri) is not exactly one that the program registered.")
        }
        self.client = client
        self.redirect = redirect
        state = form["state"]
        self.form = form
    }

    /// - Throws: what the client is told.
    func order(_ resource: OAuthResource) throws(OAuthError) -> Assistants.Request {
        guard try form.required("response_type") == "code" else {
            throw OAuthError(.unsupportedResponseType, "response_type must be code.")
        }
        let challenge = try form.required("code_challenge")
        guard form["code_challenge_method"] == "S256", challenge.utf8.count == 43, Self.isURLText(challenge) else {
            throw OAuthError(.invalidRequest, "PKCE is needed: a code_challenge of the code_challenge_method S256.")
        }
        if let named = form["resource"], !resource.isNamed(by: named) {
            throw OAuthError(.invalidTarget, "resource must be \(resource.text).")
        }
        return Assistants.Request(
            client: client.id, redirectURI: redirect.text, challenge: challenge, resource: resource.text,
            scopes: try Self.scopes(form["scope"]) ?? OAuthResource.usualScopes)
    }

    /// Unknown ones are left out; nil if none were given.
    static func scopes(_ text: String?) throws(OAuthError) -> Set<KeyScope>? {
        guard let text else { return nil }
        let known = KeyScope.known(in: text).intersection(OAuthResource.scopes)
        guard !known.isEmpty else {
            throw OAuthError(.invalidScope, "The scopes are read, links and admin.")
        }
        return known
    }

    /// The fields of the form on the consent page.
    func fields(_ order: Assistants.Request) -> [(name: String, value: String)] {
        [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect.text),
            ("code_challenge", order.challenge), ("code_challenge_method", "S256"), ("resource", order.resource),
            ("scope", OAuthResource.text(of: order.scopes)),
        ] + (state.map { [("state", $0)] } ?? [])
    }

    /// Proves that this server showed the page in the session: only its browser knows the session's secret.
    func proof(_ order: Assistants.Request, session secret: [UInt8], sha256: ([UInt8]) -> [UInt8]) -> String {
        let parts: [JSONValue] =
            ["oauth-consent", JSONValue(String(decoding: secret, as: UTF8.self))]
            + fields(order).map { JSONValue($0.value) }
        return Hexadecimal.text(sha256(JSONValue(parts).bytes())[...])
    }

    static func isURLText(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
