import Synchronization
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// A store that servers share over a bad connection: calls fail before they have done anything, or after they have done
/// it, or take their time, at random and always alike for the same seed and order of calls.
final class FaultyStore: LinkStore, ClickStore {
    private enum Fault { case none, refused, delayed, lostAnswer }

    struct Counts: Sendable, Equatable {
        var refused = 0
        var delayed = 0
        var lostAnswers = 0
    }

    private struct State {
        var isFaulty = false
        var random: UInt64
        var counts = Counts()
    }

    let inner: SQLiteLinkStore
    private let state: Mutex<State>
    private let sent = Mutex<[String]>([])
    private let listed = Mutex(0)
    /// Whether no other server verifies.
    let holdsVerification = Mutex(true)
    /// Links that a listing examines at most.
    let examining = Mutex(LinkListing.examinationLimit)

    init(seed: UInt64, _ inner: SQLiteLinkStore? = nil) throws {
        self.inner = try inner ?? SQLiteLinkStore(path: ":memory:")
        state = Mutex(State(random: seed))
    }

    func send(_ message: String) async throws(StoreError) { sent.withLock { $0.append(message) } }

    /// The messages to other servers since the last call.
    func takeMessages() -> [String] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }

    /// How often links were listed.
    var listings: Int { listed.withLock { $0 } }

    var counts: Counts { state.withLock { $0.counts } }

    /// Faults begin, or end.
    func misbehave(_ isFaulty: Bool) { state.withLock { $0.isFaulty = isFaulty } }

    /// Of ten calls about six go well.
    private func nextFault() -> Fault {
        state.withLock { state in
            guard state.isFaulty else { return .none }
            // SplitMix64 (Steele, Lea and Flood, 2014).
            state.random &+= 0x9E37_79B9_7F4A_7C15
            var word = state.random
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            switch (word ^ (word >> 31)) % 10 {
            case 0:
                state.counts.refused += 1
                return .refused
            case 1, 2:
                state.counts.delayed += 1
                return .delayed
            case 3:
                state.counts.lostAnswers += 1
                return .lostAnswer
            default: return .none
            }
        }
    }

    private func tried<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let fault = nextFault()
        if fault == .refused { throw .unavailable("there is no connection") }
        // Others come in between, before and behind.
        if fault == .delayed { for _ in 0..<20 { await Task.yield() } }
        let value = try await body()
        if fault == .delayed { for _ in 0..<20 { await Task.yield() } }
        if fault == .lostAnswer { throw .unavailable("the connection was lost") }
        return value
    }

    func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link? {
        try await tried { () async throws(StoreError) in try await inner.link(domain, slug) }
    }

    func link(_ id: LinkID) async throws(StoreError) -> Link? {
        try await tried { () async throws(StoreError) in try await inner.link(id) }
    }

    func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link] {
        try await tried { () async throws(StoreError) in try await inner.links(slug: slug, limit: limit) }
    }

    func updateIndexes(all: Bool) async throws(StoreError) -> Bool {
        try await tried { () async throws(StoreError) in try await inner.updateIndexes(all: all) }
    }
    func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage {
        listed.withLock { $0 += 1 }
        var listing = listing
        listing.examining = examining.withLock(\.self)
        return try await tried { [listing] () async throws(StoreError) in try await inner.list(listing) }
    }

    func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]? {
        try await tried { () async throws(StoreError) in try await inner.metadata(of: id) }
    }

    func create(
        _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
    ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
        try await tried { () async throws(StoreError) in try await inner.create(drafts, idempotency: idempotency) }
    }

    func update(_ updates: [LinkUpdate], at now: Timestamp) async throws(StoreError) -> [UpdateOutcome] {
        try await tried { () async throws(StoreError) in try await inner.update(updates, at: now) }
    }

    func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, restoring content: LinkContent?,
        at now: Timestamp
    ) async throws(StoreError) -> RenameOutcome {
        try await tried { () async throws(StoreError) in
            try await inner.rename(id, expecting: expecting, to: slug, by: author, restoring: content, at: now)
        }
    }

    func changes(of id: LinkID, through version: Int, limit: Int) async throws(StoreError) -> [LinkHistoryEntry] {
        try await tried { () async throws(StoreError) in
            try await inner.changes(of: id, through: version, limit: limit)
        }
    }

    func changes(of id: LinkID, from version: Int) async throws(StoreError) -> [LinkHistoryEntry] {
        try await tried { () async throws(StoreError) in try await inner.changes(of: id, from: version) }
    }

    func changes(of id: LinkID, around time: Timestamp) async throws(StoreError) -> [LinkHistoryEntry] {
        try await tried { () async throws(StoreError) in try await inner.changes(of: id, around: time) }
    }

    func changes(of id: ApplicationID, around time: Timestamp) async throws(StoreError) -> [ApplicationChange] {
        try await tried { () async throws(StoreError) in try await inner.changes(of: id, around: time) }
    }

    func noteApplications(at now: Timestamp) async throws(StoreError) { try await inner.noteApplications(at: now) }

    func delete(_ removals: [LinkRemoval]) async throws(StoreError) -> [LinkDeletion] {
        try await tried { () async throws(StoreError) in try await inner.delete(removals) }
    }

    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome {
        try await tried { () async throws(StoreError) in
            try await inner.redeem(
                id, at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks, idempotency: idempotency)
        }
    }

    func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome {
        try await tried { () async throws(StoreError) in
            try await inner.claim(candidates, at: now, idempotency: idempotency)
        }
    }

    func forget(installation digest: [UInt8], of id: ApplicationID) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.forget(installation: digest, of: id) }
    }

    func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        try await tried { () async throws(StoreError) in try await inner.record(events, at: now) }
    }

    func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts {
        try await tried { () async throws(StoreError) in try await inner.eventCounts(of: id) }
    }

    func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.addActivity(days, as: write) }
    }

    func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await tried { () async throws(StoreError) in try await inner.activity(of: id, days: days) }
    }

    func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.addClicks(counts, as: write) }
    }

    func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) async throws(StoreError) -> Int {
        try await tried { () async throws(StoreError) in try await inner.reserveClicks(id, upTo: count, as: write) }
    }

    func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.releaseClicks(id, count: count, as: write) }
    }

    var clickRecords: any ClickStore { self }
    var clickTotals: any ClickTotalStore { inner.clickTotals }
    var clickShipments: any ClickShipmentStore { inner.clickShipments }
    var webhooks: any WebhookStore { inner.webhooks }
    var conversions: any ConversionStore { inner.conversions }
    var people: any PeopleStore { inner.people }
    var audit: any AuditStore { inner.audit }
    var extras: any ApplicationExtraStore { inner.extras }
    var verification: any VerificationStore {
        ContestedVerification(inner: inner.verification, isHeld: holdsVerification.withLock(\.self))
    }
    var associationFiles: any AssociationFileStore { inner.associationFiles }
    var oauth: any OAuthStore { inner.oauth }
    var importRuns: any ImportRunStore { inner.importRuns }

    func append(_ blocks: [ClickBlock]) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.append(blocks) }
    }

    func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock] {
        try await tried { () async throws(StoreError) in
            try await inner.blocks(of: link, days: days, after: after, limit: limit)
        }
    }

    func longLinkNumbers(
        of application: ApplicationID, on domains: [HostName]
    ) async throws(StoreError) -> [HostName: LinkID] {
        try await tried { () async throws(StoreError) in
            try await inner.longLinkNumbers(of: application, on: domains)
        }
    }

    func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await tried { () async throws(StoreError) in try await inner.dropClicks(before: day, limit: limit) }
    }

    func applications() async throws(StoreError) -> [StoredApplication] {
        try await tried { () async throws(StoreError) in try await inner.applications() }
    }

    func put(
        _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
        check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome {
        try await tried { () async throws(StoreError) in
            try await inner.put(application, expecting: expecting, claiming: claim, check: check)
        }
    }

    func setDerivedParts(of application: StoredApplication) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.setDerivedParts(of: application) }
    }

    func deleteApplication(
        _ id: ApplicationID, expecting: Int?
    ) async throws(StoreError) -> DeleteApplicationOutcome {
        try await tried { () async throws(StoreError) in try await inner.deleteApplication(id, expecting: expecting) }
    }

    func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse {
        try await tried { () async throws(StoreError) in try await inner.use(of: id) }
    }

    func folders(of applications: [ApplicationID]?, atMost limit: Int) async throws(StoreError) -> [FolderCount] {
        try await tried { () async throws(StoreError) in try await inner.folders(of: applications, atMost: limit) }
    }

    func register(
        _ route: RegisteredRoute, of id: ApplicationID, limit: Int
    ) async throws(StoreError) -> RouteRegistration {
        try await tried { () async throws(StoreError) in try await inner.register(route, of: id, limit: limit) }
    }

    func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try await tried { () async throws(StoreError) in try await inner.registeredRoutes(of: id) }
    }

    func keys() async throws(StoreError) -> [StoredKey] {
        try await tried { () async throws(StoreError) in try await inner.keys() }
    }

    var isShared: Bool { true }

    var metrics: StoreMetrics { inner.metrics }

    func key(digest: [UInt8]) async throws(StoreError) -> StoredKey? {
        try await tried { () async throws(StoreError) in try await inner.key(digest: digest) }
    }

    func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.noteKeyUses(uses) }
    }

    func insert(
        _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
    ) async throws(StoreError) -> Bool {
        try await tried { () async throws(StoreError) in try await inner.insert(key, claiming: claim, reporting: event)
        }
    }

    func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool {
        try await tried { () async throws(StoreError) in try await inner.deleteKey(id, reporting: event) }
    }

    func secret(_ name: String, make: @escaping @Sendable () -> [UInt8]) async throws(StoreError) -> [UInt8] {
        try await tried { () async throws(StoreError) in try await inner.secret(name, make: make) }
    }

    func forgetSecrets(_ names: Range<String>) async throws(StoreError) {
        try await tried { () async throws(StoreError) in try await inner.forgetSecrets(names) }
    }

    func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await tried { () async throws(StoreError) in try await inner.purge(at: now, limit: limit) }
    }

    func ping() async throws(StoreError) -> StoreCondition {
        try await tried { () async throws(StoreError) in try await inner.ping() }
    }

    func close() async { await inner.close() }
}
