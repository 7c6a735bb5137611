package import WaymarkLinks

/// The API keys: who may do what.
///
/// `authenticate` is synchronous and cheap enough for event loops; it reads a snapshot. Keys that another process made
/// or revoked are seen with the next `refresh`.
package final class KeyRing: Sendable {
    private let store: any LinkStore
    private let surroundings: ServiceSurroundings
    private let table = Published(KeyTable([]))
    private let environmentDigest: [UInt8]?

    package init(store: any LinkStore, surroundings: ServiceSurroundings, adminKey: KeyText?) {
        self.store = store
        self.surroundings = surroundings
        environmentDigest = adminKey.map { surroundings.sha256(Array($0.text.utf8)) }
    }

    /// Reads the keys again.
    package func refresh() async throws(StoreError) {
        let ticket = table.ticket()
        let keys = try await store.keys()
        table.publish(ticket) { $0.keys == keys ? nil : KeyTable(keys) }
    }

    /// Who holds the key; nil for what is no key, an unknown, a revoked or an expired one.
    package func authenticate(_ key: [UInt8]) -> KeyIdentity? {
        guard KeyText.isKey(key) else { return nil }
        let digest = surroundings.sha256(key)
        if let environmentDigest, KeyTable.equal(environmentDigest, digest) {
            return .environment
        }
        guard let stored = table.current.key(digest: digest), !stored.hasExpired(at: surroundings.now()) else {
            return nil
        }
        return KeyIdentity(id: stored.id, name: stored.name, application: stored.application, scopes: stored.scopes)
    }

    /// Makes a key; the only time that its text is known.
    package func make(_ request: NewKey, by maker: KeyIdentity) async throws(StoreError) -> KeyCreation {
        if let application = maker.application, request.application != application { return .forbidden }
        guard request.scopes.isSubset(of: KeyIdentity.reach(of: maker.scopes)) else { return .forbidden }
        let (stored, text) = try await insert(request)
        return .made(stored, text)
    }

    /// The keys that `reader` may see, as the store has them now, oldest first.
    package func list(for reader: KeyIdentity) async throws(StoreError) -> [StoredKey] {
        try await store.keys()
            .filter { reader.application == nil || reader.application == $0.application }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Revokes a key; false where there is none of that id that `remover` may see. Once it returns, the key is refused.
    package func delete(_ id: String, by remover: KeyIdentity) async throws(StoreError) -> Bool {
        if remover.application != nil {
            guard try await list(for: remover).contains(where: { $0.id == id }) else { return false }
        }
        let existed = try await store.deleteKey(id)
        try await refresh()
        return existed
    }

    /// Makes an admin key where neither the environment nor the store has a usable one.
    package func makeFirstAdminKey() async throws(StoreError) -> KeyText? {
        guard environmentDigest == nil else { return nil }
        let now = surroundings.now()
        let hasAdmin = table.current.keys.contains {
            $0.scopes.contains(.admin) && $0.application == nil && !$0.hasExpired(at: now)
        }
        guard !hasAdmin else { return nil }
        return try await insert(NewKey(name: "first admin key", application: nil, scopes: [.admin], expiresAt: nil)).1
    }

    private func insert(_ request: NewKey) async throws(StoreError) -> (StoredKey, KeyText) {
        let text = KeyText(randomBytes: surroundings.randomBytes)
        let stored = StoredKey(
            id: Base62.random(length: 12, bytes: surroundings.randomBytes), name: request.name,
            digest: surroundings.sha256(Array(text.text.utf8)), application: request.application,
            scopes: request.scopes, createdAt: surroundings.now(), expiresAt: request.expiresAt)
        try await store.insert(stored)
        try await refresh()
        return (stored, text)
    }
}

/// A key about to be made.
package struct NewKey: Sendable, Equatable {
    package var name: String
    /// nil: for all applications.
    package var application: ApplicationID?
    package var scopes: Set<KeyScope>
    package var expiresAt: Timestamp?

    package init(name: String, application: ApplicationID?, scopes: Set<KeyScope>, expiresAt: Timestamp?) {
        self.name = name
        self.application = application
        self.scopes = scopes
        self.expiresAt = expiresAt
    }
}

package enum KeyCreation: Sendable {
    case made(StoredKey, KeyText)
    /// The maker's own key reaches less far than the one asked for.
    case forbidden
    case unknownApplication
}

extension StoredKey {
    func hasExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }
}
