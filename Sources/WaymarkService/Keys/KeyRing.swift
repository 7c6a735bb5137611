import Synchronization
import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// The API keys and their permissions.
///
/// `authenticate` is synchronous and cheap enough for event loops; it reads a snapshot. `lookUp` finds keys created
/// by another server; revocations by another server take effect with the next `refresh`.
package final class KeyRing: Sendable {
    let store: any LinkStore
    let dependencies: ServiceDependencies
    let table = Published(KeyTable())
    private let environmentDigest: [UInt8]?
    private let uses = Mutex(KeyUses())
    let strangers = Mutex(UnknownKeys())

    package init(store: any LinkStore, dependencies: ServiceDependencies, adminKey: KeyText?) {
        self.store = store
        self.dependencies = dependencies
        environmentDigest = adminKey.map { dependencies.sha256(Array($0.text.utf8)) }
    }

    /// Reloads the keys.
    package func refresh() async throws(StoreError) {
        let ticket = table.ticket()
        let keys = try await store.keys()
        let people = try await store.people.people()
        let grants = try await store.oauth.grants()
        table.publish(ticket) {
            $0.keys == keys && $0.people == people && $0.grants == grants ? nil : KeyTable(keys, people, grants)
        }
        // An unknown key may have been created since it was looked up.
        strangers.withLock { $0.forgetAll() }
    }

    /// The key's identity; nil if it is invalid, unknown, revoked or expired.
    package func authenticate(_ key: [UInt8]) -> KeyIdentity? {
        guard KeyText.isKey(key) else { return nil }
        let digest = dependencies.sha256(key)
        if let environmentDigest, KeyTable.equal(environmentDigest, digest) {
            return .environment
        }
        let (table, now) = (table.current, dependencies.now())
        guard let stored = table.key(digest: digest), !stored.isSession, !stored.hasExpired(at: now),
            let identity = table.identity(of: stored)
        else { return nil }
        noteUse(of: stored.id, at: now)
        return identity
    }

    /// Whether a caller that was accepted earlier may still do the same: its key is neither revoked nor expired, the session that
    /// it acts through goes on, and no membership of the person has changed.
    package func isValid(_ caller: KeyIdentity) -> Bool {
        let (table, now) = (table.current, dependencies.now())
        if let grant = caller.sessionID.flatMap({ table.grant(id: $0) }) {
            let present = identity(of: grant, at: now)
            return present?.grant == caller.grant && present?.furtherGrants == caller.furtherGrants
        }
        if let session = caller.sessionID, table.key(id: session)?.hasExpired(at: now) ?? true { return false }
        if caller.id == KeyIdentity.environmentID || caller == .demo { return true }
        let present: KeyIdentity?
        if let key = table.key(id: caller.id) {
            present = key.hasExpired(at: now) ? nil : table.identity(of: key)
        } else {
            present = table.person(id: caller.id).flatMap { KeyIdentity($0) }
        }
        return present?.grant == caller.grant && present?.furtherGrants == caller.furtherGrants
    }

    /// Whether an enabled person administers all applications and has signed in.
    package var hasAdministrator: Bool {
        table.current.people.contains { person in
            !person.isDisabled && person.signedInAt != nil
                && person.memberships.contains(Membership(application: nil, role: .admin))
        }
    }

    /// The people who can sign in and confirm what an assistant has planned, because they may change links of all these
    /// applications.
    package func confirmers(of applications: [ApplicationID]) -> Confirmers {
        let people = table.current.people.lazy
            .filter { !($0.passkeys.isEmpty && $0.identities.isEmpty) }
            .compactMap { KeyIdentity($0) }
        if people.contains(where: { person in applications.allSatisfy { person.may(.links, in: $0) } }) { return .some }
        // Else a change of one more application would need nobody.
        let isDivided = people.contains { person in applications.contains { person.may(.links, in: $0) } }
        return isDivided ? .divided : .none
    }

    /// The person with this account; nil if there is none.
    package func person(_ identity: PersonIdentity) -> Person? {
        table.current.people.first { $0.identities.contains(identity) }
    }

    func noteUse(of id: String, at now: Timestamp) { uses.withLock { $0.note(id, at: now) } }

    /// Identifies the environment's admin key among the keys of sessions, which end when it is replaced.
    var environmentID: String? {
        environmentDigest.map { KeyIdentity.environmentID + "." + Hexadecimal.text($0.prefix(8)) }
    }

    /// Whether to look up a key in the store that `authenticate` rejects: another server may have created it. True
    /// once per key until the next refresh, and for at most `UnknownKeys.limit` keys.
    package func mayBeNew(_ key: [UInt8]) -> Bool {
        guard store.isShared, KeyText.isKey(key), GrantToken(key) == nil else { return false }
        let digest = dependencies.sha256(key)
        // A known key has expired, or a refresh has found it since `authenticate` rejected it.
        if let known = table.current.key(digest: digest) { return !known.hasExpired(at: dependencies.now()) }
        return strangers.withLock { $0.admit(digest) }
    }

    /// Like `authenticate`, but queries the store; for a key that `mayBeNew`.
    package func lookUp(_ key: [UInt8]) async throws(StoreError) -> KeyIdentity? {
        guard try await store.key(digest: dependencies.sha256(key)) != nil else { return nil }
        try await refresh()
        return authenticate(key)
    }

    /// Creates a key, and returns its text for the only time.
    ///
    /// - Parameter claim: to the text, if it is given.
    package func make(
        _ request: NewKey, claiming claim: CredentialClaim? = nil, by maker: KeyIdentity
    ) async throws(StoreError) -> KeyCreation {
        guard request.scopes.isSubset(of: maker.scopes(in: request.application)) else { return .forbidden }
        guard let (stored, text) = try await insert(request, of: maker.person, claiming: claim) else { return .taken }
        return .made(stored, text)
    }

    /// The keys that `reader` may see, as currently stored, oldest first.
    package func list(for reader: KeyIdentity) async throws(StoreError) -> [StoredKey] {
        let uses = uses.withLock { $0.latest }
        let reach = reader.reach(ofOneOf: [.admin]) ?? .nothing
        return try await store.keys()
            .filter { !$0.isSession && reach.contains($0.application) }
            .map { key in
                var key = key
                if let used = uses[key.id], used > key.lastUsedAt ?? .init(rawValue: .min) { key.lastUsedAt = used }
                return key
            }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Who made a change, as `reader` may know it: a key of one application does not see the names of others' keys. Keys
    /// that are deleted have no application any more.
    package func author(_ author: ChangeAuthor, for reader: KeyIdentity) -> ChangeAuthor {
        guard let reach = reader.reach(ofOneOf: KeyScope.allCases), !reach.isAll, author.id != reader.id,
            author != .googleKey
        else { return author }
        guard author.id != KeyIdentity.environmentID else { return .operators }
        let table = table.current
        if let person = table.person(id: author.id) {
            return person.memberships.contains { $0.application.map(reach.contains) ?? false } ? author : .operators
        }
        guard let key = table.key(id: author.id) else { return .unknown }
        return key.application.map(reach.contains) ?? false ? author : .operators
    }

    /// Revokes a key; false if there is none with this ID that `remover` may see. On return, the key is rejected.
    package func delete(_ id: String, by remover: KeyIdentity) async throws(StoreError) -> Bool {
        guard !id.hasPrefix(StoredKey.sessionPrefix) else { return false }
        guard let key = try await list(for: remover).first(where: { $0.id == id }) else { return false }
        let event = OutboxEvent(.keyRevoked, of: key.application, at: dependencies.now(), key.attributes)
        let existed = try await store.deleteKey(id, reporting: event)
        try await refresh()
        return existed
    }

    /// Creates an admin key if neither the environment nor the store has a valid one.
    package func makeFirstAdminKey() async throws(StoreError) -> KeyText? {
        guard environmentDigest == nil else { return nil }
        let now = dependencies.now()
        let hasAdmin = table.current.keys.contains {
            $0.scopes.contains(.admin) && $0.application == nil && !$0.hasExpired(at: now)
        }
        guard !hasAdmin else { return nil }
        return try await insert(NewKey(name: "first admin key", application: nil, scopes: [.admin], expiresAt: nil))?.1
    }

    /// Stores when keys were last used: each key's first use, and then at most once every half hour.
    ///
    /// - Parameter all: whether to store all later uses too, because the process ends.
    package func writeUses(all: Bool = false) async throws(StoreError) {
        let stored = Dictionary(table.current.keys.map { ($0.id, $0.lastUsedAt) }) { first, _ in first }
        let due = uses.withLock { $0.due(stored, all: all) }
        guard !due.isEmpty else { return }
        try await store.noteKeyUses(due)
        uses.withLock { $0.settle(due) }
    }

    /// Nil if the given text is another key's.
    private func insert(
        _ request: NewKey, of person: String? = nil, claiming claim: CredentialClaim? = nil
    ) async throws(StoreError) -> (StoredKey, KeyText)? {
        let text = request.text ?? KeyText(randomBytes: dependencies.randomBytes)
        let stored = StoredKey(
            id: Base62.random(length: 12, bytes: dependencies.randomBytes), name: request.name,
            digest: dependencies.sha256(Array(text.text.utf8)), application: request.application,
            scopes: request.scopes, createdAt: dependencies.now(), expiresAt: request.expiresAt,
            platform: request.platform, person: person)
        if let environmentDigest, KeyTable.equal(environmentDigest, stored.digest) { return nil }
        let event = OutboxEvent(
            .keyCreated, of: stored.application, at: stored.createdAt, stored.attributes)
        guard try await store.insert(stored, claiming: claim, reporting: event) else { return nil }
        try await refresh()
        return (stored, text)
    }
}

extension StoredKey {
    /// What events report of it.
    var attributes: [OutboxEvent.Attribute] {
        [
            .init("id", id), .init("name", name),
            .init("scopes", .list(KeyScope.allCases.filter(scopes.contains).map(\.rawValue))),
        ]
    }
}

extension ChangeAuthor {
    /// A key that is not the application's own.
    fileprivate static let operators = ChangeAuthor(id: "operator", name: "operator")
    fileprivate static let unknown = ChangeAuthor(id: "deleted", name: "deleted key")
}

/// Whether people can confirm a change of links.
package enum Confirmers: Sendable {
    case none, some
    /// Some may change links of one of the applications, and nobody those of all.
    case divided
}

/// A key to be created.
package struct NewKey: Sendable, Equatable {
    package var name: String
    /// Nil: all applications.
    package var application: ApplicationID?
    package var scopes: Set<KeyScope>
    package var expiresAt: Timestamp?
    /// Nil: generated at random.
    package var text: KeyText?
    package var platform: Platform?

    package init(
        name: String, application: ApplicationID?, scopes: Set<KeyScope>, expiresAt: Timestamp?, text: KeyText? = nil,
        platform: Platform? = nil
    ) {
        self.name = name
        self.application = application
        self.scopes = scopes
        self.expiresAt = expiresAt
        self.text = text
        self.platform = platform
    }
}

package enum KeyCreation: Sendable {
    case made(StoredKey, KeyText)
    /// The requested key has more permissions than the caller's.
    case forbidden
    case unknownApplication
    /// Another key has the given text.
    case taken
}

extension StoredKey {
    func hasExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }
}

