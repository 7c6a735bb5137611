import WaymarkLinks
import WaymarkMetrics
import WaymarkStores

/// Measures the calls of another store.
final class InstrumentedStore: LinkStore {
    let metrics = StoreMetrics()
    let clickRecords: any ClickStore
    let clickTotals: any ClickTotalStore
    /// Not measured.
    var webhooks: any WebhookStore { store.webhooks }
    var conversions: any ConversionStore { store.conversions }
    var importRuns: any ImportRunStore { store.importRuns }
    private let store: any LinkStore

    init(_ store: any LinkStore) {
        self.store = store
        clickRecords = InstrumentedClickStore(store.clickRecords, metrics)
        clickTotals = InstrumentedTotalStore(store.clickTotals, metrics)
    }

    var commitSizes: HistogramMetrics? { store.commitSizes }

    func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link? {
        try await metrics.measure(.link) { () async throws(StoreError) in
            try await store.link(domain, slug)
        }
    }

    func link(_ id: LinkID) async throws(StoreError) -> Link? {
        try await metrics.measure(.link) { () async throws(StoreError) in
            try await store.link(id)
        }
    }

    func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link] {
        try await metrics.measure(.links) { () async throws(StoreError) in
            try await store.links(slug: slug, limit: limit)
        }
    }

    func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage {
        try await metrics.measure(.list) { () async throws(StoreError) in
            try await store.list(listing)
        }
    }

    func updateIndexes(all: Bool) async throws(StoreError) -> Bool {
        try await metrics.measure(.updateIndexes) { () async throws(StoreError) in
            try await store.updateIndexes(all: all)
        }
    }

    func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]? {
        try await metrics.measure(.metadata) { () async throws(StoreError) in
            try await store.metadata(of: id)
        }
    }

    func create(
        _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
    ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
        try await metrics.measure(.create) { () async throws(StoreError) in
            try await store.create(drafts, idempotency: idempotency)
        }
    }

    func update(_ updates: [LinkUpdate], at now: Timestamp) async throws(StoreError) -> [UpdateOutcome] {
        try await metrics.measure(.update) { () async throws(StoreError) in try await store.update(updates, at: now) }
    }

    func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, at now: Timestamp
    ) async throws(StoreError) -> RenameOutcome {
        try await metrics.measure(.rename) { () async throws(StoreError) in
            try await store.rename(id, expecting: expecting, to: slug, by: author, at: now)
        }
    }

    func history(of id: LinkID) async throws(StoreError) -> [LinkHistoryEntry] {
        try await metrics.measure(.history) { () async throws(StoreError) in try await store.history(of: id) }
    }

    func delete(_ removals: [LinkRemoval]) async throws(StoreError) -> [LinkDeletion] {
        try await metrics.measure(.delete) { () async throws(StoreError) in try await store.delete(removals) }
    }

    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome {
        try await metrics.measure(.redeem) { () async throws(StoreError) in
            try await store.redeem(
                id, at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks, idempotency: idempotency)
        }
    }

    func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError) {
        try await metrics.measure(.addClicks) { () async throws(StoreError) in
            try await store.addClicks(counts, as: write)
        }
    }

    func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) async throws(StoreError) -> Int {
        try await metrics.measure(.reserveClicks) { () async throws(StoreError) in
            try await store.reserveClicks(id, upTo: count, as: write)
        }
    }

    func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError) {
        try await metrics.measure(.releaseClicks) { () async throws(StoreError) in
            try await store.releaseClicks(id, count: count, as: write)
        }
    }

    func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome {
        try await metrics.measure(.claim) { () async throws(StoreError) in
            try await store.claim(candidates, at: now, idempotency: idempotency)
        }
    }

    func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        try await metrics.measure(.recordEvents) { () async throws(StoreError) in
            try await store.record(events, at: now)
        }
    }

    func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts {
        try await metrics.measure(.eventCounts) { () async throws(StoreError) in
            try await store.eventCounts(of: id)
        }
    }

    func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError) {
        try await metrics.measure(.addActivity) { () async throws(StoreError) in
            try await store.addActivity(days, as: write)
        }
    }

    func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await metrics.measure(.activity) { () async throws(StoreError) in
            try await store.activity(of: id, days: days)
        }
    }

    func applications() async throws(StoreError) -> [StoredApplication] {
        try await metrics.measure(.applications) { () async throws(StoreError) in
            try await store.applications()
        }
    }

    func put(
        _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
        check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome {
        try await metrics.measure(.putApplication) { () async throws(StoreError) in
            try await store.put(application, expecting: expecting, claiming: claim, check: check)
        }
    }

    func setDerivedParts(of application: StoredApplication) async throws(StoreError) {
        try await metrics.measure(.putApplication) { () async throws(StoreError) in
            try await store.setDerivedParts(of: application)
        }
    }

    func deleteApplication(
        _ id: ApplicationID, expecting: Int?
    ) async throws(StoreError) -> DeleteApplicationOutcome {
        try await metrics.measure(.deleteApplication) { () async throws(StoreError) in
            try await store.deleteApplication(id, expecting: expecting)
        }
    }

    func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse {
        try await metrics.measure(.applicationUse) { () async throws(StoreError) in
            try await store.use(of: id)
        }
    }

    func register(
        _ route: RegisteredRoute, of id: ApplicationID, limit: Int
    ) async throws(StoreError) -> RouteRegistration {
        try await metrics.measure(.registerRoute) { () async throws(StoreError) in
            try await store.register(route, of: id, limit: limit)
        }
    }

    func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try await metrics.measure(.registeredRoutes) { () async throws(StoreError) in
            try await store.registeredRoutes(of: id)
        }
    }

    func keys() async throws(StoreError) -> [StoredKey] {
        try await metrics.measure(.keys) { () async throws(StoreError) in
            try await store.keys()
        }
    }

    func send(_ message: String) async throws(StoreError) { try await store.send(message) }

    var isShared: Bool { store.isShared }

    func key(digest: [UInt8]) async throws(StoreError) -> StoredKey? {
        try await metrics.measure(.keys) { () async throws(StoreError) in
            try await store.key(digest: digest)
        }
    }

    func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
        try await metrics.measure(.insertKey) { () async throws(StoreError) in
            try await store.noteKeyUses(uses)
        }
    }

    func insert(
        _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
    ) async throws(StoreError) -> Bool {
        try await metrics.measure(.insertKey) { () async throws(StoreError) in
            try await store.insert(key, claiming: claim, reporting: event)
        }
    }

    func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool {
        try await metrics.measure(.deleteKey) { () async throws(StoreError) in
            try await store.deleteKey(id, reporting: event)
        }
    }

    func secret(_ name: String, make: @escaping @Sendable () -> [UInt8]) async throws(StoreError) -> [UInt8] {
        try await metrics.measure(.secret) { () async throws(StoreError) in
            try await store.secret(name, make: make)
        }
    }

    func forgetSecrets(_ names: Range<String>) async throws(StoreError) {
        try await metrics.measure(.forgetSecrets) { () async throws(StoreError) in
            try await store.forgetSecrets(names)
        }
    }

    func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await metrics.measure(.purge) { () async throws(StoreError) in
            try await store.purge(at: now, limit: limit)
        }
    }

    func ping() async throws(StoreError) -> StoreCondition {
        try await metrics.measure(.ping) { () async throws(StoreError) in
            try await store.ping()
        }
    }

    func close() async { await store.close() }
}
