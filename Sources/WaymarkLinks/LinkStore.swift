/// Where links, applications, keys and counts are kept.
///
/// Every store passes the suite `LinkStoreContract`. Durability: when a writing function returns, its effect survives
/// `kill -9` and power failure. Atomicity: each call is one transaction, also against other servers on the same
/// database. All functions may be called from any task at once.
///
/// Throws: `StoreError` only.
package protocol LinkStore: Sendable {
    // MARK: Links

    func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link?
    func link(_ id: LinkID) async throws(StoreError) -> Link?
    /// Every link of that slug, whatever its domain; at most `limit`.
    func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link]
    /// Newest first. Examines at most `LinkListing.examinationLimit` links.
    func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage
    /// The metadata as sent, for operators.
    func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]?

    /// Creates the links in order, each with its own outcome, all in one transaction.
    ///
    /// With `idempotency`, a record of the same scope that has not run out decides instead: nothing is created.
    func create(_ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?) async throws(StoreError)
        -> Replayable<[CreationOutcome]>

    /// Replaces content, where the version still is `expecting` (nil: whatever it is). Raises `version` by one.
    func update(_ id: LinkID, expecting: Int?, to change: LinkChange, at now: Timestamp) async throws(StoreError)
        -> UpdateOutcome

    /// True where there was such a link. Its metadata and redeem counts go with it.
    func delete(_ id: LinkID) async throws(StoreError) -> Bool

    // MARK: Redeem and clicks

    /// Takes one redeem where the link has metadata and a limit, else takes nothing; hands out the metadata either way
    /// where it may. One conditional statement, in one transaction with the idempotency record.
    ///
    /// - Parameter ignoringMaxClicks: the resolve of a counted click, which `maxClicks` no longer stops.
    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome

    /// Adds people's clicks; ids that no longer exist are passed over.
    func addClicks(_ counts: [LinkID: Int]) async throws(StoreError)

    /// Reserves up to `count` clicks under the link's `maxClicks`; 0 means that none are left.
    func reserveClicks(_ id: LinkID, upTo count: Int) async throws(StoreError) -> Int
    /// Gives back reserved clicks that were not used.
    func releaseClicks(_ id: LinkID, count: Int) async throws(StoreError)

    // MARK: Applications

    func applications() async throws(StoreError) -> [StoredApplication]
    /// Creates or replaces. `expecting`: nil whatever there is, else the version that must stand. A change that
    /// `check` refuses, given the domains and routes that links of the application use, is not made.
    func put(
        _ application: StoredApplication, expecting: Int?,
        check: @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome
    /// Refused while links exist.
    func deleteApplication(_ id: ApplicationID, expecting: Int?) async throws(StoreError) -> DeleteApplicationOutcome
    /// Which domains and routes the application's links use.
    func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse

    // MARK: Keys

    func keys() async throws(StoreError) -> [StoredKey]
    func insert(_ key: StoredKey) async throws(StoreError)
    func deleteKey(_ id: String) async throws(StoreError) -> Bool

    // MARK: The rest

    /// The value stored under the name; where there is none, `make` gives it, and one of several racing callers wins.
    func secret(_ name: String, make: @Sendable () -> [UInt8]) async throws(StoreError) -> [UInt8]
    /// Drops idempotency records that ran out, at most `limit`; gives how many.
    func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Throws where the store can't be reached.
    func ping() async throws(StoreError)
    /// Waits for what was begun and closes. Later calls throw `.unavailable`.
    func close() async
}

/// Why a store could not answer; never holds SQL or values.
package enum StoreError: Error, Sendable, Equatable {
    /// Not reachable, locked, full, read-only: the sentence says which. May pass.
    case unavailable(String)
    /// What is stored can't be understood: a damaged or newer database.
    case corrupt(String)
}

/// A link about to be stored.
package struct NewLink: Sendable, Equatable {
    package var application: ApplicationID
    package var domain: HostName
    package var slug: Slug
    package var content: LinkContent
    /// A JSON object's text as sent.
    package var metadata: [UInt8]?
    /// With `unique`: a digest of the whole normalised body. An unpatched link of the same identity that is active or
    /// scheduled at `createdAt` is given again.
    package var identity: [UInt8]?
    package var createdAt: Timestamp
}

package enum CreationOutcome: Sendable, Equatable {
    case created(Link)
    case existing(Link)
    case slugTaken
}

