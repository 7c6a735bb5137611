import Foundation
import SealingTestSupport
import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@Suite struct KeyRotationTests {
    private let fixtures: StoreFixtures
    private let path: String
    private struct Interruption: Error {}

    init() throws {
        fixtures = try StoreFixtures()
        path = fixtures.path("one")
    }

    private func rotate(_ ids: [String], stoppingAfter links: Int = .max) throws -> KeyRotation.Report {
        let archive = try SQLiteArchive(path: path, mode: .beside)
        defer { archive.close() }
        var isStopped = false
        return try KeyRotation(Stopping(archive) { isStopped }, keys: SealingKeys.keys(ids)).run {
            if $0 >= links { isStopped = true }
        } pause: {
        }
    }

    /// How many links' metadata is under each key; plain under none.
    private func keys() throws -> [String: Int] {
        let archive = try SQLiteArchive(path: path, mode: .reading)
        defer { archive.close() }
        return Dictionary(grouping: try archive.metadata(after: nil, limit: 10_000)) {
            SealedMetadata($0.bytes)?.key.text ?? ""
        }.mapValues(\.count)
    }

    @Test func bringsEverythingUnderTheFirstKeyWhileAServerUsesTheStore() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]), links: 1_000)
        let before = try fixtures.export("one", opening: SealingKeys.keys(["a"]))
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.use(SealingKeys.keys(["b", "a"])) == nil)
        #expect(try keys() == ["a": 502])
        let report = try rotate(["b", "a"])
        #expect(report.resealed == 502 && report.examined == 502)
        #expect(report.released == [try #require(MetadataKey.ID("a"))])
        #expect(try keys() == ["b": 502])
        // Without the old key from now on, in the server too.
        #expect(try await store.use(SealingKeys.keys(["b"])) == nil)
        let gift = try #require(try await store.links(slug: StoreFixtures.slug("gift"), limit: 1).first)
        #expect(try await store.metadata(of: gift.id)?.isEmpty == false)
        await store.close()
        #expect(try fixtures.export("one", opening: SealingKeys.keys(["b"])) == before)
        #expect(try rotate(["b"]).resealed == 0)
    }

    @Test func sealsWhatWasPlainAndLeavesNothingOfItInTheFile() async throws {
        try await fixtures.fill("one", links: 600)
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.use(SealingKeys.keys(["a"])) == nil)
        #expect(try rotate(["a"]).resealed == 302)
        await store.close()
        #expect(try keys() == ["a": 302])
        #expect(try Tampering(path).bytes.range(of: Data("coupon".utf8)) == nil)
    }

    @Test func sealsSecretsAndDocumentsWithTheFirstKey() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]))
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.use(SealingKeys.keys(["b", "a"])) == nil)
        store.metadataKeys.use(try SealingKeys.keys(["a", "b"]))
        #expect(try await SealedDocuments(store).write("certificate/a", [7], replacing: nil))
        _ = try rotate(["b", "a"])
        #expect(try await store.use(SealingKeys.keys(["b"])) == nil)
        let document = try await SealedDocuments(store).document("certificate/a")
        #expect(document == StoredDocument(name: "certificate/a", version: 2, content: [7]))
        let webhook = try #require(try await store.endpoints().first)
        for secret in webhook.secrets {
            #expect(try secret.key(of: webhook.id, SealingKeys.keys(["b"])).count == 32)
        }
        await store.close()
    }

    @Test func goesOnWhereItWasKilled() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]), links: 2_000)
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.use(SealingKeys.keys(["b", "a"])) == nil)
        #expect(throws: StoreError.self) { try rotate(["b", "a"], stoppingAfter: 300) }
        let half = try keys()
        #expect((half["a"] ?? 0) > 0 && (half["b"] ?? 0) > 0)
        #expect(try fixtures.check("one", keys: SealingKeys.keys(["b", "a"])).problems.isEmpty)
        let report = try rotate(["b", "a"])
        #expect(report.resealed == half["a"])
        #expect(try keys() == ["b": 1_002])
        await store.close()
    }

    @Test func changesNothingWithAKeyThatIsMissingOrAnotherOne() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]))
        let before = try fixtures.export("one")
        #expect(
            throws: ArchiveFailure(
                "metadataKeys: the key \"a\" is missing, with which metadata in the database is sealed")
        ) {
            try rotate(["b"])
        }
        let archive = try SQLiteArchive(path: path, mode: .beside)
        #expect(throws: ArchiveFailure.self) {
            let keys = MetadataKeys([try SealingKeys.key("b"), try SealingKeys.key("a", seed: 3)])
            _ = try KeyRotation(archive, keys: keys).run { _ in
            } pause: {
            }
        }
        archive.close()
        #expect(throws: ArchiveFailure.self) { try rotate([]) }
        // No server has shown that it can open what the new key seals.
        #expect(throws: ArchiveFailure.self) { try rotate(["b", "a"]) }
        #expect(try fixtures.export("one") == before)
    }

    @Test func namesALinkWhoseMetadataDoesNotOpen() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]))
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.use(SealingKeys.keys(["b", "a"])) == nil)
        await store.close()
        try Tampering(path).run("UPDATE link_metadata SET metadata = substr(metadata, 1, 30) WHERE link = 2")
        do {
            _ = try rotate(["b", "a"])
            Issue.record("the damage is found")
        } catch let failure as ArchiveFailure {
            #expect(failure.description.contains("id 2:") && failure.description.contains("\"a\""))
        }
    }
}

