import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// A dashboard session of the holder of an API key.
package struct DashboardSession: Sendable, Equatable {
    /// The key that the session was started with. The session can do what this key can.
    package let key: KeyIdentity
    package let expiresAt: Timestamp

    /// 12 hours, in milliseconds.
    static let duration: Int64 = 12 * 60 * 60 * 1_000
    /// Ten minutes, in milliseconds: how long a sign-in link can be used.
    package static let linkDuration: Int64 = 10 * 60 * 1_000
    /// Sessions and sign-in links of one key at a time; a further one ends the oldest.
    static let limit = 100
}

/// A session is stored as a key without scopes, so that all servers that share a store learn of it, and of its end, as they
/// do of keys. Its ID is `session-<ID of the key>-<random>`. So is a link that starts one; its ID ends with `.link`.
extension StoredKey {
    private static let linkSuffix = ".link"

    static func sessionPrefix(of key: String) -> String { sessionPrefix + key + "-" }

    static func sessionID(of key: String, _ number: String, isLink: Bool) -> String {
        sessionPrefix(of: key) + number + (isLink ? linkSuffix : "")
    }

    var isSignInLink: Bool { isSession && id.hasSuffix(Self.linkSuffix) }

    /// The ID of the key that a session or link was made with; nil if this is neither.
    var sessionKeyID: String? {
        guard isSession, let end = id.lastIndex(of: "-") else { return nil }
        return String(id[..<end].dropFirst(Self.sessionPrefix.count))
    }
}

extension KeyRing {
    /// Starts a session.
    ///
    /// - Parameter known: as `identity` returned it.
    /// - Returns: the secret of the session, for its cookie.
    package func signIn(_ known: KeyIdentity) async throws(StoreError) -> (secret: KeyText, session: DashboardSession) {
        let (secret, expiresAt) = try await insertSession(of: known, isLink: false)
        return (secret, DashboardSession(key: known, expiresAt: expiresAt))
    }

    /// Makes the token of a link that signs in once.
    ///
    /// - Parameter known: as `identity` returned it.
    package func makeSignInLink(
        for known: KeyIdentity
    ) async throws(StoreError) -> (token: KeyText, expiresAt: Timestamp) {
        let (token, expiresAt) = try await insertSession(of: known, isLink: true)
        return (token, expiresAt)
    }

    /// Starts a session with the token of a link, which no other call can use from then on; nil if it is unknown, used or
    /// expired, or if its key is revoked or expired.
    package func signIn(
        withLink token: [UInt8]
    ) async throws(StoreError) -> (secret: KeyText, session: DashboardSession)? {
        guard let (link, key) = try await signInLink(token), try await store.deleteKey(link.id) else { return nil }
        let (secret, expiresAt) = try await insertSession(of: key, isLink: false)
        return (secret, DashboardSession(key: key, expiresAt: expiresAt))
    }

    /// The session that a link would start, which this uses nothing of; it ends with the link. Nil as for `signIn`.
    package func session(ofLink token: [UInt8]) async throws(StoreError) -> DashboardSession? {
        guard let (link, key) = try await signInLink(token), let end = link.expiresAt else { return nil }
        return DashboardSession(key: key, expiresAt: end)
    }

    private func signInLink(_ token: [UInt8]) async throws(StoreError) -> (link: StoredKey, key: KeyIdentity)? {
        guard KeyText.isKey(token) else { return nil }
        let (digest, now) = (dependencies.sha256(token), dependencies.now())
        var link = table.current.key(digest: digest)
        if link == nil, mayBeNew(token) {
            // Anybody may send tokens: only for one that exists are all keys read.
            guard try await store.key(digest: digest) != nil else { return nil }
            try await refresh()
            link = table.current.key(digest: digest)
        }
        guard let link, link.isSignInLink, !link.hasExpired(at: now), let key = keyOfSession(link, at: now) else {
            return nil
        }
        return (link, key)
    }

