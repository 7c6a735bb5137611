import Foundation
import LinkStoreContract
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores
import WaymarkTestSupport

@Suite struct SQLiteReopeningTests {
    @Test func keepsEverythingOverAReopening() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("links.sqlite")
        let shop = try #require(ApplicationID("shop"))
        let redeemKey = RedeemIdempotency(
            scope: [1], fingerprint: [2], expiresAt: Timestamp(rawValue: SampleLinks.now.rawValue + 1_000))
        let key = StoredKey(
            id: "k", name: "Key", digest: [9], application: shop, scopes: [.admin], createdAt: SampleLinks.now)

        let first = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(5, to: first)
        guard
            case .done(let outcomes) = try await first.create(
                [SampleLinks.draft("gift", metadata: 10, redeemLimit: 2)], idempotency: nil),
            case .created(let link) = outcomes.first
        else {
            Issue.record("the link is created")
            return
        }
        let answer = try await first.redeem(
            link.id, at: SampleLinks.now, taking: true, ignoringMaxClicks: false, idempotency: redeemKey)
        try await first.addClicks([link.id: 4])
        try await first.insert(key)
        let secret = try await first.secret("clicks") { [5, 6] }
        let last = try #require(try await first.list(LinkListing(limit: 1)).links.first)
        #expect(try await first.delete(last.id, expecting: nil) == .deleted)
        let applications = try await first.applications()
        let use = try await first.use(of: shop)
        let page = try await first.list(LinkListing())
        await first.close()

        let second = try SQLiteLinkStore(path: path)
        #expect(try await second.applications() == applications)
        #expect(try await second.use(of: shop) == use)
        #expect(try await second.list(LinkListing()) == page)
        #expect(try await second.keys() == [key])
        #expect(try await second.secret("clicks") { [0] } == secret)
        guard case .answered = answer else {
            Issue.record("the link is active")
            return
        }
        #expect(last.id == link.id)
        #expect(
            try await second.redeem(
                link.id, at: SampleLinks.now, taking: true, ignoringMaxClicks: false, idempotency: redeemKey)
                == .unknown)
        guard
            case .done(let again) = try await second.create([SampleLinks.draft("gift")], idempotency: nil),
            case .created(let newer) = again.first
        else {
            Issue.record("the slug is free")
            return
        }
        #expect(newer.id.rawValue > link.id.rawValue)
        await second.close()
    }

    /// With it goes what could lead from visitors' numbers back to addresses.
    @Test func aSecretThatWasForgottenIsNotInTheFileAnyMore() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("links.sqlite")
        let forgotten = Array("forgotten-0123456789-forgotten".utf8)
        let kept = Array("kept-0123456789-kept".utf8)
        func holds(_ secret: [UInt8]) throws -> Bool {
            try Data(contentsOf: URL(fileURLWithPath: path)).firstRange(of: Data(secret)) != nil
        }
        var store = try SQLiteLinkStore(path: path)
        _ = try await store.secret("a-1") { forgotten }
        _ = try await store.secret("b") { kept }
        await store.close()
        #expect(try holds(forgotten) && holds(kept))
        store = try SQLiteLinkStore(path: path)
        try await store.forgetSecrets("a-"..<"a-2")
        await store.close()
        #expect(try !holds(forgotten))
        #expect(try holds(kept))
    }
}