/// Keys looked up in the store since the last refresh. Limits lookups to one per key and a small total, so that
/// callers with random keys can't overload the store.
struct UnknownKeys: Sendable {
    static let limit = 100
    private var digests: Set<[UInt8]> = []

    /// Whether the key with this digest may be looked up; true at most once per key.
    mutating func admit(_ digest: [UInt8]) -> Bool {
        digests.count < Self.limit && digests.insert(digest).inserted
    }

    mutating func forgetAll() {
        if !digests.isEmpty { digests.removeAll(keepingCapacity: true) }
    }
}

/// When keys were last used on this server.
struct KeyUses: Sendable {
    /// Minimum interval between writes of a key's use, in milliseconds; half of the documented accuracy, because
    /// several servers with different clocks write.
    static let interval: Int64 = 30 * 60 * 1_000

    private(set) var latest: [String: Timestamp] = [:]
    private var written: [String: Timestamp] = [:]

    mutating func note(_ id: String, at now: Timestamp) { latest[id] = now }

    /// The uses to store, compared with the `stored` ones; deleted keys are dropped.
    mutating func due(_ stored: [String: Timestamp?], all: Bool) -> [String: Timestamp] {
        latest = latest.filter { stored.keys.contains($0.key) }
        written = written.filter { latest.keys.contains($0.key) }
        return latest.filter { id, used in
            guard let known = [written[id], stored[id] ?? nil].compactMap(\.self).max() else { return true }
            return all ? used > known : used.rawValue - known.rawValue >= Self.interval
        }
    }

    mutating func settle(_ uses: [String: Timestamp]) { written.merge(uses) { max($0, $1) } }
}
