import Synchronization
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// A store whose operations can be stopped, counted and made to fail, before or after they took effect.
final class WatchedStore: LinkStore, ClickStore {
    enum Operation: Hashable, Sendable {
        case link, linkByID, create, update, delete, redeem, claim, record, addClicks, reserveClicks, releaseClicks
        case addActivity
        case appendClicks, clickBlocks, dropClicks
        case applications, put, deleteApplication, use, keys, key, noteKeyUses, secret, purge, ping
    }

    typealias Hook = @Sendable () async throws(StoreError) -> Void

    private struct State {
        var before: [Operation: Hook] = [:]
        var after: [Operation: Hook] = [:]
        var calls: [Operation: Int] = [:]
    }

    let inner: any LinkStore & ClickStore
    private let state = Mutex(State())

    init() throws { inner = try SQLiteLinkStore(path: ":memory:") }

    func before(_ operation: Operation, _ hook: Hook?) { state.withLock { $0.before[operation] = hook } }
    func after(_ operation: Operation, _ hook: Hook?) { state.withLock { $0.after[operation] = hook } }

    /// The operation throws `.unavailable` from now on, or no more; `afterwards`: although it took effect.
    func fail(_ operation: Operation, _ isFailing: Bool = true, afterwards: Bool = false) {
        let hook: Hook = { () async throws(StoreError) in throw .unavailable("away") }
        if afterwards { after(operation, isFailing ? hook : nil) } else { before(operation, isFailing ? hook : nil) }
    }

    func calls(_ operation: Operation) -> Int { state.withLock { $0.calls[operation] ?? 0 } }

    private func watched<Value: Sendable>(
        _ operation: Operation, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let before = state.withLock { state in
            state.calls[operation, default: 0] += 1
            return state.before[operation]
        }
        // So that a hook that throws counts as a failure of the store.
        return try await metrics.measure(nil) { () async throws(StoreError) in
            if let before { try await before() }
            let value = try await body()
            if let after = state.withLock({ $0.after[operation] }) { try await after() }
            return value
        }
    }

    func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link? {
        try await watched(.link) { () async throws(StoreError) in try await inner.link(domain, slug) }
    }

    func link(_ id: LinkID) async throws(StoreError) -> Link? {
        try await watched(.linkByID) { () async throws(StoreError) in try await inner.link(id) }
    }

