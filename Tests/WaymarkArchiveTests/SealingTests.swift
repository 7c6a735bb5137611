import Foundation
import SealingTestSupport
import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// Metadata at rest.
@Suite struct SealingTests {
    private let fixtures: StoreFixtures
    private let path: String

    init() throws {
        fixtures = try StoreFixtures()
        path = fixtures.path("one")
    }

    private func open(_ ids: String...) async throws -> SQLiteLinkStore {
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.use(SealingKeys.keys(ids)) == nil)
        return store
    }

    private func gift(_ store: SQLiteLinkStore, _ slug: String = "gift") async throws -> Link {
        try #require(try await store.links(slug: StoreFixtures.slug(slug), limit: 1).first)
    }

    private func redeem(_ store: SQLiteLinkStore, _ link: Link) async throws -> RedeemOutcome {
        try await store.redeem(link.id, at: StoreFixtures.now, taking: true, ignoringMaxClicks: false, idempotency: nil)
    }

    @Test func leavesNoMetadataReadableInTheFile() async throws {
        let store = try await open("a")
        let application = StoredApplication(id: try StoreFixtures.shop(), domains: [], document: [])
        _ = try await store.put(application, expecting: nil) { _ in true }
        let secret = "{\"coupon\":\"SOMETHING-SECRET\"}"
        _ = try await store.create([StoreFixtures.draft("gift", metadata: secret, redeemLimit: 1)], idempotency: nil)
        let link = try await gift(store)
        #expect(try Tampering(path).bytes.range(of: Data("SOMETHING-SECRET".utf8)) == nil)
        _ = try await store.update(
            link.id, expecting: nil, to: LinkChange(content: link.content, metadata: .set(Array(secret.utf8))),
            at: StoreFixtures.now)
        #expect(try Tampering(path).bytes.range(of: Data("SOMETHING-SECRET".utf8)) == nil)
        #expect(try await store.metadata(of: link.id) == Array(secret.utf8))
        guard case .answered(_, let metadata, _, _) = try await redeem(store, link) else {
            Issue.record("the link is active")
            return
        }
        #expect(metadata == Array(secret.utf8))
        await store.close()
        #expect(try Tampering(path).bytes.range(of: Data("SOMETHING-SECRET".utf8)) == nil)
    }

    @Test func saysWhichKeyIsMissingOrAnotherOne() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]))
        let store = try SQLiteLinkStore(path: path)
        let id = try #require(MetadataKey.ID("a"))
        #expect(try await store.use(.none) == .missing(id))
        #expect(try await store.use(SealingKeys.keys(["b"])) == .missing(id))
        #expect(try await store.use(MetadataKeys([SealingKeys.key("a", seed: 3)])) == .different(id))
        #expect("\(MetadataKeyProblem.different(id))".contains("\"a\""))
        #expect(try await store.secrets(prefix: MetadataKeys.proofPrefix).map(\.name) == ["metadata-key.a"])
        #expect(try await store.use(SealingKeys.keys(["b", "a"])) == nil)
        #expect(
            try await store.secrets(prefix: MetadataKeys.proofPrefix).map(\.name) == [
                "metadata-key.a", "metadata-key.b",
            ])
        await store.close()
    }

    @Test func takesNoRedeemWhereTheMetadataDoesNotOpen() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]))
        let store = try SQLiteLinkStore(path: path)
        let link = try await gift(store)
        // Without its check at the start, as where a key was taken away from a running server.
        await #expect(
            throws: StoreError.unavailable(
                "the metadata key \"a\" is missing, with which the stored metadata of a link was sealed")
        ) { try await redeem(store, link) }
        store.metadataKeys.use(MetadataKeys([try SealingKeys.key("a", seed: 3)]))
        await #expect(
            throws: StoreError.corrupt(
                "the stored metadata of a link does not open with the key \"a\": it was changed, or the key is another one"
            )
        ) { try await redeem(store, link) }
        await #expect(throws: StoreError.self) { try await store.metadata(of: link.id) }
        #expect(try await gift(store).redeemed == link.redeemed)
        #expect(try await store.link(link.id) == link)
        store.metadataKeys.use(try SealingKeys.keys(["a"]))
        guard case .answered(_, .some, _, _) = try await redeem(store, link) else {
            Issue.record("the metadata is handed out")
            return
        }
        await store.close()
    }

    @Test(arguments: [
        // Metadata of another link, whose number is bound to it.
        "UPDATE link_metadata SET metadata = (SELECT metadata FROM link_metadata JOIN link ON link.id = link WHERE slug = 'fill0')",
        "UPDATE link_metadata SET metadata = substr(metadata, 1, length(metadata) - 1)",
        "UPDATE link_metadata SET metadata = substr(metadata, 1, 20)", "UPDATE link_metadata SET metadata = x'01'",
        "UPDATE link_metadata SET metadata = x'0102'", "UPDATE link_metadata SET metadata = x'0101612A'",
        "UPDATE link_metadata SET metadata = x'01FF61'",
        "UPDATE link_metadata SET metadata = CAST(x'010162' || substr(metadata, 4) AS BLOB)",
    ])
    func opensNothingThatWasChanged(change: String) async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a", "b"]))
        try Tampering(path).run(change + " WHERE link = (SELECT id FROM link WHERE slug = 'gift')")
        let store = try await open("a", "b")
        let link = try await gift(store)
        await #expect(throws: StoreError.self) { try await store.metadata(of: link.id) }
        await #expect(throws: StoreError.self) { try await redeem(store, link) }
        #expect(try await gift(store).redeemed == link.redeemed)
        // The others are as they were.
        #expect(try await store.metadata(of: gift(store, "fill0").id) == Array("{\"n\":0}".utf8))
        await store.close()
        #expect(try fixtures.check("one", keys: SealingKeys.keys(["a", "b"])).problems.count == 1)
    }

    @Test func readsWhatWasStoredBeforeThereWereKeys() async throws {
        try await fixtures.fill("one")
        let store = try await open("a")
        #expect(try await store.metadata(of: gift(store, "fill0").id) == Array("{\"n\":0}".utf8))
        await store.close()
    }

    @Test func staysSealedOnTheWayIntoAnotherDatabase() async throws {
        let keys = try SealingKeys.keys(["a"])
        try await fixtures.fill("one", keys: keys)
        let lines = try fixtures.export("one")
        #expect(!lines.contains { String(decoding: $0, as: UTF8.self).contains("coupon") })
        #expect(throws: ArchiveFailure.self) { try fixtures.importing(lines, into: "none") }
        #expect(throws: ArchiveFailure.self) {
            try fixtures.importing(lines, into: "other", keys: MetadataKeys([SealingKeys.key("a", seed: 3)]))
        }
        for name in ["none", "other"] {
            let archive = try SQLiteArchive(path: fixtures.path(name), mode: .reading)
            #expect(try archive.isEmpty() && archive.secrets().isEmpty, "nothing was changed")
            archive.close()
        }
        try fixtures.importing(lines, into: "two", keys: keys)
        #expect(try fixtures.export("two") == lines)
    }

    @Test func `metadata are sealed by an import that has a key`() async throws {
        try await fixtures.fill("one")
        let lines = try fixtures.export("one")
        let keys = try SealingKeys.keys(["a"])
        try fixtures.importing(lines, into: "two", keys: keys)
        #expect(try Tampering(fixtures.path("two")).bytes.range(of: Data("coupon".utf8)) == nil)
        #expect(try fixtures.export("two", opening: keys) == lines)
        #expect(try fixtures.check("two", keys: keys).problems.isEmpty)
    }
}
