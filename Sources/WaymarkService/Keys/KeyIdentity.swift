package import WaymarkLinks
package import WaymarkStores

/// What a caller may do with one application, or with all.
package struct Grant: Sendable, Hashable {
    /// Nil: all applications.
    package let application: ApplicationID?
    package let scopes: Set<KeyScope>

    package init(application: ApplicationID?, scopes: Set<KeyScope>) {
        self.application = application
        self.scopes = scopes
    }

    /// Whether one of the scopes includes `scope`.
    package func may(_ scope: KeyScope) -> Bool {
        // Called on every request, so it avoids creating the set of `reach`.
        if scopes.contains(scope) || scopes.contains(.admin) { return true }
        return scopes.contains(.links) && (scope == .resolve || scope == .create || scope == .read)
    }

    func applies(to application: ApplicationID) -> Bool {
        self.application == nil || self.application == application
    }

    /// What both permit; nil if that is nothing.
    func limited(to other: Grant) -> Grant? {
        if let application, let limit = other.application, application != limit { return nil }
        let common = KeyIdentity.reach(of: scopes).intersection(KeyIdentity.reach(of: other.scopes))
        return common.isEmpty ? nil : Grant(application: application ?? other.application, scopes: common)
    }
}

/// The caller: a valid key, or a person through a session.
package struct KeyIdentity: Sendable, Equatable {
    /// The ID of the environment's admin key, which no stored key has.
    package static let environmentID = ChangeAuthor.environment.id

    /// An operator: who has the environment's admin key, or may open the database.
    package static let environment = KeyIdentity(
        id: environmentID, name: environmentID, Grant(application: nil, scopes: [.admin]))

    /// Everybody, on a server that shows a demonstration.
    package static let demo = KeyIdentity(id: "demo", name: "Demo", Grant(application: nil, scopes: [.read]))

    /// Placeholder while a key is being looked up; has no permissions.
    package static let nobody = KeyIdentity(id: "", name: "", Grant(application: nil, scopes: []))

    /// Of the key, or of the person in a person's session.
    package let id: String
    package let name: String
    /// A key has no other one.
    package let grant: Grant
    /// Of people with several memberships.
    package let furtherGrants: [Grant]
    /// The person who acts through a session, or whom the key belongs to.
    package let person: String?
    /// The platform of the app that the key is shipped in; nil if it was not created for a platform.
    package let platform: Platform?
    /// The dashboard session through which it acts, with which its right to act ends; nil for the key itself.
    package var sessionID: String?

    package init(
        id: String, name: String, _ grant: Grant, and furtherGrants: [Grant] = [], person: String? = nil,
        platform: Platform? = nil
    ) {
        self.id = id
        self.name = name
        self.grant = grant
        self.furtherGrants = furtherGrants
        self.person = person
        self.platform = platform
    }

    /// Nil if there are no grants.
    init?(id: String, name: String, _ grants: [Grant], person: String, platform: Platform? = nil) {
        guard let first = grants.first else { return nil }
        self.init(id: id, name: name, first, and: Array(grants.dropFirst()), person: person, platform: platform)
    }

    /// What a person may do; nil if that is nothing.
    package init?(_ person: Person) {
        self.init(id: person.id, name: person.name, person.grants, person: person.id)
    }

    /// For the history of links.
    package var author: ChangeAuthor { ChangeAuthor(id: id, name: name) }

    /// Whether the caller may do this with some application.
    package func may(_ scope: KeyScope) -> Bool { grant.may(scope) || furtherGrants.contains { $0.may(scope) } }

    /// Whether the caller may do this with this application.
    package func may(_ scope: KeyScope, in application: ApplicationID) -> Bool {
        grant.applies(to: application) && grant.may(scope)
            || furtherGrants.contains { $0.applies(to: application) && $0.may(scope) }
    }

    /// The applications with which the caller may do one of these; nil if there are none.
    package func reach(ofOneOf scopes: [KeyScope]) -> ApplicationReach? {
        var reach = scopes.contains(where: grant.may) ? ApplicationReach(grant) : nil
        for grant in furtherGrants where scopes.contains(where: grant.may) {
            reach = reach?.union(ApplicationReach(grant)) ?? ApplicationReach(grant)
        }
        return reach
    }

    /// The same caller with its only grant for a scope, where a key stands for one application or for all. Without any if there
    /// are several.
    package func withOneGrant(for scope: KeyScope) -> KeyIdentity {
        guard !furtherGrants.isEmpty else { return self }
        let fitting = ([grant] + furtherGrants).filter { $0.may(scope) }
        let one = fitting.first { $0.application == nil } ?? (fitting.count == 1 ? fitting.first : nil)
        return KeyIdentity(
            id: id, name: name, one ?? Grant(application: nil, scopes: []), person: person, platform: platform)
    }

    /// Of all grants, as they were given.
    package var scopes: Set<KeyScope> { furtherGrants.reduce(grant.scopes) { $0.union($1.scopes) } }

    /// What the caller may do with an application, or with all (nil).
    func scopes(in application: ApplicationID?) -> Set<KeyScope> {
        ([grant] + furtherGrants).reduce(into: []) { scopes, grant in
            guard grant.application == nil || grant.application == application else { return }
            scopes.formUnion(Self.reach(of: grant.scopes))
        }
    }

    /// The scopes, with the lesser ones that they include.
    package static func reach(of scopes: Set<KeyScope>) -> Set<KeyScope> {
        if scopes.contains(.admin) { return Set(KeyScope.allCases) }
        if scopes.contains(.links) { return scopes.union([.resolve, .create, .read]) }
        return scopes
    }
}

