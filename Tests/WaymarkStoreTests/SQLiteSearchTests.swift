import LinkStoreContract
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSQLite

@Suite struct SQLiteSearchTests {
    private func found(_ text: String, in store: SQLiteLinkStore) async throws -> [String] {
        var listing = LinkListing(LinkFilter(search: try #require(SearchWords(text))), limit: 200)
        listing.budget = ListingBudget(.seconds(1), uptime: { .zero })
        return try await store.list(listing).links.map(\.slug.text)
    }

    @Test func fillsADiscardedIndexAgain() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("links.sqlite")
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(20, to: store)
        while try await store.updateIndexes(all: true) {}
        await store.close()
        let archive = try SQLiteArchive(path: path, mode: .beside)
        try archive.discardSearchIndex()
        archive.close()
        let again = try SQLiteLinkStore(path: path)
        #expect(try await found("fill7", in: again) == ["fill7"])
        while try await again.updateIndexes(all: true) {}
        #expect(try await found("fill7", in: again) == ["fill7"])
        // No leaf is left of the first index.
        let parts = try await again.read { try $0.rows("SELECT DISTINCT part FROM search_leaf") { try $0.number(0) } }
        #expect(parts == [1])
        await again.close()
    }

    @Test func aBatchThatIsOutdatedChangesNothing() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SampleLinks.add(5, to: store)
        let work = try #require(try await store.readBackground { try $0.indexWork(all: true) })
        while try await store.updateIndexes(all: true) {}
        let before = try await store.read { try $0.searchState() }
        try await store.write { try $0.finish(work) }
        let after = try await store.read { try $0.searchState() }
        #expect(after.parts == before.parts && after.unindexed == before.unindexed)
        await store.close()
    }

    @Test func indexesNoLinkTwiceWhenAskedTwiceAtOnce() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SampleLinks.add(50, to: store)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { while (try? await store.updateIndexes(all: true)) == true {} } }
        }
        while try await store.updateIndexes(all: true) {}
        let parts = try await store.read { try $0.searchState().parts }
        #expect(parts.map(\.links) == [50])
        await store.close()
    }

    @Test func leavesAFewNewLinksForLater() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SampleLinks.add(50, to: store)
        #expect(try await !store.updateIndexes(all: false))
        #expect(try await store.read { try $0.searchState().parts }.isEmpty)
        #expect(try await found("fill4", in: store).count == 11)
        await store.close()
    }
}
