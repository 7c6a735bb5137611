import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// OAuth 2.1 for programs that act for people: who registered, what was granted, and its tokens.
package struct Assistants: Sendable {
    /// In milliseconds.
    package static let codeDuration: Int64 = 60 * 1_000
    package static let accessDuration: Int64 = 60 * 60 * 1_000
    /// Of a refresh token; each use makes one that lasts as long.
    package static let grantDuration: Int64 = 30 * day
    /// Of all of them: then a person is asked again.
    package static let longestDuration: Int64 = 180 * day

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
        /// How long the access token holds, in seconds.
        package let duration: Int64
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

    /// The programs that a person or key lets act, the newest first.
    package func programs(of owner: String) async throws(StoreError) -> [AllowedProgram] {
        let now = dependencies.now()
        return try await store.programs(of: owner).compactMap { program in
            let grant = program.grant
            // A program that has only a code does not act yet.
            guard let access = grant.accessExpiresAt, now < grant.end else { return nil }
            let identity = keys.identity(of: grant, at: now)
            let grants = identity.map { [$0.grant] + $0.furtherGrants } ?? []
            let isForAll = grants.contains { $0.application == nil }
            return AllowedProgram(
                id: publicID(of: grant), name: program.name, scopes: grant.scopes,
                applications: isForAll ? nil : grants.compactMap(\.application), allowedAt: grant.createdAt,
                usedAt: access.advanced(byMilliseconds: -Self.accessDuration), expiresAt: grant.end,
                endsAt: grant.lastEnd)
        }
    }

    /// Ends what a person or key let a program do: its tokens are rejected from the return on, by other servers within seconds.
    ///
    /// - Parameter id: as `programs` has it.
    /// - Returns: false if there is none.
    package func end(_ id: String, of owner: String) async throws(StoreError) -> Bool {
        guard let program = try await store.programs(of: owner).first(where: { publicID(of: $0.grant) == id }),
            try await store.endGrant(program.grant.id, of: owner)
        else { return false }
        try await keys.refresh()
        return true
    }

    /// The ID of a grant is part of its tokens, so it is not shown.
    private func publicID(of grant: OAuthGrant) -> String {
        Base64.urlText(Array(dependencies.sha256(Array("program \(grant.id)".utf8)).prefix(15)))
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
            guard let stored, KeyTable.equal(stored, presented), now < grant.end else {
                return (.end, .failure(.grant))
            }
            if let refusal = refusal(grant) { return (.end, .failure(refusal)) }
            if let refusal = keeping(grant) { return (.keep, .failure(refusal)) }
            var changed = grant
            changed.code = nil
            changed.access = accessDigest
            changed.accessExpiresAt = now.advanced(byMilliseconds: Self.accessDuration)
            changed.refresh = refreshDigest
            changed.expiresAt = min(now.advanced(byMilliseconds: Self.grantDuration), grant.lastEnd)
            let duration = min(Self.accessDuration, changed.expiresAt.rawValue - now.rawValue) / 1_000
            return (
                .replace(changed),
                .success(Tokens(access: access, refresh: refresh, scopes: grant.scopes, duration: duration))
            )
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

/// What somebody let a program do.
package struct AllowedProgram: Sendable, Equatable {
    package let id: String
    /// As the program calls itself.
    package let name: String
    /// As they were allowed.
    package let scopes: Set<KeyScope>
    /// In which its person may do some of that now; nil: all.
    package let applications: [ApplicationID]?
    package let allowedAt: Timestamp
    /// When it last got an access token, which holds for an hour.
    package let usedAt: Timestamp
    /// When it ends if it is not used before.
    package let expiresAt: Timestamp
    /// When it ends however it is used.
    package let endsAt: Timestamp
}

extension OAuthGrant {
    /// However often it is used.
    fileprivate var lastEnd: Timestamp { createdAt.advanced(byMilliseconds: Assistants.longestDuration) }

    /// Servers of earlier versions store later ones than the last.
    var end: Timestamp { min(expiresAt, lastEnd) }
}

extension LinkService {
    /// Whose programs a caller sees and ends: those of the person in the person's session, else those of the key.
    package func programOwner(of caller: KeyIdentity) -> String { keys.sessionOwnerID(of: caller) }

    package var assistants: Assistants { Assistants(keys: keys) }
}