/// A snapshot of the stored keys, indexed by digest, and of the people.
struct KeyTable: Sendable {
    private let buckets: [UInt64: [StoredKey]]
    private let indexes: [String: Int]
    private let peopleByID: [String: Person]
    private let holders: [[UInt8]: String]
    let keys: [StoredKey]
    let people: [Person]
    let grants: [OAuthGrant]
    private let grantIndexes: [String: Int]

    init(_ keys: [StoredKey] = [], _ people: [Person] = [], _ grants: [OAuthGrant] = []) {
        self.keys = keys
        self.people = people
        self.grants = grants
        grantIndexes = Dictionary(zip(grants.map(\.id), grants.indices)) { first, _ in first }
        holders = Dictionary(people.flatMap { person in person.passkeys.map { ($0.id, person.id) } }) { one, _ in one }
        peopleByID = Dictionary(people.map { ($0.id, $0) }) { first, _ in first }
        buckets = Dictionary(grouping: keys) { Self.bucket(of: $0.digest) }
        indexes = Dictionary(zip(keys.map(\.id), keys.indices)) { first, _ in first }
    }

    func key(id: String) -> StoredKey? { indexes[id].map { keys[$0] } }

    func person(id: String) -> Person? { peopleByID[id] }

    func grant(id: String) -> OAuthGrant? { grantIndexes[id].map { grants[$0] } }

    func holder(ofPasskey id: [UInt8]) -> Person? { holders[id].flatMap(person) }

    /// What a key may do. A person's key can do no more than that person; nil if that is nothing.
    func identity(of key: StoredKey) -> KeyIdentity? {
        let own = Grant(application: key.application, scopes: key.scopes)
        guard let id = key.person else { return KeyIdentity(id: key.id, name: key.name, own, platform: key.platform) }
        guard let person = person(id: id) else { return nil }
        return KeyIdentity(
            id: key.id, name: key.name, person.grants.compactMap { own.limited(to: $0) }, person: id,
            platform: key.platform)
    }

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

extension Person {
    /// None while the person is disabled.
    var grants: [Grant] {
        isDisabled ? [] : memberships.map { Grant(application: $0.application, scopes: [$0.role.scope]) }
    }
}
