import Logging
import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSignIn
import WaymarkStores

/// `/_/session`: starts (POST), describes (GET) and ends (DELETE) a dashboard session.
struct SessionRoute {
    let site: Site

    /// A credential has an ID of up to 1,023 bytes, twice, and a signature of up to 1,024.
    private static let bodyLimit = 16_384

    func respond(to call: SessionCall, _ head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        switch call {
        case .session: break
        case .signInOptions: return signInOptions(head, bytes, peer)
        case .passkeyOptions: return passkeyOptions(head, bytes, peer)
        case .newPasskey: return newPasskey(head, bytes, peer)
        case .providerSignIn: return providerSignIn(head, bytes, peer)
        case .providerCallback: return providerCallback(head, bytes, peer)
        case .sharedReport: return sharedReport(head, bytes, peer)
        }
        if head.method == .post { return signIn(head, bytes, peer) }
        let secret = SessionCookie.secret(head, bytes, peer, plainNetworks: site.options.plainNetworks)
        if head.method == .delete {
            if let problem = SessionCookie.problem(head, bytes, peer) { return .now(.problem(problem)) }
            let origin = Self.origin(head, bytes, peer)
            return .later { await run(peer) { try await signOut(secret, origin, peer) } }
        }
        if let secret, let session = site.service.keys.session(secret) { return .now(Self.description(session)) }
        if let seconds = site.callers.take(.failedAuthentication, peer) {
            return .now(.rateLimited(retryAfter: seconds))
        }
        guard let secret, site.service.keys.mayBeNew(secret) else { return .now(.problem(Self.signedOut)) }
        return .later {
            await run(peer) {
                guard let session = try await site.service.keys.lookUpSession(secret) else { throw Self.signedOut }
                return Self.description(session)
            }
        }
    }

    private func signIn(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        do throws(Problem) {
            try check(head, bytes, peer)
        } catch {
            return .now(.problem(error))
        }
        let passkeys = Self.passkeySite(head, bytes, peer)
        let proxyName = site.options.proxySignInField.flatMap { field in
            peer.hasTrustedFields ? Self.only(field, head, bytes) : nil
        }
        return .body(limit: Self.bodyLimit, .any) { body in
            await run(peer) {
                let keys = site.service.keys
                let started: (secret: KeyText, session: DashboardSession)?
                switch try SessionRequest(json: body) {
                case .key(let key):
                    try checkKeySignIn()
                    guard let known = try await keys.identity(Array(key.utf8)) else { return await refusal(peer) }
                    if let refusal = try refusal(of: known, peer) { return refusal }
                    started = try await keys.signIn(known)
                case .look(let token):
                    guard let session = try await keys.session(ofLink: Array(token.utf8)) else {
                        return await refusal(peer)
                    }
                    return Self.description(session)
                case .token(let token): started = try await keys.signIn(withLink: Array(token.utf8))
                case .proxy:
                    let (person, identity) = try person(namedByProxy: proxyName)
                    // Each session is a transaction, as for keys.
                    if let caller = KeyIdentity(person),
                        let seconds = site.callers.take(.failedAuthentication, peer, key: caller)
                    {
                        return .rateLimited(retryAfter: seconds)
                    }
                    started = try await signIn(person, by: identity)
                case .credential(let credential): started = try await signIn(credential, passkeys, peer)
                case .link(let key):
                    if peer.role != .owner { try checkKeySignIn() }
                    guard let known = try await keys.identity(Array(key.utf8)) else { return await refusal(peer) }
                    if let refusal = try refusal(of: known, peer) { return refusal }
                    let link = try await keys.makeSignInLink(for: known)
                    let response = SignInLinkResponse(
                        token: link.token.text, expiresAt: link.expiresAt.wholeSecond,
                        origin: peer.role == .owner ? site.operatorOrigin : "")
                    return .json(.created, response.json)
                }
                guard let (secret, session) = started else { return await refusal(peer) }
                var response = Response.noContent
                response.fields.append(cookie(secret, session, peer))
                return response
            }
        }
    }

    /// The value of a field that comes once. A proxy that adds its own behind the client's would let the client choose.
    private static func only(_ name: HeaderName, _ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        var value: [UInt8]?
        for position in 0..<head.fieldCount where name.matches(bytes, head.field(at: position).name) {
            guard value == nil else { return nil }
            value = head.field(at: position).value.copy(of: bytes)
        }
        return value.flatMap { String(validating: $0, as: UTF8.self) }
    }

    func cookie(_ secret: KeyText, _ session: DashboardSession, _ peer: Peer) -> HeaderFields {
        let seconds = (session.expiresAt.rawValue - site.now.rawValue + 999) / 1_000
        return SessionCookie.field(secret.text, seconds: seconds, peer)
    }

