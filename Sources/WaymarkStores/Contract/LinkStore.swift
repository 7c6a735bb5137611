package import WaymarkLinks
package import WaymarkMetrics

/// Where links, applications, keys and counts are kept.
///
/// Every store passes the suite `LinkStoreContract`. Durability: when a writing function returns, its effect survives
/// `kill -9` and power failure. Atomicity: each call is one transaction, also against other servers on the same
/// database. All functions may be called from any task at once. Closures that are given are called inside the
/// transaction, and again where a store has to repeat it: they are quick and have no effect of their own.
///
/// Throws: `StoreError` only.
package protocol LinkStore: Sendable {
    // MARK: Links

    func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link?
    func link(_ id: LinkID) async throws(StoreError) -> Link?
    /// Every link of that slug, whatever its domain; at most `limit`.
    func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link]
    /// Newest first. Examines as many links as the listing allows, at least one, for as long as its budget lasts; look-ups of
    /// single links never wait for it.
    func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage
    /// The metadata as sent, for operators.
    func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]?

    /// Creates the links in order, each with its own outcome, all in one transaction.
    ///
    /// With `idempotency`, a record of the same scope that has not run out decides instead: nothing is created.
    /// Where `answer` keeps nothing, the outcomes stand all the same.
    func create(_ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?) async throws(StoreError)
        -> Replayable<[CreationOutcome]>

    /// Replaces content, where the version still is `expecting` (nil: whatever it is). Raises `version` by one.
    /// The link's redeem and click counts stay; a patched link is never again given for its identity.
    func update(_ id: LinkID, expecting: Int?, to change: LinkChange, at now: Timestamp) async throws(StoreError)
        -> UpdateOutcome

    /// Deletes the link where its version still is `expecting` (nil: whatever it is). Its metadata, redeem counts
    /// and click records go with it.
    func delete(_ id: LinkID, expecting: Int?) async throws(StoreError) -> LinkDeletion

    // MARK: Redeem and clicks

    /// Takes one redeem where the link has metadata and a limit, else takes nothing; hands out the metadata either way
    /// where it may. One conditional statement, in one transaction with the idempotency record.
    ///
    /// With `idempotency`, a record of the same scope that has not run out decides, whatever the link's state has
    /// become: the same redeem is answered again, with the link and the metadata as they are stored now; of a deleted
    /// link it is `.unknown`. Only `.answered` is recorded.
    ///
    /// - Parameter taking: false answers everything but the metadata, and takes nothing.
    /// - Parameter ignoringMaxClicks: the resolve of a counted click, which `maxClicks` no longer stops.
    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome

    /// Adds people's clicks; ids that no longer exist are passed over. A write that was performed before adds nothing.
    func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError)

    /// Reserves up to `count` clicks under the link's `maxClicks`; 0 means that none are left or that there is no such
    /// link. A link without `maxClicks` grants all of `count` and records nothing. Clicks that were counted while there
    /// was no `maxClicks` use it up too. A write that was performed before reserves nothing and returns the same number.
    func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) async throws(StoreError) -> Int
    /// Gives back reserved clicks that were not used. A write that was performed before gives nothing back.
    func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError)

    /// The records of clicks, which go with their link.
    var clickRecords: any ClickStore { get }

    // MARK: Deferred deep links and events

    /// Claims the first of the clicks that can be claimed, for an installation, and redeems its link as `redeem` does;
    /// all in one transaction.
    ///
    /// A click belongs to the installation that claims it first, until its id ends. That installation gets the same
    /// answer again, and nothing is taken, until `answersUntil`, whatever the link's state has become; of a deleted link
    /// there is none. A link that is not active can't be claimed, and no claim is recorded. With `idempotency`, a record
    /// of the same scope that has not run out decides, also where it says that there was nothing to claim.
    func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome

    /// Counts events for the links that they name, each digest once until it runs out, also within one call; one
    /// outcome each, in order, all in one transaction.
    func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome]
    /// What was counted for a link; zeros where there is no such link.
    func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts

    /// Adds to what links have of a day; each link and day at most once. Links that there are no longer are passed over. A write that
    /// was performed before adds nothing.
    func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError)
    /// What a link has of these days, the first day first; days without anything are left out.
    func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity]

    // MARK: Applications

    func applications() async throws(StoreError) -> [StoredApplication]
    /// Creates or replaces; refused where another application has one of the hosts. `expecting`: nil whatever there is, 0 nothing at all, else the version that must stand. A change that
    /// `check` refuses, given the domains and routes that links of the application use, is not made. The stored
    /// version is the store's to count: 1 at first, then one more each time; `application.version` is not looked at.
    func put(
        _ application: StoredApplication, expecting: Int?,
        check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome
    /// Replaces the other hosts of an application whose version is still `version`, even if another application has them: for what a
    /// version of this program stored that did not know of them, and for what was imported.
    func setOtherHosts(_ hosts: [HostName], of id: ApplicationID, version: Int) async throws(StoreError)
    /// Refused while links exist. `expecting`: nil whatever its version is.
    func deleteApplication(_ id: ApplicationID, expecting: Int?) async throws(StoreError) -> DeleteApplicationOutcome
    /// Which domains and routes the application's links use.
    func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse

    // MARK: Registered routes

    /// Stores what an app reported, in the place of an earlier registration of the same path; refused where the application
    /// has `limit` others. They go with their application.
    func register(_ route: RegisteredRoute, of id: ApplicationID, limit: Int) async throws(StoreError)
        -> RouteRegistration
    /// In the order of their paths; none where there is no such application.
    func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute]

    // MARK: Keys

    func keys() async throws(StoreError) -> [StoredKey]
    func key(digest: [UInt8]) async throws(StoreError) -> StoredKey?
    /// A key of the same id is replaced. False, and nothing is stored, where another key has the same digest.
    @discardableResult
    func insert(_ key: StoredKey) async throws(StoreError) -> Bool
    /// Moves `lastUsedAt` of the keys with these ids forward; ids that no longer exist are passed over.
    func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError)
    func deleteKey(_ id: String) async throws(StoreError) -> Bool

    // MARK: The rest

    /// The value stored under the name; where there is none, `make` gives it, and one of several racing callers wins:
    /// all get the winner's.
    func secret(_ name: String, make: @escaping @Sendable () -> [UInt8]) async throws(StoreError) -> [UInt8]
    /// Removes the values whose names, which are ASCII, lie in the range.
    func forgetSecrets(_ names: Range<String>) async throws(StoreError)
    /// Drops idempotency records, claims, digests of events and ids of writes that ran out, at most `limit`; gives how many.
    func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Throws where the store can't be reached.
    func ping() async throws(StoreError)
    /// Waits for what was begun and closes. Later calls throw `.unavailable`.
    func close() async

    /// Whether other servers may use the same database; false by default.
    var isShared: Bool { get }
    /// How many writes shared each commit so far; nil (the default) where a store does not say.
    var commitSizes: HistogramMetrics? { get }
}

extension LinkStore {
    package var isShared: Bool { false }
    package var commitSizes: HistogramMetrics? { nil }
}
