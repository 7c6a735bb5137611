package import WaymarkLinks
package import WaymarkMetrics

/// The store of links, applications, keys and counts.
///
/// All stores pass the suite `LinkStoreContract`. Durability: when a writing function returns, its changes survive
/// `kill -9` and power failure. Atomicity: each call is one transaction, also with other servers on the same
/// database. All functions may be called concurrently from any task. Closures run inside the transaction, and again
/// if the store repeats it: they must be fast and have no side effects.
///
/// Throws: `StoreError` only.
package protocol LinkStore: Sendable {
    // MARK: Links

    /// The link with this slug or alias; if there is none, that of an application that ignores case whose slug or alias
    /// differs in case alone.
    func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link?
    func link(_ id: LinkID) async throws(StoreError) -> Link?
    /// All links that `link` finds with this slug on any domain; at most `limit`.
    func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link]
    /// Examines as many links as the listing allows, at least one, until its time budget is spent. Lookups of single
    /// links never wait for it, and listings with `isIndexed` not for others.
    func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage
    /// Brings the search index and the order by clicks up to date by one batch; to be called every second or so.
    ///
    /// Listings are correct at any time, because what is not indexed is examined; but the order by clicks is that of
    /// the last update. With several servers, one at a time does the work.
    ///
    /// - Parameter all: also indexes what is so little that it is usually left for later.
    /// - Returns: whether there is more to do now.
    func updateIndexes(all: Bool) async throws(StoreError) -> Bool
    /// The metadata as sent, for operators.
    func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]?

    /// Creates the links in order, each with its own outcome, in one transaction.
    ///
    /// With `idempotency`, an unexpired record of the same scope is returned instead, and nothing is created. If
    /// `answer` returns nil, the outcomes are committed without a record.
    func create(_ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?) async throws(StoreError)
        -> Replayable<[CreationOutcome]>

    /// Replaces the contents of links whose version is still the expected one, except their aliases, and increments
    /// `version`; each with its own outcome, in one transaction, in which the changed fields are added to the history.
    /// The links' redeem and click counts are unchanged; a patched link is never returned for its identity again.
    ///
    /// - Parameter updates: at most one of each link.
    func update(_ updates: [LinkUpdate], at now: Timestamp) async throws(StoreError) -> [UpdateOutcome]

    /// Gives the link another slug if its version is still `expecting` (nil: any), and increments `version`. The
    /// present slug becomes an alias, which no other link can have; an alias of the link itself is one no longer.
    ///
    /// - Parameter content: replaces the link's in the same version, as `update` does; nil keeps it.
    func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, restoring content: LinkContent?,
        at now: Timestamp
    ) async throws(StoreError) -> RenameOutcome

    /// The creation of a link and the changes that changed something, of the versions up to one, newest first; none if it
    /// does not exist.
    func changes(of id: LinkID, through version: Int, limit: Int) async throws(StoreError) -> [LinkHistoryEntry]
    /// The change of a link that made a version, also one of nothing, and the next one that changed something.
    func changes(of id: LinkID, from version: Int) async throws(StoreError) -> [LinkHistoryEntry]
    /// The last change of a link until a time, and the next one; before the first change, the two earliest.
    func changes(of id: LinkID, around time: Timestamp) async throws(StoreError) -> [LinkHistoryEntry]
    /// The same of an application.
    func changes(of id: ApplicationID, around time: Timestamp) async throws(StoreError) -> [ApplicationChange]
    /// Begins the history of applications that came by an import, or were changed by a server that stores none.
    func noteApplications(at now: Timestamp) async throws(StoreError)

    /// Deletes links whose version is still the expected one, with their aliases, history, metadata, redeem counts and
    /// click records; each with its own outcome, in one transaction.
    ///
    /// - Parameter removals: at most one of each link.
    func delete(_ removals: [LinkRemoval]) async throws(StoreError) -> [LinkDeletion]

    // MARK: Redeem and clicks

    /// Takes one redeem if the link has metadata and a limit; returns the metadata if it may. One conditional
    /// statement, in one transaction with the idempotency record.
    ///
    /// With `idempotency`, an unexpired record of the same scope decides, whatever the link's current state: the same
    /// redeem is returned, with the link and metadata as currently stored; `.unknown` for a deleted link. Only
    /// `.answered` is recorded.
    ///
    /// - Parameter taking: false to get everything except the metadata, without taking a redeem.
    /// - Parameter ignoringMaxClicks: for the resolve of a counted click, to which `maxClicks` no longer applies.
    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome

    /// Adds human clicks; IDs that no longer exist are ignored. A write that was already performed adds nothing.
    func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError)

    /// Reserves up to `count` clicks under the link's `maxClicks`; returns 0 if none are left or the link does not
    /// exist. A link without `maxClicks` grants all of `count` and records nothing. Clicks counted while there was no
    /// `maxClicks` count towards it. A write that was already performed reserves nothing and returns the same number.
    func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) async throws(StoreError) -> Int
    /// Returns unused reserved clicks. A write that was already performed returns nothing.
    func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError)

    /// The click records, which are deleted with their link.
    var clickRecords: any ClickStore { get }
    /// Their totals.
    var clickTotals: any ClickTotalStore { get }
    /// What another database for clicks has yet to get.
    var clickShipments: any ClickShipmentStore { get }

    // MARK: Webhooks

    /// The endpoints and the outbox. All changes that an event type exists for write their event in their transaction.
    var webhooks: any WebhookStore { get }

    var conversions: any ConversionStore { get }

    var people: any PeopleStore { get }

    /// What callers changed, and their sign-ins. Each change of a call (`AuditCall.current`) writes its entry in its transaction.
    var audit: any AuditStore { get }
    var extras: any ApplicationExtraStore { get }
    var verification: any VerificationStore { get }
    var associationFiles: any AssociationFileStore { get }
    var oauth: any OAuthStore { get }

    /// The imports over the API.
    var importRuns: any ImportRunStore { get }

    // MARK: Deferred deep links and events

    /// Claims the first claimable click for an installation, and redeems its link like `redeem`; in one transaction.
    ///
    /// A click belongs to the installation that claims it first, until its ID expires. That installation gets the
    /// same response again, without taking a redeem, until `answersUntil`, whatever the link's current state, unless
    /// the link was deleted. A link that is not active can't be claimed, and no claim is recorded. With
    /// `idempotency`, an unexpired record of the same scope decides, even if there was nothing to claim.
    func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome

    /// Counts events for their links, each digest once until it expires, including duplicates within one call.
    /// Returns one outcome per event in order; in one transaction.
    func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome]
    /// The event counts of a link; zeros if it does not exist.
    func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts

    /// Adds to links' activity per day; each link and day at most once. Links that no longer exist are ignored. A
    /// write that was already performed adds nothing.
    func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError)
    /// A link's activity on these days, in ascending order, without days that have none.
    func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity]

    // MARK: Applications

    func applications() async throws(StoreError) -> [StoredApplication]
    /// Creates or replaces an application; rejected if another one has one of the hosts. `expecting`: nil any state,
    /// 0 no application, otherwise the current version. The change is rejected if `check` returns false for the
    /// domains and routes used by the application's links. The store assigns the version: 1 at first, then
    /// incremented; `application.version` is ignored.
    ///
    /// Also rejected if links of the application break its `slugRules`, which hold from then on for all servers. With
    /// millions of links, starting to ignore case takes some seconds.
    ///
    /// - Parameter claim: rejected if a key has one of the digests, or another application holds one of the texts.
    func put(
        _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
        check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome
    /// Replaces the other hosts and the slug rules of an application whose version is still that given, even if another
    /// application has the hosts or links break the rules: for data of older versions of this program, and for imports. Of
    /// two links that differ in case alone, one is found by any other case.
    func setDerivedParts(of application: StoredApplication) async throws(StoreError)
    /// Rejected while links exist. `expecting`: nil for any version.
    func deleteApplication(_ id: ApplicationID, expecting: Int?) async throws(StoreError) -> DeleteApplicationOutcome
    /// The domains and routes used by the application's links.
    func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse
    /// The folders that links of the applications are in, sorted by the bytes of their paths; nil: of all applications.
    func folders(of applications: [ApplicationID]?, atMost limit: Int) async throws(StoreError) -> [FolderCount]

    // MARK: Installations

    /// Removes what is stored about an installation of the application. The clicks that it claimed can't be claimed again.
    ///
    /// - Parameter digest: as in `ClaimCandidate`.
    func forget(installation digest: [UInt8], of id: ApplicationID) async throws(StoreError)

    // MARK: Registered routes

    /// Stores a route reported by an app, replacing an earlier registration of the same path; rejected if the
    /// application already has `limit` others. Deleted with the application.
    func register(_ route: RegisteredRoute, of id: ApplicationID, limit: Int) async throws(StoreError)
        -> RouteRegistration
    /// Sorted by path; empty if the application does not exist.
    func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute]

    // MARK: Keys

    func keys() async throws(StoreError) -> [StoredKey]
    func key(digest: [UInt8]) async throws(StoreError) -> StoredKey?
    /// Replaces a key with the same ID. Returns false, and stores nothing, if another key has the same digest, or if the person
    /// of the key, session or invitation is disabled or deleted.
    ///
    /// - Parameters:
    ///   - claim: for a text that somebody chose: also returns false if an application holds it.
    ///   - event: written in the same transaction.
    @discardableResult
    func insert(
        _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
    ) async throws(StoreError) -> Bool
    /// Updates `lastUsedAt` of the keys with these IDs if it is later; IDs that no longer exist are ignored.
    func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError)
    /// - Parameter event: written in the same transaction if the key existed.
    func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool

    // MARK: Secrets and operation

    /// The value stored under the name. If there is none, stores the result of `make`; if several callers race, all
    /// get the winner's.
    func secret(_ name: String, make: @escaping @Sendable () -> [UInt8]) async throws(StoreError) -> [UInt8]
    /// Deletes the values whose names (ASCII) are in the range.
    func forgetSecrets(_ names: Range<String>) async throws(StoreError)
    /// Deletes expired idempotency records, claims, event digests and write IDs, at most `limit`; returns their number.
    func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Throws if the store can't be reached, or can't be written for a reason that is known without writing.
    @discardableResult
    func ping() async throws(StoreError) -> StoreCondition
    /// Waits for running calls and closes. Later calls throw `.unavailable`.
    func close() async

    /// Passes a text on to the other servers of the database that listen at the moment, as `StoreChange.message`.
    /// Default: there are none.
    ///
    /// - Parameter message: ASCII without NUL, at most `StoreChange.longestMessage` bytes.
    func send(_ message: String) async throws(StoreError)

    /// Whether other servers may use the same database. Default: false.
    var isShared: Bool { get }
    /// Whether servers of earlier versions may be connected, which can't read what this one adds. Never waits. Default:
    /// false.
    var hasEarlierServers: Bool { get }
    /// What the store measures. Operations of webhooks, conversions and imports are not measured, and neither is what
    /// nobody waits for.
    var metrics: StoreMetrics { get }
    /// How many writes shared each commit; nil (the default) if the store does not report it.
    var commitSizes: HistogramMetrics? { get }
}