/// An archive whose writes fail from some moment on, as when its process is killed.
private final class Stopping: StoreArchive {
    private let archive: any StoreArchive
    private let isStopped: () -> Bool

    init(_ archive: any StoreArchive, _ isStopped: @escaping () -> Bool) {
        self.archive = archive
        self.isStopped = isStopped
    }

    func reseal(_ changes: [ResealedMetadata]) throws(StoreError) -> Int {
        guard !isStopped() else { throw .unavailable("stopped") }
        return try archive.reseal(changes)
    }

    func beginReading() throws(StoreError) { try archive.beginReading() }
    func endReading() { archive.endReading() }
    func isEmpty() throws(StoreError) -> Bool { try archive.isEmpty() }
    func linkCount() throws(StoreError) -> Int { try archive.linkCount() }
    func lastID() throws(StoreError) -> Int64 { try archive.lastID() }
    func applications() throws(StoreError) -> [StoredApplication] { try archive.applications() }
    func keys() throws(StoreError) -> [StoredKey] { try archive.keys() }
    func people() throws(StoreError) -> [Person] { try archive.people() }
    func extras() throws(StoreError) -> [ApplicationExtra] { try archive.extras() }
    func applicationChanges(
        after key: ArchivedApplicationChange.Key?, limit: Int
    ) throws(StoreError) -> [ArchivedApplicationChange] {
        try archive.applicationChanges(after: key, limit: limit)
    }
    func associationVersions() throws(StoreError) -> [AssociationVersion] { try archive.associationVersions() }
    func associationFetches() throws(StoreError) -> [AssociationFetch] { try archive.associationFetches() }
    func routes() throws(StoreError) -> [ArchivedRoute] { try archive.routes() }
    func secrets() throws(StoreError) -> [StoredSecret] { try archive.secrets() }
    func webhooks() throws(StoreError) -> [Webhook] { try archive.webhooks() }
    func documents() throws(StoreError) -> [StoredDocument] { try archive.documents() }
    func auditEntries(after number: Int64?, limit: Int) throws(StoreError) -> [(number: Int64, entry: AuditEntry)] {
        try archive.auditEntries(after: number, limit: limit)
    }
    func conversions(after key: ConversionKey?, limit: Int) throws(StoreError) -> [ArchivedConversions] {
        try archive.conversions(after: key, limit: limit)
    }
    func reseal(_ webhook: Webhook, as resealed: Webhook) throws(StoreError) -> Bool {
        try archive.reseal(webhook, as: resealed)
    }
    func reseal(_ document: StoredDocument, as content: [UInt8]) throws(StoreError) -> Bool {
        try archive.reseal(document, as: content)
    }
    func records(after scope: [UInt8]?, limit: Int) throws(StoreError) -> [ArchivedRecord] {
        try archive.records(after: scope, limit: limit)
    }
    func links(after id: LinkID?, limit: Int) throws(StoreError) -> [ArchivedRow] {
        try archive.links(after: id, limit: limit)
    }
    func clickBlocks(after key: ClickBlock.Key?, limit: Int) throws(StoreError) -> [ClickBlock] {
        try archive.clickBlocks(after: key, limit: limit)
    }
    func shippedBlocks(
        days: ClosedRange<Int>, after key: ClickBlock.Key?, limit: Int
    ) throws(StoreError) -> [ShippedBlock] {
        try archive.shippedBlocks(days: days, after: key, limit: limit)
    }
    func activity(after key: DailyActivity.Key?, limit: Int) throws(StoreError) -> [DailyActivity] {
        try archive.activity(after: key, limit: limit)
    }
    func metadata(after id: LinkID?, limit: Int) throws(StoreError) -> [StoredMetadata] {
        try archive.metadata(after: id, limit: limit)
    }
    func totals(after key: ArchivedTotal.Key?, limit: Int) throws(StoreError) -> [ArchivedTotal] {
        try archive.totals(after: key, limit: limit)
    }
    func linkTotals(after key: TotalsChange.PageKey?, limit: Int) throws(StoreError) -> [LinkTotalsRow] {
        try archive.linkTotals(after: key, limit: limit)
    }
    func totalsStart() throws(StoreError) -> Int? { try archive.totalsStart() }
    func nextClickDay(after day: Int?) throws(StoreError) -> Int? { try archive.nextClickDay(after: day) }
    func rebuildTotals(of day: Int) throws(StoreError) { try archive.rebuildTotals(of: day) }
    func endRebuilding() throws(StoreError) { try archive.endRebuilding() }
    func discardSearchIndex() throws(StoreError) { try archive.discardSearchIndex() }
    func scan(_ columns: TableColumns, _ body: (TableRow) throws -> Void) throws { try archive.scan(columns, body) }
    func tables() throws(StoreError) -> [String] { try archive.tables() }
    func totalsDays() throws(StoreError) -> [Int] { try archive.totalsDays() }
    func storedTotals(of day: Int) throws(StoreError) -> DayTotals { try archive.storedTotals(of: day) }
    func countedTotals(of day: Int) throws(StoreError) -> DayTotals { try archive.countedTotals(of: day) }
    func existing(_ links: [LinkID]) throws(StoreError) -> Set<LinkID> { try archive.existing(links) }
    func searchState() throws(StoreError) -> SearchState { try archive.searchState() }
    func searchLeaves(of part: SearchPart, _ body: (_ first: [UInt8], _ bytes: [UInt8]) throws -> Void) throws {
        try archive.searchLeaves(of: part, body)
    }
    func searchChanges(in range: ClosedRange<Int64>) throws(StoreError) -> Set<LinkID> {
        try archive.searchChanges(in: range)
    }
    func missingExpiries(_ links: [(id: LinkID, end: Timestamp)]) throws(StoreError) -> [LinkID] {
        try archive.missingExpiries(links)
    }
    func clickOrder(in range: ClosedRange<Int64>) throws(StoreError) -> [LinkID: Int] {
        try archive.clickOrder(in: range)
    }
    func historyStart() throws(StoreError) -> Timestamp? { try archive.historyStart() }
    func uses() throws(StoreError) -> [StoredUse] { try archive.uses() }
    func tagCount() throws(StoreError) -> Int { try archive.tagCount() }
    func missingTags(_ tags: [StoredTag]) throws(StoreError) -> [StoredTag] { try archive.missingTags(tags) }
    func aliasCount() throws(StoreError) -> Int { try archive.aliasCount() }
    func aliasClashes(limit: Int) throws(StoreError) -> [AliasClash] { try archive.aliasClashes(limit: limit) }
    func isFree(_ slug: Slug, on domain: HostName) throws(StoreError) -> Bool {
        try archive.isFree(slug, on: domain)
    }
    func move(_ clash: AliasClash, to slug: Slug, at now: Timestamp) throws(StoreError) {
        try archive.move(clash, to: slug, at: now)
    }
    func removeAlias(of clash: AliasClash) throws(StoreError) { try archive.removeAlias(of: clash) }
    func removeOrphanedAliases() throws(StoreError) -> Int { try archive.removeOrphanedAliases() }
    func forgetSlugRules() throws(StoreError) { try archive.forgetSlugRules() }
    func missingFolded(_ names: [StoredAlias]) throws(StoreError) -> [StoredAlias] { try archive.missingFolded(names) }
    func missingAliases(_ aliases: [StoredAlias]) throws(StoreError) -> [StoredAlias] {
        try archive.missingAliases(aliases)
    }
    func faults() throws(StoreError) -> [String] { try archive.faults() }
    func add(_ entries: [ArchiveEntry], progress: StoredSecret, expecting: [UInt8]?) throws(StoreError) {
        try archive.add(entries, progress: progress, expecting: expecting)
    }
    func removeSecret(_ name: String) throws(StoreError) -> Bool { try archive.removeSecret(name) }
    func addSecret(_ secret: StoredSecret) throws(StoreError) { try archive.addSecret(secret) }
    func close() { archive.close() }
}
