import Dispatch
import Synchronization
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores
import WaymarkTestSupport

/// What a search costs other callers.
@Suite struct ListingBudgetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private final class Clock: Sendable {
        private let looks = Mutex(0)
        /// A millisecond more each time.
        func uptime() -> Duration {
            looks.withLock { looks in
                looks += 1
                return .milliseconds(looks)
            }
        }
    }

    @Test func aPageExaminesLinksUntilItsTimeIsUp() async throws {
        let store = try SQLiteLinkStore(path: folder.path("links.sqlite"))
        try await SampleLinks.addApplication(to: store)
        var drafts: [NewLink] = []
        for number in 0..<120 { drafts.append(try SampleLinks.draft("s\(number)")) }
        _ = try await store.create(drafts, idempotency: nil)
        var listing = LinkListing(query: "nothing")
        let clock = Clock()
        listing.budget = ListingBudget(.milliseconds(50), uptime: { clock.uptime() })
        let newest = try #require(try await store.list(LinkListing(limit: 1)).links.first?.id.rawValue)
        for pages in [1, 2] {
            let page = try await store.list(listing)
            #expect(page.links.isEmpty)
            #expect(page.next?.id == LinkID(rawValue: newest - Int64(50 * pages - 1)))
            listing.after = page.next
        }
        #expect(try await store.list(listing) == LinkPage(links: [], next: nil))
        await store.close()
    }

    @Test func lookUpsDoNotWaitForListings() async throws {
        let store = try SQLiteLinkStore(path: folder.path("links.sqlite"))
        try await SampleLinks.add(1, to: store)
        let link = try #require(try await store.list(LinkListing()).links.first)
        let gate = DispatchSemaphore(value: 0)
        var listing = LinkListing(query: "nothing")
        listing.budget = ListingBudget(
            .seconds(1),
            uptime: {
                gate.wait()
                gate.signal()
                return .zero
            })
        let slow = listing
        let listings = (0..<8).map { _ in Task { try await store.list(slow) } }
        for _ in 0..<8 {
            try await store.ping()
            #expect(try await store.link(link.domain, link.slug)?.id == link.id)
        }
        gate.signal()
        for listing in listings { #expect(try await listing.value.links.isEmpty) }
        await store.close()
    }
}