extension LinkStore {
    /// `update` of one link.
    package func update(
        _ id: LinkID, expecting: Int?, to change: LinkChange, at now: Timestamp
    ) async throws(StoreError) -> UpdateOutcome {
        try await update([LinkUpdate(id: id, expecting: expecting, change: change)], at: now).first ?? .unknown
    }

    /// `rename` without other changes.
    package func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, at now: Timestamp
    ) async throws(StoreError) -> RenameOutcome {
        try await rename(id, expecting: expecting, to: slug, by: author, restoring: nil, at: now)
    }

    /// `delete` of one link.
    package func delete(_ id: LinkID, expecting: Int?, at now: Timestamp) async throws(StoreError) -> LinkDeletion {
        try await delete([LinkRemoval(id: id, expecting: expecting, at: now)]).first ?? .unknown
    }

    /// `put` without credentials.
    package func put(
        _ application: StoredApplication, expecting: Int?, check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome {
        try await put(application, expecting: expecting, claiming: nil, check: check)
    }

    /// `insert` of a key whose text was generated.
    @discardableResult
    package func insert(
        _ key: StoredKey, reporting event: OutboxEvent? = nil
    ) async throws(StoreError) -> Bool {
        try await insert(key, claiming: nil, reporting: event)
    }

    /// `deleteKey` without an event.
    package func deleteKey(_ id: String) async throws(StoreError) -> Bool {
        try await deleteKey(id, reporting: nil)
    }

    package func send(_ message: String) async throws(StoreError) {}

    package var isShared: Bool { false }
    package var hasEarlierServers: Bool { false }
    package var commitSizes: HistogramMetrics? { nil }
}
