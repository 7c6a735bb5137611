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
            defer { gate.signal() }
            let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
            var listing = LinkListing(query: "nothing")
            listing.budget = ListingBudget(
                .seconds(1),
                uptime: {
                    beginning.yield()
                    gate.wait()
                    gate.signal()
                    return .zero
                })
            let slow = listing
            // As many as would take all connections for look-ups.
            let listings = (0..<5).map { _ in Task { try await store.list(slow) } }
            Task {
                // On a busy machine some wait for too long.
                for listing in listings { _ = try? await listing.value }
                beginning.finish()
            }
            for await _ in begun { break }
            try await store.ping()
            #expect(try await store.link(link.domain, link.slug)?.id == link.id)
            gate.signal()
            for await _ in begun {}
            await store.close()
        }
    }
#endif