/// What a patch sets.
package struct LinkChange: Sendable, Equatable {
    package var content: LinkContent
    package var metadata: MetadataChange
    package enum MetadataChange: Sendable, Equatable {
        case keep
        case set([UInt8])
        case remove
    }
}

package enum UpdateOutcome: Sendable, Equatable {
    case updated(Link)
    case versionMismatch(current: Int)
    case unknown
}

/// Ties a write to an `Idempotency-Key`.
package struct Idempotency<Outcome: Sendable>: Sendable {
    /// A digest of API key, endpoint and idempotency key.
    package var scope: [UInt8]
    /// A digest of the body as parsed JSON.
    package var fingerprint: [UInt8]
    package var now: Timestamp
    package var expiresAt: Timestamp
    /// The answer to keep, made inside the transaction; nil keeps none (an answer that is no success).
    package var answer: @Sendable (Outcome) -> [UInt8]?
}

/// A write's outcome, or the kept answer of an earlier request with the same idempotency key.
package enum Replayable<Outcome: Sendable>: Sendable {
    case done(Outcome)
    case replay([UInt8])
    /// The same key came with another body.
    case mismatch
}

/// Ties a redeem to an `Idempotency-Key`: the record holds link and redeem number, never metadata.
package struct RedeemIdempotency: Sendable {
    package var scope: [UInt8]
    package var fingerprint: [UInt8]
    package var expiresAt: Timestamp
}

package enum RedeemOutcome: Sendable, Equatable {
    /// The link as it stands after the redeem, the metadata that this resolve receives, and how its count stands.
    case answered(Link, metadata: [UInt8]?, Redeem)
    /// The link is not active; nothing was taken.
    case unavailable(Link, LinkState)
    case unknown
    case mismatch
}

/// How a resolve's count of redeems stands.
package struct Redeem: Sendable, Equatable {
    package enum Status: String, Sendable { case redeemed, exhausted, none, unlimited, skipped }
    package var status: Status
    /// nil where nothing is counted.
    package var limit: Int?
    package var used: Int
    package var remaining: Int? { limit.map { max(0, $0 - used) } }
    package init(status: Status, limit: Int?, used: Int) {
        self.status = status
        self.limit = limit
        self.used = used
    }
}

/// The state of a link at a moment; the first that holds.
package enum LinkState: String, Sendable { case disabled, expired, exhausted, scheduled, active }

/// Which links to list.
package struct LinkListing: Sendable, Equatable {
    package static let examinationLimit = 100_000
    /// nil: of all applications.
    package var application: ApplicationID?
    package var tag: String?
    /// Literal text found in slug, route or destination.
    package var query: String?
    /// 1–200.
    package var limit: Int
    /// Only links with an id below it.
    package var before: LinkID?
}

package struct LinkPage: Sendable, Equatable {
    package var links: [Link]
    /// Where the next page starts; nil at the end. May be given with fewer links than asked for.
    package var next: LinkID?
}

package enum PutOutcome: Sendable, Equatable {
    case created(StoredApplication)
    case replaced(StoredApplication)
    case versionMismatch(current: Int?)
    /// `check` refused, given this use.
    case inUse(ApplicationUse)
    /// Another application has one of the domains.
    case domainTaken(HostName, by: ApplicationID)
}

package enum DeleteApplicationOutcome: Sendable, Equatable {
    case deleted
    case unknown
    case inUse(links: Int)
    case versionMismatch(current: Int)
}

/// What an application's links stand on.
package struct ApplicationUse: Sendable, Equatable {
    package var links: Int
    package var domains: [HostName: Int]
    /// Routes of links that have no URLs of their own, and so need a template.
    package var templateRoutes: [String: Int]
    package init(links: Int, domains: [HostName: Int], templateRoutes: [String: Int]) {
        self.links = links
        self.domains = domains
        self.templateRoutes = templateRoutes
    }
}

/// An API key as stored: never the key itself.
package struct StoredKey: Sendable, Equatable {
    package var id: String
    package var name: String
    /// SHA-256 of the key's text.
    package var digest: [UInt8]
    /// nil: all applications.
    package var application: ApplicationID?
    package var scopes: Set<KeyScope>
    package var createdAt: Timestamp
    package var expiresAt: Timestamp?
}

package enum KeyScope: String, Sendable, CaseIterable, Hashable { case resolve, create, links, admin }
