import WaymarkBytes
import WaymarkLinks
package import WaymarkStores

/// OAuth 2.1 for programs that act for people: who registered, what was granted, and its tokens.
package struct Assistants: Sendable {
    /// In milliseconds.
    package static let codeDuration: Int64 = 60 * 1_000
    package static let accessDuration: Int64 = 60 * 60 * 1_000
    /// Of a refresh token; each use makes one that lasts as long.
    package static let grantDuration: Int64 = 30 * day

    private static let day: Int64 = 24 * 60 * 60 * 1_000
    private static let usedDuration: Int64 = 180 * day
    /// How long a registration is safe from others where there are as many as may be.
    private static let registrationDuration: Int64 = 10 * 60 * 1_000

    private let keys: KeyRing
    private var store: any OAuthStore { keys.store.oauth }
    private var dependencies: ServiceDependencies { keys.dependencies }

    init(keys: KeyRing) { self.keys = keys }

    /// What somebody is asked to grant.
    package struct Request: Sendable {
        package var client: String
        package var redirectURI: String
        package var challenge: String
        package var resource: String
        package var scopes: Set<KeyScope>

        package init(client: String, redirectURI: String, challenge: String, resource: String, scopes: Set<KeyScope>) {
            self.client = client
            self.redirectURI = redirectURI
            self.challenge = challenge
            self.resource = resource
            self.scopes = scopes
        }
    }

    package struct Tokens: Sendable {
        package let access: GrantToken
        package let refresh: GrantToken
        package let scopes: Set<KeyScope>
    }

    package enum Refusal: Error, Sendable, Equatable {
        /// The code or token is unknown, expired or used up, or of another client, address or challenge.
        case grant
        case resource, scope
    }

    /// - Returns: nil if there are as many clients as may be.
    package func register(name: String, redirectURIs: [String]) async throws(StoreError) -> OAuthClient? {
        let now = dependencies.now()
        let client = OAuthClient(
            id: Base62.random(length: GrantToken.idLength, bytes: dependencies.randomBytes), name: name,
            redirectURIs: redirectURIs, createdAt: now)
        let bounds = OAuthClientBounds(
            limit: OAuthClient.limit, unusedSince: now.advanced(byMilliseconds: -Self.day),
            usedBefore: now.advanced(byMilliseconds: -Self.usedDuration),
            replaceableSince: now.advanced(byMilliseconds: -Self.registrationDuration))
        return try await store.insert(client, bounds) ? client : nil
    }

    package func client(_ id: String) async throws(StoreError) -> OAuthClient? {
        guard id.utf8.count == GrantToken.idLength, id.utf8.allSatisfy(\.isAlphanumeric) else { return nil }
        return try await store.client(id)
    }

    /// The scopes of a request that the session's owner has.
    package func grantable(_ scopes: Set<KeyScope>, by session: DashboardSession) -> Set<KeyScope> {
        scopes.intersection(KeyIdentity.reach(of: session.key.scopes))
    }

    /// Grants a request in a session.
    ///
    /// - Returns: the code; nil if the client is gone, or the person was disabled meanwhile, or may do nothing of it.
    package func grant(_ request: Request, by session: DashboardSession) async throws(StoreError) -> GrantToken? {
        let scopes = grantable(request.scopes, by: session)
        guard !scopes.isEmpty else { return nil }
        let (now, randomBytes) = (dependencies.now(), dependencies.randomBytes)
        let id = Base62.random(length: GrantToken.idLength, bytes: randomBytes)
        let code = GrantToken(.code, of: id, randomBytes: randomBytes)
        let grant = OAuthGrant(
            id: id, client: request.client, owner: keys.sessionOwnerID(of: session.key), scopes: scopes,
            resource: request.resource, redirectURI: request.redirectURI, challenge: request.challenge,
            code: digest(code), createdAt: now, expiresAt: now.advanced(byMilliseconds: Self.codeDuration))
        guard try await store.insert(grant, limit: OAuthGrant.limit) else { return nil }
        try await keys.refresh()
        return code
    }

    /// Exchanges a code. It is used up by the first attempt; a second one ends what the first began.
    package func redeem(
        code: GrantToken, client: String, redirectURI: String, verifier: String, resource: String?
    ) async throws(StoreError) -> Result<Tokens, Refusal> {
        let challenge = Base64.urlText(dependencies.sha256(Array(verifier.utf8)))
        return try await exchange(code) { grant in
            guard grant.client == client, grant.redirectURI == redirectURI, grant.challenge == challenge else {
                return .grant
            }
            return resource.map { $0 == grant.resource } ?? true ? nil : .resource
        }
    }

    /// Exchanges a refresh token for new ones. One that was exchanged before ends the grant: it may have been stolen.
    package func refresh(
        _ token: GrantToken, client: String, scopes: Set<KeyScope>?, resource: String?
    ) async throws(StoreError) -> Result<Tokens, Refusal> {
        try await exchange(token) { grant in
            grant.client == client ? nil : .grant
        } keeping: { grant in
            if let resource, resource != grant.resource { return .resource }
            return scopes?.isSubset(of: KeyIdentity.reach(of: grant.scopes)) ?? true ? nil : .scope
        }
    }

    /// Ends what a token belongs to. Unknown tokens are no error.
    package func revoke(_ token: GrantToken, client: String?) async throws(StoreError) {
        guard try await mayExist(token) else { return }
        let presented = digest(token)
        let isKnown = try await store.changeGrant(token.grantID) { grant in
            let digests = [grant.code, grant.access, grant.refresh].compactMap(\.self)
            let fits = client.map { $0 == grant.client } ?? true && digests.contains(presented)
            return (fits ? .end : .keep, fits)
        }
        if isKnown == true { try await keys.refresh() }
    }

    /// - Parameters:
    ///   - refusal: Ends the grant.
    ///   - keeping: A refusal that does not.
    private func exchange(
        _ token: GrantToken, _ refusal: @escaping @Sendable (OAuthGrant) -> Refusal?,
        keeping: @escaping @Sendable (OAuthGrant) -> Refusal? = { _ in nil }
    ) async throws(StoreError) -> Result<Tokens, Refusal> {
        guard try await mayExist(token) else { return .failure(.grant) }
        let (now, randomBytes) = (dependencies.now(), dependencies.randomBytes)
        let access = GrantToken(.access, of: token.grantID, randomBytes: randomBytes)
        let refresh = GrantToken(.refresh, of: token.grantID, randomBytes: randomBytes)
        let (presented, accessDigest, refreshDigest) = (digest(token), digest(access), digest(refresh))
        let answer = try await store.changeGrant(token.grantID) {
            grant -> (OAuthGrantChange, Result<Tokens, Refusal>) in
            let stored = token.kind == .code ? grant.code : token.kind == .refresh ? grant.refresh : nil
            guard let stored, KeyTable.equal(stored, presented), now < grant.expiresAt else {
                return (.end, .failure(.grant))
            }
            if let refusal = refusal(grant) { return (.end, .failure(refusal)) }
            if let refusal = keeping(grant) { return (.keep, .failure(refusal)) }
            var changed = grant
            changed.code = nil
            changed.access = accessDigest
            changed.accessExpiresAt = now.advanced(byMilliseconds: Self.accessDuration)
            changed.refresh = refreshDigest
            changed.expiresAt = now.advanced(byMilliseconds: Self.grantDuration)
            return (.replace(changed), .success(Tokens(access: access, refresh: refresh, scopes: grant.scopes)))
        }
        guard let answer else { return .failure(.grant) }
        try await keys.refresh()
        return answer
    }

    /// Anybody may send tokens: only for those of a grant a transaction begins.
    private func mayExist(_ token: GrantToken) async throws(StoreError) -> Bool {
        if keys.table.current.grant(id: token.grantID) != nil { return true }
        return keys.store.isShared ? try await store.grant(token.grantID) != nil : false
    }

    private func digest(_ token: GrantToken) -> [UInt8] { dependencies.sha256(Array(token.text.utf8)) }
}

extension LinkService {
    package var assistants: Assistants { Assistants(keys: keys) }
}
