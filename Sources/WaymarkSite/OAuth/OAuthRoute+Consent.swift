import Logging
import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `/_/oauth/authorize`: GET asks the person, POST takes the answer. Without a session the browser goes to the dashboard, which comes
/// back after the sign-in.
extension OAuthRoute {
    /// Longer ones would not fit into the address that the dashboard comes back to.
    private static let queryLimit = 4_096

    func authorize(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, _ resource: OAuthResource
    ) -> Reply {
        guard PlainSignIn.isAllowed(head, bytes, peer, networks: site.options.plainNetworks) else {
            return .now(ConsentPage.refusal(PlainSignIn.problem.detail, .forbidden))
        }
        let secret = SessionCookie.secret(head, bytes, peer, plainNetworks: site.options.plainNetworks)
        let fetchSite = head.text(.secFetchSite, in: bytes)
        if head.method == .post {
            let isForeign =
                fetchSite.map { $0 != "same-origin" } ?? false
                || head.value(.origin) != nil && !RequestOrigin.isOwn(head, bytes, peer)
            guard !isForeign else {
                return .now(ConsentPage.refusal("The answer did not come from this server's page.", .forbidden))
            }
            if let problem = formProblem(head, bytes) { return .now(problem) }
            return .body(limit: Self.formLimit) { body in
                await page(body, secret, resource, peer) { request, order, session, proof, form in
                    guard let given = form["consent"], constantTimeEqual(given, proof) else {
                        return ConsentPage.refusal(
                            "The answer does not belong to this session; begin again in the program.", .forbidden)
                    }
                    return try await AuditCall.$current.withValue(site.auditCall(session.key, peer)) {
                        try await answer(request, order, session, resource, allows: form["decision"] == "allow")
                    }
                } signedOut: {
                    ConsentPage.refusal("You are signed out; begin again in the program.", .forbidden)
                }
            }
        }
        let query = head.query?.copy(of: bytes) ?? []
        guard query.count <= Self.queryLimit else {
            return .now(ConsentPage.refusal("The address is too long: at most \(Self.queryLimit) bytes."))
        }
        let isFromElsewhere = fetchSite == "cross-site" || fetchSite == "same-site"
        return .later {
            await page(query, secret, resource, peer) { request, order, session, proof, _ in
                ConsentPage.response(
                    request, order, granted: assistants.grantable(order.scopes, by: session), to: session, proof: proof)
            } signedOut: {
                let text = String(decoding: query, as: UTF8.self)
                return isFromElsewhere
                    ? ConsentPage.again("/_/oauth/authorize?" + text)
                    : redirect(to: "/_/#authorize=" + PercentEncoding.encode(text))
            }
        }
    }

    private func page(
        _ fields: [UInt8], _ secret: [UInt8]?, _ resource: OAuthResource, _ peer: Peer,
        _ answer:
            (AuthorizationRequest, Assistants.Request, DashboardSession, String, OAuthForm) async throws -> Response,
        signedOut: () -> Response
    ) async -> Response {
        do {
            let form = try OAuthForm(fields)
            let request: AuthorizationRequest
            do throws(OAuthError) {
                let client: OAuthClient?
                do throws(StoreError) {
                    client = try await assistants.client(form["client_id"] ?? "")
                } catch {
                    return APIRoute.response(to: error, site)
                }
                request = try AuthorizationRequest(form, client)
            } catch {
                // Anybody can cause these.
                if let seconds = site.callers.take(.failedAuthentication, peer) {
                    return .rateLimited(retryAfter: seconds)
                }
                return ConsentPage.refusal(error.description)
            }
            do {
                // Before anything is sent back: anybody may register an address.
                guard let secret, let session = try await session(secret) else { return signedOut() }
                let order = try request.order(resource)
                guard !assistants.grantable(order.scopes, by: session).isEmpty else {
                    throw OAuthError(.accessDenied, "The person may do nothing of what is asked for.")
                }
                let proof = request.proof(order, session: secret, sha256: site.service.dependencies.sha256)
                return try await answer(request, order, session, proof, form)
            } catch let error as OAuthError {
                return back(
                    request, resource, [("error", error.code.rawValue), ("error_description", error.description)])
            }
        } catch let error as OAuthError {
            return ConsentPage.refusal(error.description)
        } catch {
            return APIRoute.response(to: error, site)
        }
    }

    private func answer(
        _ request: AuthorizationRequest, _ order: Assistants.Request, _ session: DashboardSession,
        _ resource: OAuthResource, allows: Bool
    ) async throws -> Response {
        guard allows else { throw OAuthError(.accessDenied, "The person denied it.") }
        guard let code = try await assistants.grant(order, by: session) else {
            throw OAuthError(.accessDenied, "The person may not sign in any more.")
        }
        return back(request, resource, [("code", code.text)])
    }

    private func session(_ secret: [UInt8]) async throws(StoreError) -> DashboardSession? {
        if let known = site.service.keys.session(secret) { return known }
        return site.service.keys.mayBeNew(secret) ? try await site.service.keys.lookUpSession(secret) : nil
    }

    /// To the client, with the issuer (RFC 9207).
    private func back(
        _ request: AuthorizationRequest, _ resource: OAuthResource, _ fields: [(name: String, value: String)]
    ) -> Response {
        let state = request.state.map { [(name: "state", value: $0)] } ?? []
        return redirect(to: request.redirect.adding(fields + state + [("iss", resource.origin)]))
    }

    private func redirect(to url: String) -> Response {
        Response(
            Status(303),
            fields: HeaderFields((.cacheControl, "no-store"), (.referrerPolicy, "no-referrer")).adding(location: url))
    }

    private func constantTimeEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
