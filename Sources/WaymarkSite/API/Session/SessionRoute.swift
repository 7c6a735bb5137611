import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `/_/session`: starts (POST), describes (GET) and ends (DELETE) a dashboard session.
struct SessionRoute {
    let site: Site

    private static let bodyLimit = 4_096

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        if head.method == .post { return signIn(head, bytes, peer) }
        let secret = SessionCookie.secret(head, bytes, peer, plainNetworks: site.options.plainNetworks)
        if head.method == .delete {
            if let problem = SessionCookie.problem(head, bytes, peer) { return .now(.problem(problem)) }
            return .later { await run { try await signOut(secret, peer) } }
        }
        if let secret, let session = site.service.keys.session(secret) { return .now(Self.description(session)) }
        if let seconds = site.callers.take(.failedAuthentication, peer) {
            return .now(.rateLimited(retryAfter: seconds))
        }
        guard let secret, site.service.keys.mayBeNew(secret) else { return .now(.problem(Self.signedOut)) }
        return .later {
            await run {
                guard let session = try await site.service.keys.lookUpSession(secret) else { throw Self.signedOut }
                return Self.description(session)
            }
        }
    }

    private func signIn(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        guard PlainSignIn.isAllowed(head, bytes, peer, networks: site.options.plainNetworks) else {
            return .now(.problem(PlainSignIn.problem))
        }
        do throws(Problem) {
            try APIRoute.checkCoding(head, bytes)
            try APIRoute.checkMediaType(head, bytes, of: .json)
        } catch {
            return .now(.problem(error))
        }
        return .body(limit: Self.bodyLimit, .any) { body in
            await run {
                let keys = site.service.keys
                let started: (secret: KeyText, session: DashboardSession)?
                switch try SessionRequest(json: body) {
                case .key(let key):
                    guard let known = try await keys.identity(Array(key.utf8)) else { return refusal(peer) }
                    if let refusal = try refusal(of: known, peer) { return refusal }
                    started = try await keys.signIn(known)
                case .look(let token):
                    guard let session = try await keys.session(ofLink: Array(token.utf8)) else { return refusal(peer) }
                    return Self.description(session)
                case .token(let token): started = try await keys.signIn(withLink: Array(token.utf8))
                case .link(let key):
                    guard let known = try await keys.identity(Array(key.utf8)) else { return refusal(peer) }
                    if let refusal = try refusal(of: known, peer) { return refusal }
                    let link = try await keys.makeSignInLink(for: known)
                    let response = SignInLinkResponse(
                        token: link.token.text, expiresAt: link.expiresAt.wholeSecond,
                        origin: peer.role == .owner ? site.operatorOrigin : "")
                    return .json(.created, response.json)
                }
                guard let (secret, session) = started else { return refusal(peer) }
                let seconds = (session.expiresAt.rawValue - site.now.rawValue + 999) / 1_000
                var response = Response.noContent
                response.fields.append(SessionCookie.field(secret.text, seconds: seconds, peer))
                return response
            }
        }
    }

    /// The refusal of a valid key. Each session is two writes and ends the oldest of the key's, and anybody can extract the
    /// key of an app.
    private func refusal(of key: KeyIdentity, _ peer: Peer) throws(Problem) -> Response? {
        guard key.may(.read) || key.may(.create) else {
            throw Problem(
                .scopeMissing,
                "The dashboard shows nothing to this key; sign in with one that has the scope read, create, links or admin."
            )
        }
        return site.callers.take(.failedAuthentication, peer, key: key).map { .rateLimited(retryAfter: $0) }
    }

    private func refusal(_ peer: Peer) -> Response {
        if let seconds = site.callers.take(.failedAuthentication, peer) { return .rateLimited(retryAfter: seconds) }
        return .problem(Problem(.keyUnknown, "The API key or sign-in link is unknown, revoked, used or expired."))
    }

    private func signOut(_ secret: [UInt8]?, _ peer: Peer) async throws -> Response {
        if let secret { try await site.service.keys.signOut(secret) }
        var response = Response.noContent
        response.fields.append(SessionCookie.field("", seconds: 0, peer))
        return response
    }

    private static let signedOut = Problem(.keyUnknown, "No dashboard session: POST /_/session with a key starts one.")

    private static func description(_ session: DashboardSession) -> Response {
        let scopes = KeyScope.allCases.filter(session.key.scopes.contains).map(\.rawValue)
        return .json(
            .ok,
            SessionResponse(
                name: session.key.name, app: session.key.application?.text, scopes: scopes,
                expiresAt: session.expiresAt.wholeSecond
            ).json)
    }

    private func run(_ answer: () async throws -> Response) async -> Response {
        do {
            return try await answer()
        } catch {
            return APIRoute.response(to: error, site)
        }
    }
}
