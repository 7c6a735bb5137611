import Synchronization
import WaymarkLinks
package import WaymarkStores

/// Access tokens of OAuth. They are no keys: only the route that takes them asks for them.
extension KeyRing {
    /// What the bearer of an access token may do; nil if it is unknown, expired, ended or of another kind, or if its person or key
    /// may do nothing of it any more.
    package func tokenIdentity(_ text: [UInt8]) -> KeyIdentity? {
        guard let token = GrantToken(text), token.kind == .access, let grant = table.current.grant(id: token.grantID),
            let digest = grant.access, KeyTable.equal(digest, dependencies.sha256(text))
        else { return nil }
        let now = dependencies.now()
        guard grant.accessExpiresAt.map({ now < $0 }) ?? false else { return nil }
        return identity(of: grant, at: now)
    }

    /// Whether to look up a token in the store that `tokenIdentity` rejects, as `mayBeNew` does for keys.
    package func mayBeNewToken(_ text: [UInt8]) -> Bool {
        guard store.isShared, let token = GrantToken(text), token.kind == .access else { return false }
        return strangers.withLock { $0.admit(dependencies.sha256(text)) }
    }

    /// Like `tokenIdentity`, but queries the store; for a token that `mayBeNewToken`.
    package func lookUpToken(_ text: [UInt8]) async throws(StoreError) -> KeyIdentity? {
        guard let token = GrantToken(text),
            try await store.oauth.grant(token.grantID)?.access == dependencies.sha256(text)
        else { return nil }
        try await refresh()
        return tokenIdentity(text)
    }

    /// What both the grant and its owner allow; nil if that is nothing.
    func identity(of grant: OAuthGrant, at now: Timestamp) -> KeyIdentity? {
        guard now < grant.end, let owner = identity(ofOwner: grant.owner, at: now) else { return nil }
        let own = Grant(application: nil, scopes: grant.scopes)
        let grants = ([owner.grant] + owner.furtherGrants).compactMap { own.limited(to: $0) }
        guard let first = grants.first else { return nil }
        if owner != .environment, owner.person != owner.id { noteUse(of: owner.id, at: now) }
        var identity = KeyIdentity(
            id: owner.id, name: owner.name, first, and: Array(grants.dropFirst()), person: owner.person,
            platform: owner.platform)
        identity.sessionID = grant.id
        return identity
    }
}