    /// The checks of each body that a secret is in.
    func check(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) throws(Problem) {
        guard PlainSignIn.isAllowed(head, bytes, peer, networks: site.options.plainNetworks) else {
            throw PlainSignIn.problem
        }
        try APIRoute.checkCoding(head, bytes)
        try APIRoute.checkMediaType(head, bytes, of: .json)
    }

    private func checkKeySignIn() throws(Problem) {
        // Without a person who administers, nobody could sign in.
        guard site.options.keySignIn != true, site.service.keys.hasAdministrator else { return }
        throw Problem(
            .signInRefused,
            "API keys don't sign in here any more, because people do. Sign in as a person, or run `waymark dashboard` on the server."
        )
    }

    /// - Parameter name: The person as the proxy named it; nil if no trusted proxy did.
    private func person(namedByProxy name: String?) throws(Problem) -> (Person, PersonIdentity) {
        guard site.options.proxySignInField != nil else {
            throw Problem(.signInRefused, "No proxy signs people in here: proxySignIn of the configuration is not set.")
        }
        guard let name, !name.isEmpty else {
            throw Problem(
                .signInRefused,
                "The request did not come from a trusted proxy that names one person. Check trustedProxies and proxySignIn of the configuration."
            )
        }
        let identity = PersonIdentity(issuer: PersonIdentity.proxyIssuer, subject: name)
        guard let person = site.service.keys.person(identity) else {
            throw Problem(
                .signInRefused,
                "The proxy signed you in under a name that belongs to no person here. Ask an administrator to add it.")
        }
        return (person, identity)
    }

    private func signIn(
        _ person: Person, by identity: PersonIdentity
    ) async throws -> (secret: KeyText, session: DashboardSession) {
        let outcome = try await site.service.keys.signIn(person.id) { person in
            person.identities.contains(identity) ? person : nil
        }
        guard case .started(let secret, let session) = outcome else { throw Self.noAccess }
        return (secret, session)
    }

    static let noAccess = Problem(
        .signInRefused, "You may not sign in: your account is disabled, or has no role. Ask an administrator.")

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

    private func refusal(_ peer: Peer) async -> Response {
        if let seconds = site.callers.take(.failedAuthentication, peer) { return .rateLimited(retryAfter: seconds) }
        let problem = Problem(.keyUnknown, "The API key or sign-in link is unknown, revoked, used or expired.")
        await site.noteRefusal(problem.detail, peer)
        return .problem(problem)
    }

    /// Where a provider began the session, the response says where the browser ends the provider's.
    private func signOut(_ secret: [UInt8]?, _ origin: String, _ peer: Peer) async throws -> Response {
        var response = Response.noContent
        if let secret, try await endSession(secret, peer),
            let url = await site.options.provider?.provider.logoutURL(token: nil, redirectURI: origin + "/_/")
        {
            let json: JSONValue = ["logoutURL": JSONValue(url)]
            response = .json(.ok, json.bytes())
        }
        response.fields.append(SessionCookie.field("", seconds: 0, peer))
        return response
    }

    /// - Returns: whether a provider began it.
    private func endSession(_ secret: [UInt8], _ peer: Peer) async throws -> Bool {
        let call = site.service.keys.session(secret).map { site.auditCall($0.key, peer) }
        return try await AuditCall.run(as: call) { () async throws(StoreError) in
            try await site.service.keys.signOut(secret)
        }
    }

    static let signedOut = Problem(.keyUnknown, "No dashboard session: POST /_/session with a key starts one.")

    static func description(_ session: DashboardSession, _ status: Status = .ok) -> Response {
        let (key, person) = (session.key, session.person)
        let reach = key.reach(ofOneOf: KeyScope.allCases)
        let scopes = KeyScope.allCases.filter(key.scopes.contains).map(\.rawValue)
        return .json(
            status,
            SessionResponse(
                name: key.name, app: reach?.single?.text, scopes: scopes, expiresAt: session.expiresAt.wholeSecond,
                person: person.map { .init(id: $0.id, name: $0.name) },
                memberships: person?.memberships.map { .init(app: $0.application?.text, role: $0.role.rawValue) } ?? []
            ).json)
    }

    func run(_ peer: Peer, _ answer: () async throws -> Response) async -> Response {
        do {
            return try await AuditCall.$current.withValue(site.signInCall(peer)) { try await answer() }
        } catch {
            if let problem = error as? Problem, problem.known == .signInRefused {
                // Refusals are limited before they are logged, because anybody can cause them.
                if let seconds = site.callers.take(.failedAuthentication, peer) {
                    return .rateLimited(retryAfter: seconds)
                }
                site.logger.notice("a sign-in was refused: \(problem.detail)")
                await site.noteRefusal(problem.detail, peer)
            }
            return APIRoute.response(to: error, site)
        }
    }
}
