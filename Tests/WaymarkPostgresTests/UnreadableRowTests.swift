#if PostgreSQL
    import Testing
    import WaymarkLinks
    import WaymarkStores
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    /// Rows that are damaged, or written by a later version: they must not keep others from being read.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct UnreadableRowTests {
        private let server: PostgresServer
        private let url: String
        private let store: PostgresLinkStore

        init() throws {
            server = try PostgresServer.shared.get()
            url = try server.database()
            store = try PostgresLinkStore(url: url)
        }

        @Test(arguments: [LinkSort.newest, .oldest, .clicks, .expiry])
        func listsLeaveOutALinkThatCannotBeRead(sort: LinkSort) async throws {
            try await store.addShop()
            for slug in ["s0", "s1", "s2"] { _ = try await store.added(SampleLinks.draft(slug)) }
            try server.execute("UPDATE waymark.link SET content = '\\x02' WHERE slug = 's1'", in: url)
            while try await store.updateIndexes(all: true) {}
            var listing = LinkListing()
            listing.sort = sort
            let page = try await store.list(listing)
            #expect(Set(page.links.map(\.slug.text)) == ["s0", "s2"])
            #expect(page.unreadable.count == 1)
            listing.filter.search = SearchWords("s0")
            #expect(try await store.list(listing).links.map(\.slug.text) == ["s0"])
            await store.close()
        }

        @Test func aLinkThatCannotBeReadStopsNoOtherWrite() async throws {
            try await store.addShop()
            let links = [
                try await store.added(SampleLinks.draft("s0", metadata: "{}", redeemLimit: 50)),
                try await store.added(SampleLinks.draft("s1", metadata: "{}", redeemLimit: 50)),
            ]
            try server.execute("UPDATE waymark.link SET content = '\\x02' WHERE slug = 's1'", in: url)
            let store = store
            let calls = (0..<40).map { number -> @Sendable () async throws -> Bool in
                {
                    do {
                        return try await store.redeem(links[number % 2].id)?.status == .redeemed
                    } catch StoreError.corrupt {
                        return false
                    }
                }
            }
            #expect(try await SampleLinks.all(calls).count { $0 } == 20)
            await store.close()
        }

        @Test func readsTheEndpointsBesideOneThatCannotBeRead() async throws {
            for id in ["wh_a", "wh_b"] {
                let webhook = Webhook(
                    id: id, application: nil, url: "https://example.com/", name: nil, events: ["link.*"], secrets: [],
                    createdAt: SampleLinks.now)
                #expect(try await store.insert(webhook, limit: 9))
            }
            try server.execute("UPDATE waymark.webhook SET document = '\\x00' WHERE id = 'wh_a'", in: url)
            let found = try await store.endpoints()
            #expect(found.map { $0.unreadable != nil } == [true, false])
            #expect(found[0].activeTypes == found[1].activeTypes)
            #expect(try await store.deleteWebhook("wh_a"))
            #expect(try await store.endpoints().map(\.id) == ["wh_b"])
            await store.close()
        }
    }
#endif
