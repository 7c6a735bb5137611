import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// A dashboard session of a person, or of the holder of an API key.
package struct DashboardSession: Sendable, Equatable {
    /// The person, or the key that the session was started with. The session can do what these can.
    package let key: KeyIdentity
    /// Nil in the session of a key.
    package var person: Person?
    package let expiresAt: Timestamp

    /// 12 hours, in milliseconds.
    static let duration: Int64 = 12 * 60 * 60 * 1_000
    /// Ten minutes, in milliseconds: how long a sign-in link can be used.
    package static let linkDuration: Int64 = 10 * 60 * 1_000
    /// Sessions and sign-in links of one key or person at a time; a further one ends the oldest.
    static let limit = 100
    /// The name of a person's session that a provider began. Sessions of keys have the names of their keys.
    static let byProvider = "provider"
}

/// What became of a person's sign-in.
package enum PersonSignIn: Sendable {
    /// With the secret of the session, for its cookie.
    case started(KeyText, DashboardSession)
    /// The person is disabled, has no membership, or may not sign in so.
    case refused
    /// A passkey or an identity is another person's.
    case taken
    /// There is no such person, or the invitation is used, or the session has ended.
    case unknown
}

/// A session is stored as a key without scopes, so that all servers that share a store learn of it, and of its end, as they
/// do of keys. Its ID is `session-<ID of the key or person>-<random>`. So are a link that starts one, whose ID ends with `.link`,
/// and an invitation, whose ID ends with `.invitation`.
extension StoredKey {
    enum SessionKind { case session, link, invitation }

    static func sessionID(of owner: String, _ number: String, _ kind: SessionKind) -> String {
        let suffix =
            switch kind {
            case .session: ""
            case .link: linkSuffix
            case .invitation: invitationSuffix
            }
        return sessionPrefix(of: owner) + number + suffix
    }

    /// Nil for a key.
    var sessionKind: SessionKind? {
        guard isSession else { return nil }
        return id.hasSuffix(Self.linkSuffix) ? .link : isInvitation ? .invitation : .session
    }
}

extension KeyRing {
    /// Starts a session.
    ///
    /// - Parameter known: as `identity` returned it.
    /// - Returns: the secret of the session, for its cookie.
    package func signIn(_ known: KeyIdentity) async throws(StoreError) -> (secret: KeyText, session: DashboardSession) {
        let (secret, expiresAt) = try await insertSession(of: known, .session)
        return (secret, DashboardSession(key: known, expiresAt: expiresAt))
    }

    /// Starts a session of a person, unless the person has been disabled meanwhile or may do nothing; nil then.
    ///
    /// - Parameters:
    ///   - used: The ID of the person's invitation or session, which must exist and ends; nil if there is none.
    ///   - isByProvider: Whether a provider of OpenID Connect has a session of its own, which `signOut` tells.
    ///   - update: Applied to the person as stored, in the same transaction; nil: the person may not sign in so.
    package func signIn(
        _ id: String, using used: String? = nil, isByProvider: Bool = false,
        _ update: @escaping @Sendable (Person) -> Person? = { $0 }
    ) async throws(StoreError) -> PersonSignIn {
        let now = dependencies.now()
        let secret = KeyText(randomBytes: dependencies.randomBytes)
        let session = storedSession(
            of: id, name: isByProvider ? DashboardSession.byProvider : "", application: nil, .session, secret, at: now,
            until: now.advanced(byMilliseconds: DashboardSession.duration))
        let change = try await store.people.changePerson(id, using: used, adding: session) { person in
            // A provider may give the first role with this sign-in.
            guard !person.isDisabled, var updated = update(person), KeyIdentity(updated) != nil else { return nil }
            updated.signedInAt = now
            return updated
        }
        switch change {
        case .changed(let person):
            try await refresh()
            guard let identity = KeyIdentity(person), let end = session.expiresAt else { return .refused }
            try await endSurplusSessions(of: identity, at: now)
            return .started(secret, DashboardSession(key: identity, person: person, expiresAt: end))
        case .unchanged, .lastAdministrator: return .refused
        case .taken: return .taken
        case .unknown: return .unknown
        }
    }

