import Foundation
import GRDB
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSQLite

/// Rows that are damaged, or written by a later version: they must not keep others from being read.
@Suite struct UnreadableRowTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("links.sqlite")
    }

    private func change(_ sql: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    @Test(arguments: [LinkSort.newest, .oldest, .clicks, .expiry])
    func listsLeaveOutALinkThatCannotBeRead(sort: LinkSort) async throws {
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(3, to: store)
        try change("UPDATE link SET content = x'02' WHERE slug = 'fill1'")
        while try await store.updateIndexes(all: true) {}
        var listing = LinkListing()
        listing.sort = sort
        let page = try await store.list(listing)
        #expect(Set(page.links.map(\.slug.text)) == ["fill0", "fill2"])
        #expect(page.unreadable.count == 1)
        listing.sort = .newest
        listing.filter.search = SearchWords("fill0")
        #expect(try await store.list(listing).links.map(\.slug.text) == ["fill0"])
        let draft = try SampleLinks.draft("fill1")
        await #expect(throws: StoreError.corrupt("the stored content of a link is damaged")) {
            try await store.link(draft.domain, draft.storedSlug)
        }
        await store.close()
    }

    @Test func eventsAndReleasesOfALinkThatCannotBeReadAreCounted() async throws {
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.addApplication(to: store)
        var draft = try SampleLinks.draft("a")
        draft.content.maxClicks = 10
        guard case .created(let link) = try await store.create([draft], idempotency: nil).done?.first else {
            Issue.record("the link was not created")
            return
        }
        let end = SampleLinks.now.advanced(byMilliseconds: WriteID.lifetime)
        func write(_ batch: Int64) -> WriteID { WriteID(writer: [1], batch: batch, expiresAt: end) }
        #expect(try await store.reserveClicks(link.id, upTo: 4, as: write(1)) == 4)
        try change("UPDATE link SET content = x'02'")
        let event = AppEvent(
            digest: [1], kind: .open, link: link.id, application: link.application, expiresAt: end)
        #expect(try await store.record([event], at: SampleLinks.now) == [.counted])
        #expect(try await store.eventCounts(of: link.id).opens == 1)
        try await store.releaseClicks(link.id, count: 3, as: write(2))
        #expect(try await store.write { try Int.fetchOne($0.database, sql: "SELECT reserved FROM link") } == 1)
        await store.close()
    }

    @Test func readsTheKnownScopesOfAKey() async throws {
        let store = try SQLiteLinkStore(path: path)
        let key = StoredKey(
            id: "k", name: "k", digest: [1], application: nil, scopes: [.read], createdAt: SampleLinks.now)
        try await store.insert(key)
        try change("UPDATE api_key SET scopes = 'read later'")
        #expect(try await store.keys() == [key])
        await store.close()
    }

    @Test func readsTheEndpointsBesideOneThatCannotBeRead() async throws {
        let store = try SQLiteLinkStore(path: path)
        for id in ["wh_a", "wh_b"] {
            let webhook = Webhook(
                id: id, application: nil, url: "https://example.com/", name: nil, events: ["link.*"], secrets: [],
                createdAt: SampleLinks.now)
            #expect(try await store.insert(webhook, limit: 9))
        }
        try change("UPDATE webhook SET document = x'00' WHERE id = 'wh_a'")
        let found = try await store.endpoints()
        #expect(found.map(\.id) == ["wh_a", "wh_b"])
        #expect(found.map { $0.unreadable != nil } == [true, false])
        // Its messages wait.
        #expect(found[0].activeTypes == found[1].activeTypes)
        #expect(try await store.endpoint("wh_a")?.unreadable != nil)
        #expect(try await store.deleteWebhook("wh_a"))
        #expect(try await store.endpoints().map(\.id) == ["wh_b"])
        await store.close()
    }

    @Test func subscribesEndpointsToTypesThatWereAddedLater() async throws {
        let store = try SQLiteLinkStore(path: path)
        for (id, events) in [("wh_a", "*"), ("wh_b", "link.*")] {
            let webhook = Webhook(
                id: id, application: nil, url: "https://example.com/", name: nil, events: [events], secrets: [],
                createdAt: SampleLinks.now)
            #expect(try await store.insert(webhook, limit: 9))
        }
        try change("UPDATE webhook SET types = types & 65535")
        let event = OutboxEvent(.weeklyReport, of: nil, at: SampleLinks.now)
        try await store.publish([event])
        #expect(try await store.outbox(limit: 9).isEmpty)
        try await store.addNewTypesToEndpoints()
        try await store.publish([event])
        #expect(try await store.outbox(limit: 9).count == 1)
        await store.close()
    }
}

extension Replayable {
    fileprivate var done: Outcome? { if case .done(let outcome) = self { outcome } else { nil } }
}
