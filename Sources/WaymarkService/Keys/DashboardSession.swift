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
    /// Sessions of one key at a time; a further sign-in ends the oldest.
    static let limit = 100
}

/// A session is stored as a key without scopes, so that all servers that share a store learn of it, and of its end, as they
/// do of keys. Its ID is `session-<ID of the key>-<random>`.
extension StoredKey {
    static func sessionPrefix(of key: String) -> String { sessionPrefix + key + "-" }

    /// The ID of the key that a session was started with; nil if this is not a session.
    var sessionKeyID: String? {
        guard isSession, let end = id.lastIndex(of: "-") else { return nil }
        return String(id[..<end].dropFirst(Self.sessionPrefix.count))
    }
}

extension KeyRing {
    /// Starts a session; nil if the key is invalid, unknown, revoked or expired.
    ///
    /// - Returns: the secret of the session, for its cookie.
    package func signIn(_ key: [UInt8]) async throws(StoreError) -> (secret: KeyText, session: DashboardSession)? {
        var known = authenticate(key)
        if known == nil, mayBeNew(key) { known = try await lookUp(key) }
        guard let known else { return nil }
        let now = dependencies.now()
        try await endSurplusSessions(of: known, at: now)
        let secret = KeyText(randomBytes: dependencies.randomBytes)
        let end = Timestamp(rawValue: now.rawValue + DashboardSession.duration)
        let expiresAt = table.current.key(id: known.id)?.expiresAt.map { min($0, end) } ?? end
        let number = Base62.random(length: 12, bytes: dependencies.randomBytes)
        let stored = StoredKey(
            id: StoredKey.sessionPrefix(of: sessionKeyID(of: known)) + number, name: known.name,
            digest: dependencies.sha256(Array(secret.text.utf8)),
            application: known.application, scopes: [], createdAt: now, expiresAt: expiresAt)
        guard try await store.insert(stored) else { return nil }
        try await refresh()
        return (secret, DashboardSession(key: known, expiresAt: expiresAt))
    }

    /// The session with this secret; nil if it is unknown or ended, or if its key is revoked or expired.
    package func session(_ secret: [UInt8]) -> DashboardSession? {
        guard KeyText.isKey(secret) else { return nil }
        let (digest, now) = (dependencies.sha256(secret), dependencies.now())
        guard let stored = table.current.key(digest: digest), let expiresAt = stored.expiresAt, now < expiresAt,
            let keyID = stored.sessionKeyID
        else { return nil }
        if let environmentID, keyID == environmentID {
            return DashboardSession(key: .environment, expiresAt: expiresAt)
        }
        guard let key = table.current.key(id: keyID), !key.hasExpired(at: now) else { return nil }
        noteUse(of: keyID, at: now)
        return DashboardSession(key: KeyIdentity(key), expiresAt: expiresAt)
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
