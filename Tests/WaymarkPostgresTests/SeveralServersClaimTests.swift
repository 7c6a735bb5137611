#if PostgreSQL
    import WaymarkTestSupport
    import Testing
    import WaymarkStores
    import WaymarkLinks
    import WaymarkPostgres

    /// Claims and events through two stores on one database, as two servers have them.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct SeveralServersClaimTests {
        private let stores: [PostgresLinkStore]

        init() throws {
            let url = try PostgresServer.shared.get().database()
            stores = try (0..<2).map { _ in try PostgresLinkStore(url: url) }
        }

        private func close() async {
            for store in stores { await store.close() }
        }

        private func race<Value: Sendable>(
            _ count: Int, _ call: @escaping @Sendable (PostgresLinkStore, Int) async throws -> Value
        ) async throws -> [Value] {
            var calls: [@Sendable () async throws -> Value] = []
            for number in 0..<count {
                for (index, store) in stores.enumerated() { calls.append { try await call(store, number * 2 + index) } }
            }
            return try await SampleLinks.all(calls)
        }

        @Test func givesAClickToOneInstallation() async throws {
            try await stores[0].addShop()
            let link = try await stores[0].added(SampleLinks.draft("gift", metadata: "{}", redeemLimit: 50))
            let outcomes = try await race(30) { store, number in
                let claim = ClaimCandidate(
                    scope: [1], installation: [UInt8(number)], application: link.application, link: link.id,
                    isCounted: true, method: .referrer, platform: .android, opened: nil,
                    answersUntil: SampleLinks.now.advanced(byMilliseconds: 1_000),
                    expiresAt: SampleLinks.now.advanced(byMilliseconds: 9_000))
                return try await store.claim([claim], at: SampleLinks.now, idempotency: nil)
            }
            #expect(outcomes.count { $0 == .none } == 59)
            #expect(try await stores[1].link(link.id)?.redeemed == 1)
            await close()
        }

        @Test func countsAnEventOnce() async throws {
            try await stores[0].addShop()
            let link = try await stores[0].added(SampleLinks.draft("page"))
            let outcomes = try await race(30) { store, number in
                // In another order each time: servers must not wait for one another in a ring.
                let ids = (0..<20).map { ($0 + number) % 20 }
                return try await store.record(
                    ids.map { id in
                        AppEvent(
                            digest: [UInt8(id)], kind: .open, link: link.id, application: link.application,
                            expiresAt: SampleLinks.now.advanced(byMilliseconds: 9_000))
                    }, at: SampleLinks.now)
            }
            #expect(outcomes.flatMap { $0 }.count { $0 == .counted } == 20)
            #expect(try await stores[1].eventCounts(of: link.id) == EventCounts(opens: 20))
            await close()
        }
    }
#endif
