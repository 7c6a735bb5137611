#if PostgreSQL
    import LinkStoreContract
    import Testing
    import WaymarkLinks
    import WaymarkStores
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    /// Rows of shares that can't be read.
    @Suite(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized,
        .timeLimit(.minutes(3)))
    struct DamagedSharesTests {
        private let server: PostgresServer
        private let url: String
        private let day = 20_000

        init() throws {
            server = try PostgresServer.shared.get()
            url = try server.database()
        }

        private func rows(_ table: String) throws -> Int64 {
            try server.execute("SELECT count(*) FROM waymark.\(table)", in: url)[0]
        }

        @Test(arguments: [
            ("click_total_share", "WHERE quarter < 20001 * 96"), ("click_total_link_share", "WHERE day = 20000"),
        ])
        func `a damaged row of a share stops no other`(table: String, first: String) async throws {
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 9)
            try await store.append(
                (0..<4).map { history.block(link, second: Int64(day + $0) * 86_400 + 60, clicks: 5, within: 60) })
            #expect(try rows(table) == 4)
            try server.execute("UPDATE waymark.\(table) SET bytes = '\\x2a' \(first)", in: url)
            var steps = 0
            while try await store.mergeTotals(before: (day + 9) * 96, limit: 2) > 0 {
                steps += 1
                try #require(steps < 100)
            }
            #expect(store.damagedTotalsCount() == 1)
            #expect(try rows("click_total_share") + rows("click_total_link_share") == 1)
            #expect(try rows(table) == 1)
            // It is replaced, and merged a quarter of an hour later.
            try server.execute("DELETE FROM waymark.\(table)", in: url)
            #expect(try await store.mergeTotals(before: (day + 9) * 96 + 1, limit: 2) == 0)
            #expect(store.damagedTotalsCount() == 0)
            await store.close()
        }
    }
#endif