    /// The person whom the token of an invitation is for, with the invitation's ID; nil if it is unknown, used or expired.
    package func invitation(_ token: [UInt8]) async throws(StoreError) -> (id: String, person: Person)? {
        guard let invitation = try await find(token, .invitation), let owner = invitation.sessionOwnerID,
            let person = table.current.person(id: owner), !person.isDisabled
        else { return nil }
        return (invitation.id, person)
    }

    /// Makes the token of a link that signs in once.
    ///
    /// - Parameter known: as `identity` returned it.
    package func makeSignInLink(
        for known: KeyIdentity
    ) async throws(StoreError) -> (token: KeyText, expiresAt: Timestamp) {
        let (token, expiresAt) = try await insertSession(of: known, .link)
        return (token, expiresAt)
    }

    /// Starts a session with the token of a link, which no other call can use from then on; nil if it is unknown, used or
    /// expired, or if its key is revoked or expired.
    package func signIn(
        withLink token: [UInt8]
    ) async throws(StoreError) -> (secret: KeyText, session: DashboardSession)? {
        guard let (link, key) = try await signInLink(token), try await forget(link) else { return nil }
        let (secret, expiresAt) = try await insertSession(of: key, .session)
        return (secret, DashboardSession(key: key, expiresAt: expiresAt))
    }

    /// The session that a link would start, which this uses nothing of; it ends with the link. Nil as for `signIn`.
    package func session(ofLink token: [UInt8]) async throws(StoreError) -> DashboardSession? {
        guard let (link, key) = try await signInLink(token), let end = link.expiresAt else { return nil }
        return DashboardSession(key: key, expiresAt: end)
    }

    private func signInLink(_ token: [UInt8]) async throws(StoreError) -> (link: StoredKey, key: KeyIdentity)? {
        guard let link = try await find(token, .link), let key = keyOfSession(link, at: dependencies.now()) else {
            return nil
        }
        return (link, key)
    }

    /// What was stored under the digest of a token, and has not expired.
    private func find(_ token: [UInt8], _ kind: StoredKey.SessionKind) async throws(StoreError) -> StoredKey? {
        guard KeyText.isKey(token) else { return nil }
        let digest = dependencies.sha256(token)
        var found = table.current.key(digest: digest)
        if found == nil, mayBeNew(token) {
            // Anybody may send tokens: only for one that exists are all keys read.
            guard try await store.key(digest: digest) != nil else { return nil }
            try await refresh()
            found = table.current.key(digest: digest)
        }
        guard let found, found.sessionKind == kind, !found.hasExpired(at: dependencies.now()) else { return nil }
        return found
    }

    /// The key's identity, looked up in the store if necessary; nil if it is invalid, unknown, revoked or expired.
    package func identity(_ key: [UInt8]) async throws(StoreError) -> KeyIdentity? {
        if let known = authenticate(key) { return known }
        return mayBeNew(key) ? try await lookUp(key) : nil
    }

    /// Stores a session or a link, which ends with the key at the latest.
    private func insertSession(
        of key: KeyIdentity, _ kind: StoredKey.SessionKind
    ) async throws(StoreError) -> (secret: KeyText, expiresAt: Timestamp) {
        let now = dependencies.now()
        try await endSurplusSessions(of: key, at: now)
        let secret = KeyText(randomBytes: dependencies.randomBytes)
        let end = now.advanced(
            byMilliseconds: kind == .link ? DashboardSession.linkDuration : DashboardSession.duration)
        let expiresAt = table.current.key(id: key.id)?.expiresAt.map { min($0, end) } ?? end
        let session = storedSession(
            of: sessionOwnerID(of: key), name: key.name, application: key.grant.application, kind, secret, at: now,
            until: expiresAt)
        // The digest of 32 random bytes is no other key's.
        _ = try await AuditCall.run(as: AuditCall.current?.by(key)) { () async throws(StoreError) in
            try await store.insert(session)
        }
        try await refresh()
        return (secret, expiresAt)
    }