    func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link] {
        try await inner.links(slug: slug, limit: limit)
    }

    func updateIndexes(all: Bool) async throws(StoreError) -> Bool {
        try await inner.updateIndexes(all: all)
    }
    func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage { try await inner.list(listing) }

    func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]? { try await inner.metadata(of: id) }

    func create(
        _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
    ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
        try await watched(.create) { () async throws(StoreError) in
            try await inner.create(drafts, idempotency: idempotency)
        }
    }

    func update(_ updates: [LinkUpdate], at now: Timestamp) async throws(StoreError) -> [UpdateOutcome] {
        try await watched(.update) { () async throws(StoreError) in try await inner.update(updates, at: now) }
    }

    func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, restoring content: LinkContent?,
        at now: Timestamp
    ) async throws(StoreError) -> RenameOutcome {
        try await inner.rename(id, expecting: expecting, to: slug, by: author, restoring: content, at: now)
    }

    func changes(of id: LinkID, through version: Int, limit: Int) async throws(StoreError) -> [LinkHistoryEntry] {
        try await inner.changes(of: id, through: version, limit: limit)
    }

    func changes(of id: LinkID, from version: Int) async throws(StoreError) -> [LinkHistoryEntry] {
        try await inner.changes(of: id, from: version)
    }

    func changes(of id: LinkID, around time: Timestamp) async throws(StoreError) -> [LinkHistoryEntry] {
        try await inner.changes(of: id, around: time)
    }

    func changes(of id: ApplicationID, around time: Timestamp) async throws(StoreError) -> [ApplicationChange] {
        try await inner.changes(of: id, around: time)
    }

    func noteApplications(at now: Timestamp) async throws(StoreError) { try await inner.noteApplications(at: now) }

    func delete(_ removals: [LinkRemoval]) async throws(StoreError) -> [LinkDeletion] {
        try await watched(.delete) { () async throws(StoreError) in try await inner.delete(removals) }
    }

    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome {
        try await watched(.redeem) { () async throws(StoreError) in
            try await inner.redeem(
                id, at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks, idempotency: idempotency)
        }
    }

    func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome {
        try await watched(.claim) { () async throws(StoreError) in
            try await inner.claim(candidates, at: now, idempotency: idempotency)
        }
    }

    func forget(installation digest: [UInt8], of id: ApplicationID) async throws(StoreError) {
        try await inner.forget(installation: digest, of: id)
    }

    func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        try await watched(.record) { () async throws(StoreError) in try await inner.record(events, at: now) }
    }

    func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts { try await inner.eventCounts(of: id) }

    func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError) {
        try await watched(.addActivity) { () async throws(StoreError) in
            try await inner.addActivity(days, as: write)
        }
    }

    func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await inner.activity(of: id, days: days)
    }

    func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError) {
        try await watched(.addClicks) { () async throws(StoreError) in try await inner.addClicks(counts, as: write) }
    }

    func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) async throws(StoreError) -> Int {
        try await watched(.reserveClicks) { () async throws(StoreError) in
            try await inner.reserveClicks(id, upTo: count, as: write)
        }
    }

    func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError) {
        try await watched(.releaseClicks) { () async throws(StoreError) in
            try await inner.releaseClicks(id, count: count, as: write)
        }
    }

    var clickRecords: any ClickStore { self }
    var clickTotals: any ClickTotalStore { inner.clickTotals }
    var clickShipments: any ClickShipmentStore { inner.clickShipments }
    var webhooks: any WebhookStore { inner.webhooks }
    var conversions: any ConversionStore { inner.conversions }
    var importRuns: any ImportRunStore { inner.importRuns }
    var people: any PeopleStore { inner.people }
    var audit: any AuditStore { inner.audit }
    var extras: any ApplicationExtraStore { inner.extras }
    var verification: any VerificationStore { inner.verification }
    var associationFiles: any AssociationFileStore { inner.associationFiles }
    var oauth: any OAuthStore { inner.oauth }

    func append(_ blocks: [ClickBlock]) async throws(StoreError) {
        try await watched(.appendClicks) { () async throws(StoreError) in try await inner.append(blocks) }
    }

    func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock] {
        try await watched(.clickBlocks) { () async throws(StoreError) in
            try await inner.blocks(of: link, days: days, after: after, limit: limit)
        }
    }

    func longLinkNumbers(
        of application: ApplicationID, on domains: [HostName]
    ) async throws(StoreError) -> [HostName: LinkID] {
        try await watched(.put) { () async throws(StoreError) in
            try await inner.longLinkNumbers(of: application, on: domains)
        }
    }

    func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await watched(.dropClicks) { () async throws(StoreError) in
            try await inner.dropClicks(before: day, limit: limit)
        }
    }

    func applications() async throws(StoreError) -> [StoredApplication] {
        try await watched(.applications) { () async throws(StoreError) in try await inner.applications() }
    }

    func put(
        _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
        check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome {
        try await watched(.put) { () async throws(StoreError) in
            try await inner.put(application, expecting: expecting, claiming: claim, check: check)
        }
    }

    func setDerivedParts(of application: StoredApplication) async throws(StoreError) {
        try await watched(.put) { () async throws(StoreError) in try await inner.setDerivedParts(of: application) }
    }

    func deleteApplication(
        _ id: ApplicationID, expecting: Int?
    ) async throws(StoreError) -> DeleteApplicationOutcome {
        try await watched(.deleteApplication) { () async throws(StoreError) in
            try await inner.deleteApplication(id, expecting: expecting)
        }
    }

    func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse {
        try await watched(.use) { () async throws(StoreError) in try await inner.use(of: id) }
    }

    func folders(of applications: [ApplicationID]?, atMost limit: Int) async throws(StoreError) -> [FolderCount] {
        try await inner.folders(of: applications, atMost: limit)
    }

    func register(
        _ route: RegisteredRoute, of id: ApplicationID, limit: Int
    ) async throws(StoreError) -> RouteRegistration {
        try await inner.register(route, of: id, limit: limit)
    }

    func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try await inner.registeredRoutes(of: id)
    }

    func keys() async throws(StoreError) -> [StoredKey] {
        try await watched(.keys) { () async throws(StoreError) in try await inner.keys() }
    }

    var isShared: Bool { true }

    var metrics: StoreMetrics { inner.metrics }

    func key(digest: [UInt8]) async throws(StoreError) -> StoredKey? {
        try await watched(.key) { () async throws(StoreError) in try await inner.key(digest: digest) }
    }

    func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
        try await watched(.noteKeyUses) { () async throws(StoreError) in try await inner.noteKeyUses(uses) }
    }

    func insert(
        _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
    ) async throws(StoreError) -> Bool {
        try await inner.insert(key, claiming: claim, reporting: event)
    }

    func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool {
        try await inner.deleteKey(id, reporting: event)
    }

    func secret(_ name: String, make: @escaping @Sendable () -> [UInt8]) async throws(StoreError) -> [UInt8] {
        try await watched(.secret) { () async throws(StoreError) in try await inner.secret(name, make: make) }
    }

    func forgetSecrets(_ names: Range<String>) async throws(StoreError) { try await inner.forgetSecrets(names) }

    func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await watched(.purge) { () async throws(StoreError) in try await inner.purge(at: now, limit: limit) }
    }

    func ping() async throws(StoreError) -> StoreCondition {
        try await watched(.ping) { () async throws(StoreError) in try await inner.ping() }
    }

    func close() async { await inner.close() }
}
