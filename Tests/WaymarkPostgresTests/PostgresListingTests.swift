#if PostgreSQL
    import Dispatch
    import WaymarkTestSupport
    import Testing
    import WaymarkStores
    import WaymarkLinks
    import WaymarkPostgres

    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
    struct PostgresListingTests {
        @Test func lookUpsDoNotWaitForListings() async throws {
            // The shared server may be busy for longer than a call may take.
            let server = try PostgresServer()
            defer { withExtendedLifetime(server) {} }
            let store = try PostgresLinkStore(url: server.database())
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
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
            let listings = (0..<2).map { _ in Task { try await store.list(slow) } }
            for _ in 0..<8 {
                try await store.ping()
                #expect(try await store.link(link.domain, link.slug)?.id == link.id)
            }
            gate.signal()
            for listing in listings { #expect(try await listing.value.links.isEmpty) }
            await store.close()
        }
    }
#endif
