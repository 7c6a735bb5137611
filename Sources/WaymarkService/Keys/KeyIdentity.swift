package import WaymarkLinks
package import WaymarkStores

/// The caller identified by a valid key.
package struct KeyIdentity: Sendable, Equatable {
    /// The ID of the environment's admin key, which no stored key has.
    package static let environmentID = "environment"

    /// An operator: who has the environment's admin key, or may open the database.
    package static let environment = KeyIdentity(
        id: environmentID, name: environmentID, application: nil, scopes: [.admin])

    /// Placeholder while a key is being looked up; has no permissions.
    package static let nobody = KeyIdentity(id: "", name: "", application: nil, scopes: [])

    package let id: String
    package let name: String
    /// Nil: all applications.
    package let application: ApplicationID?
    package let scopes: Set<KeyScope>
    /// The platform of the app that the key is shipped in; nil if it was not created for a platform.
    package let platform: Platform?
    /// The dashboard session through which it acts, with which its right to act ends; nil for the key itself.
    package var sessionID: String?

    package init(
        id: String, name: String, application: ApplicationID?, scopes: Set<KeyScope>, platform: Platform? = nil
    ) {
        self.id = id
        self.name = name
        self.application = application
        self.scopes = scopes
        self.platform = platform
    }

    init(_ stored: StoredKey) {
        self.init(
            id: stored.id, name: stored.name, application: stored.application, scopes: stored.scopes,
            platform: stored.platform)
    }

    /// For the history of links.
    package var author: ChangeAuthor { ChangeAuthor(id: id, name: name) }

    /// Whether one of the key's scopes includes `scope`.
    package func may(_ scope: KeyScope) -> Bool {
        // Called on every request, so it avoids creating the set of `reach`.
        if scopes.contains(scope) || scopes.contains(.admin) { return true }
        return scopes.contains(.links) && (scope == .resolve || scope == .create || scope == .read)
    }

    /// Whether the key may act on links of this application.
    package func reaches(_ other: ApplicationID) -> Bool {
        application == nil || application == other
    }

    /// The scopes, with the lesser ones that they include.
    package static func reach(of scopes: Set<KeyScope>) -> Set<KeyScope> {
        if scopes.contains(.admin) { return Set(KeyScope.allCases) }
        if scopes.contains(.links) { return scopes.union([.resolve, .create, .read]) }
        return scopes
    }
}

/// A snapshot of the stored keys, indexed by digest.
struct KeyTable: Sendable {
    private let buckets: [UInt64: [StoredKey]]
    private let indexes: [String: Int]
    let keys: [StoredKey]

    init(_ keys: [StoredKey]) {
        self.keys = keys
        buckets = Dictionary(grouping: keys) { Self.bucket(of: $0.digest) }
        indexes = Dictionary(zip(keys.map(\.id), keys.indices)) { first, _ in first }
    }

    func key(id: String) -> StoredKey? { indexes[id].map { keys[$0] } }

    /// The key with this digest. The bucket is selected by the start of the digest, which reveals nothing to an
    /// attacker, because it can't be controlled without inverting SHA-256. The full comparison takes constant time.
    func key(digest: [UInt8]) -> StoredKey? {
        buckets[Self.bucket(of: digest)]?.first { Self.equal($0.digest, digest) }
    }

    static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }

    private static func bucket(of digest: [UInt8]) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