    /// The key's identity, looked up in the store if necessary; nil if it is invalid, unknown, revoked or expired.
    package func identity(_ key: [UInt8]) async throws(StoreError) -> KeyIdentity? {
        if let known = authenticate(key) { return known }
        return mayBeNew(key) ? try await lookUp(key) : nil
    }

    /// Stores a session or a link, which ends with the key at the latest.
    private func insertSession(
        of key: KeyIdentity, isLink: Bool
    ) async throws(StoreError) -> (secret: KeyText, expiresAt: Timestamp) {
        let now = dependencies.now()
        try await endSurplusSessions(of: key, at: now)
        let secret = KeyText(randomBytes: dependencies.randomBytes)
        let end = Timestamp(
            rawValue: now.rawValue + (isLink ? DashboardSession.linkDuration : DashboardSession.duration))
        let expiresAt = table.current.key(id: key.id)?.expiresAt.map { min($0, end) } ?? end
        let stored = StoredKey(
            id: StoredKey.sessionID(
                of: sessionKeyID(of: key), Base62.random(length: 12, bytes: dependencies.randomBytes), isLink: isLink),
            name: key.name, digest: dependencies.sha256(Array(secret.text.utf8)), application: key.application,
            scopes: [], createdAt: now, expiresAt: expiresAt)
        // The digest of 32 random bytes is no other key's.
        try await store.insert(stored)
        try await refresh()
        return (secret, expiresAt)
    }

    /// The session with this secret; nil if it is unknown or ended, or if its key is revoked or expired.
    package func session(_ secret: [UInt8]) -> DashboardSession? {
        guard KeyText.isKey(secret) else { return nil }
        let (digest, now) = (dependencies.sha256(secret), dependencies.now())
        guard let stored = table.current.key(digest: digest), let expiresAt = stored.expiresAt, now < expiresAt,
            !stored.isSignInLink, var key = keyOfSession(stored, at: now)
        else { return nil }
        if key != .environment { noteUse(of: key.id, at: now) }
        key.sessionID = stored.id
        return DashboardSession(key: key, expiresAt: expiresAt)
    }

    /// The key that a session or link was made with; nil if it is revoked or expired.
    private func keyOfSession(_ stored: StoredKey, at now: Timestamp) -> KeyIdentity? {
        guard let keyID = stored.sessionKeyID else { return nil }
        if let environmentID, keyID == environmentID { return .environment }
        guard let key = table.current.key(id: keyID), !key.hasExpired(at: now) else { return nil }
        return KeyIdentity(key)
    }

    /// Like `session`, but queries the store; for a secret that `mayBeNew`.
    package func lookUpSession(_ secret: [UInt8]) async throws(StoreError) -> DashboardSession? {
        guard try await store.key(digest: dependencies.sha256(secret)) != nil else { return nil }
        try await refresh()
        return session(secret)
    }

    /// Ends a session. On return, this server rejects it; other servers do so with their next refresh.
    package func signOut(_ secret: [UInt8]) async throws(StoreError) {
        guard let stored = try await store.key(digest: dependencies.sha256(secret)), stored.isSession else { return }
        _ = try await store.deleteKey(stored.id)
        try await refresh()
    }

    /// Deletes sessions that have expired or whose key is gone, and the oldest of this key beyond the limit.
    private func endSurplusSessions(of key: KeyIdentity, at now: Timestamp) async throws(StoreError) {
        let keys = table.current
        let prefix = StoredKey.sessionPrefix(of: sessionKeyID(of: key))
        var own: [StoredKey] = []
        for session in keys.keys where session.isSession {
            let keyID = session.sessionKeyID ?? ""
            if session.hasExpired(at: now) || (keyID != environmentID && keys.key(id: keyID) == nil) {
                _ = try await store.deleteKey(session.id)
            } else if session.id.hasPrefix(prefix) {
                own.append(session)
            }
        }
        own.sort { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        for session in own.dropLast(DashboardSession.limit - 1) { _ = try await store.deleteKey(session.id) }
    }

    private func sessionKeyID(of key: KeyIdentity) -> String {
        key.id == KeyIdentity.environmentID ? environmentID ?? key.id : key.id
    }
}
