import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// What programs call: registration (RFC 7591), tokens, and their end (RFC 7009). Clients are public: they have no secret.
extension OAuthRoute {
    func register(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        do throws(Problem) {
            try APIRoute.checkCoding(head, bytes)
            try APIRoute.checkMediaType(head, bytes, of: .json)
        } catch {
            return .now(.problem(error))
        }
        // Anybody may register, and each one is stored.
        if let seconds = site.callers.take(.failedAuthentication, peer) {
            return .now(.rateLimited(retryAfter: seconds))
        }
        return .body(limit: Self.registrationLimit) { body in
            do {
                let (name, redirectURIs) = try Self.registration(body)
                guard let client = try await assistants.register(name: name, redirectURIs: redirectURIs) else {
                    throw OAuthError(
                        .temporarilyUnavailable,
                        "\(OAuthClient.limit) programs are registered; those that nobody uses give way in a day.")
                }
                return .json(.created, Self.description(client).bytes())
            } catch let error as OAuthError {
                return error.response
            } catch {
                return APIRoute.response(to: error, site)
            }
        }
    }

    private static func registration(_ body: [UInt8]) throws(OAuthError) -> (name: String, redirectURIs: [String]) {
        guard let json = try? JSONValue(parsing: body), json.object != nil else {
            throw OAuthError(.invalidClientMetadata, "The body must be a JSON object.")
        }
        guard let list = json["redirect_uris"]?.array, (1...OAuthClient.redirectURILimit).contains(list.count) else {
            throw OAuthError(
                .invalidRedirectURI, "redirect_uris must be a list of 1 to \(OAuthClient.redirectURILimit) addresses.")
        }
        var redirectURIs: [String] = []
        for value in list {
            guard let text = value.string, RedirectAddress(text) != nil else {
                throw OAuthError(
                    .invalidRedirectURI,
                    "A redirect URI is https, http at localhost, 127.0.0.1 or [::1], or has an app's own scheme; without fragment, at most \(RedirectAddress.limit) bytes."
                )
            }
            if !redirectURIs.contains(text) { redirectURIs.append(text) }
        }
        if let types = json["grant_types"]?.array, !types.contains("authorization_code") {
            throw OAuthError(.invalidClientMetadata, "grant_types must have authorization_code.")
        }
        if let types = json["response_types"]?.array, !types.contains("code") {
            throw OAuthError(.invalidClientMetadata, "response_types must have code.")
        }
        let given = json["client_name"]?.string ?? ""
        let name = given.isEmpty ? RedirectAddress(redirectURIs[0])?.shownHost ?? "" : given
        guard (1...OAuthClient.nameLimit).contains(name.utf8.count) else {
            throw OAuthError(.invalidClientMetadata, "client_name has at most \(OAuthClient.nameLimit) bytes.")
        }
        // It is part of a sentence on the page of consent, which such characters could turn round.
        let hidden: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        guard !name.unicodeScalars.contains(where: { hidden.contains($0.properties.generalCategory) }) else {
            throw OAuthError(.invalidClientMetadata, "client_name must not hold characters that are not seen.")
        }
        return (name, redirectURIs)
    }

    private static func description(_ client: OAuthClient) -> JSONValue {
        [
            "client_id": JSONValue(client.id), "client_id_issued_at": JSONValue(Int(client.createdAt.rawValue / 1_000)),
            "client_name": JSONValue(client.name),
            "redirect_uris": JSONValue(client.redirectURIs.map { JSONValue($0) }),
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        ]
    }

    func token(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, _ resource: OAuthResource) -> Reply {
        if let problem = formProblem(head, bytes) { return .now(problem) }
        return .body(limit: Self.formLimit) { body in
            await run(peer) {
                let form = try OAuthForm(body)
                let result: Result<Assistants.Tokens, Assistants.Refusal>
                // Compared with what was granted, as the grant has it.
                let named = try Self.resource(form, resource)
                switch try form.required("grant_type") {
                case "authorization_code":
                    let client = try form.required("client_id")
                    let code = try GrantToken(form.required("code"))
                    let (redirectURI, verifier) = (
                        try form.required("redirect_uri"), try form.required("code_verifier")
                    )
                    guard let code, code.kind == .code else { throw Self.invalidGrant }
                    result = try await assistants.redeem(
                        code: code, client: client, redirectURI: redirectURI, verifier: verifier, resource: named)
                case "refresh_token":
                    let client = try form.required("client_id")
                    let token = try GrantToken(form.required("refresh_token"))
                    let scopes = try AuthorizationRequest.scopes(form["scope"])
                    guard let token, token.kind == .refresh else { throw Self.invalidGrant }
                    result = try await assistants.refresh(token, client: client, scopes: scopes, resource: named)
                default:
                    throw OAuthError(
                        .unsupportedGrantType, "grant_type must be authorization_code or refresh_token.")
                }
                switch result {
                case .success(let tokens): return .json(.ok, Self.description(tokens).bytes())
                case .failure(.grant): throw Self.invalidGrant
                case .failure(.resource): throw OAuthError(.invalidTarget, "The code or token is for another resource.")
                case .failure(.scope): throw OAuthError(.invalidScope, "The scope was not granted.")
                }
            }
        }
    }

    private static let invalidGrant = OAuthError(
        .invalidGrant,
        "The code or token is unknown, expired, ended or used up, or belongs to another client, redirect_uri or code_verifier."
    )

    private static func resource(_ form: OAuthForm, _ resource: OAuthResource) throws(OAuthError) -> String? {
        guard let named = form["resource"] else { return nil }
        guard resource.isNamed(by: named) else {
            throw OAuthError(.invalidTarget, "resource must be \(resource.text).")
        }
        return resource.text
    }

    private static func description(_ tokens: Assistants.Tokens) -> JSONValue {
        [
            "access_token": JSONValue(tokens.access.text), "token_type": "Bearer",
            "expires_in": JSONValue(Int(tokens.duration)),
            "refresh_token": JSONValue(tokens.refresh.text), "scope": JSONValue(OAuthResource.text(of: tokens.scopes)),
        ]
    }

    func revoke(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        if let problem = formProblem(head, bytes) { return .now(problem) }
        return .body(limit: Self.formLimit) { body in
            await run(peer) {
                let form = try OAuthForm(body)
                let text = try form.required("token")
                // Whether a token exists is not said, so all are limited.
                if let seconds = site.callers.take(.failedAuthentication, peer) {
                    return .rateLimited(retryAfter: seconds)
                }
                if let token = GrantToken(text) { try await assistants.revoke(token, client: form["client_id"]) }
                return Response(.ok, fields: HeaderFields((.cacheControl, "no-store")))
            }
        }
    }
}