    func storedSession(
        of owner: String, name: String, application: ApplicationID?, _ kind: StoredKey.SessionKind, _ secret: KeyText,
        at now: Timestamp, until end: Timestamp
    ) -> StoredKey {
        StoredKey(
            id: StoredKey.sessionID(of: owner, Base62.random(length: 12, bytes: dependencies.randomBytes), kind),
            name: name, digest: dependencies.sha256(Array(secret.text.utf8)), application: application, scopes: [],
            createdAt: now, expiresAt: end)
    }

    /// The session with this secret; nil if it is unknown or ended, or if its key is revoked or expired.
    package func session(_ secret: [UInt8]) -> DashboardSession? {
        guard KeyText.isKey(secret) else { return nil }
        let (digest, now) = (dependencies.sha256(secret), dependencies.now())
        guard let stored = table.current.key(digest: digest), let expiresAt = stored.expiresAt, now < expiresAt,
            stored.sessionKind == .session, var key = keyOfSession(stored, at: now)
        else { return nil }
        let person = key.person == key.id ? table.current.person(id: key.id) : nil
        if key != .environment, person == nil { noteUse(of: key.id, at: now) }
        key.sessionID = stored.id
        return DashboardSession(key: key, person: person, expiresAt: expiresAt)
    }

    /// The key or person that a session or link is of; nil if the key is revoked or expired, or the person may do nothing.
    private func keyOfSession(_ stored: StoredKey, at now: Timestamp) -> KeyIdentity? {
        stored.sessionOwnerID.flatMap { identity(ofOwner: $0, at: now) }
    }

    /// The same by the ID of the key or person.
    func identity(ofOwner owner: String, at now: Timestamp) -> KeyIdentity? {
        if let environmentID, owner == environmentID { return .environment }
        let table = table.current
        if let person = table.person(id: owner) { return KeyIdentity(person) }
        guard let key = table.key(id: owner), !key.hasExpired(at: now) else { return nil }
        return table.identity(of: key)
    }

    /// Like `session`, but queries the store; for a secret that `mayBeNew`.
    package func lookUpSession(_ secret: [UInt8]) async throws(StoreError) -> DashboardSession? {
        guard try await store.key(digest: dependencies.sha256(secret)) != nil else { return nil }
        try await refresh()
        return session(secret)
    }

    /// Ends a session. On return, this server rejects it; other servers do so with their next refresh.
    ///
    /// - Returns: whether a provider began it, which has a session of its own.
    @discardableResult
    package func signOut(_ secret: [UInt8]) async throws(StoreError) -> Bool {
        guard let stored = try await store.key(digest: dependencies.sha256(secret)), stored.isSession else {
            return false
        }
        _ = try await store.deleteKey(stored.id)
        try await refresh()
        return stored.name == DashboardSession.byProvider
            && stored.sessionOwnerID.flatMap { table.current.person(id: $0) } != nil
    }

    /// Deletes sessions that have expired or whose key or person is gone, and the oldest of this one beyond the limit.
    private func endSurplusSessions(of key: KeyIdentity, at now: Timestamp) async throws(StoreError) {
        let keys = table.current
        let prefix = StoredKey.sessionPrefix(of: sessionOwnerID(of: key))
        var own: [StoredKey] = []
        for session in keys.keys where session.isSession {
            let owner = session.sessionOwnerID ?? ""
            if session.hasExpired(at: now)
                || (owner != environmentID && keys.key(id: owner) == nil && keys.person(id: owner) == nil)
            {
                _ = try await forget(session)
            } else if session.sessionKind != .invitation, session.id.hasPrefix(prefix) {
                own.append(session)
            }
        }
        own.sort { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        for session in own.dropLast(DashboardSession.limit - 1) { _ = try await forget(session) }
    }

    /// Deletes a session or link that is used up or has ended, which nobody asked for: the audit has no entry of it.
    private func forget(_ session: StoredKey) async throws(StoreError) -> Bool {
        try await AuditCall.run(as: nil) { () async throws(StoreError) in try await store.deleteKey(session.id) }
    }

    func sessionOwnerID(of key: KeyIdentity) -> String {
        key.id == KeyIdentity.environmentID ? environmentID ?? key.id : key.id
    }
}
