#if PostgreSQL
    import Foundation
    import Logging
    import WaymarkTestSupport
    import Testing
    import WaymarkStores
    @testable import WaymarkService
    import WaymarkLinks
    import WaymarkPostgres

    /// The connection is lost when the server has committed and the store has not heard of it.
    @Suite(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"),
        .timeLimit(.minutes(3)))
    struct LostCommitTests {
        private let proxy: CommitLosingProxy
        private let store: PostgresLinkStore
        private let service: LinkService
        private let database: String
        private let now = SampleLinks.now
        private let kind = UserAgent.classify("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")

        init() throws {
            let server = try PostgresServer.shared.get()
            database = try #require(URL(string: try server.database())).lastPathComponent
            proxy = try CommitLosingProxy(to: server)
            store = try PostgresLinkStore(url: proxy.url(of: database))
            service = LinkService(
                store: store, configuration: ServiceConfiguration(),
                dependencies: ServiceDependencies(
                    now: { SampleLinks.now }, randomBytes: { (0..<$0).map { _ in .random(in: 0...255) } },
                    sha256: { $0 }),
                readApplication: { _ in nil }, logger: Logger(label: "test"))
        }

        /// Runs the body until it succeeds: after a loss the store connects again.
        private func repeating(_ body: () async throws -> Void) async {
            while true {
                do { return try await body() } catch { await Task.yield() }
            }
        }

        /// Runs the body until it succeeds, after the answer to one of its COMMITs was lost.
        private func losingAnAnswer(_ body: () async throws -> Void) async {
            let before = proxy.lost
            proxy.loseNextAnswer()
            await repeating(body)
            #expect(proxy.lost == before + 1)
        }

        private func records(of link: LinkID) async throws -> Int {
            try await store.blocks(of: link, days: now.day - 1...now.day + 1, after: nil, limit: 1_000)
                .reduce(0) { sum, block in sum + (try #require(block.contents).entries.count) }
        }

        @Test func countsClicksOnceAndAsManyAsItRecords() async throws {
            try await store.addShop()
            let one = try await store.added(SampleLinks.draft("one"))
            let two = try await store.added(SampleLinks.draft("two"))
            try await service.flushRecords()
            for round in 1...10 {
                for link in [one, one, two] {
                    service.clicks.record(Click(link: link.id, time: now, kind: kind, destination: .web))
                }
                await losingAnAnswer { try await service.clicks.flush() }
                await losingAnAnswer { try await service.flushRecords() }
                #expect(try await store.link(one.id)?.clicks == round * 2)
                #expect(try await store.link(two.id)?.clicks == round)
                #expect(try await records(of: one.id) == round * 2)
                #expect(try await records(of: two.id) == round)
            }
            #expect(service.clicks.dropped == 0)
            await store.close()
        }

        /// Whether the batch is forgotten before it is sent again, and what is counted then.
        @Test(arguments: [(false, 1), (true, 2)])
        func countsTwiceOnlyWhatTheStoreHasForgotten(isForgotten: Bool, count: Int) async throws {
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("one"))
            service.clicks.record(Click(link: link.id, time: now, kind: kind, destination: .web))
            proxy.loseNextAnswer()
            while proxy.lost == 0 {
                await #expect(throws: StoreError.self) { try await service.clicks.flush() }
            }
            if isForgotten {
                try PostgresServer.shared.get().execute(
                    "DELETE FROM waymark.written_batch", in: proxy.url(of: database))
            }
            await repeating { try await service.clicks.flush() }
            #expect(try await store.link(link.id)?.clicks == count)
            await store.close()
        }

        @Test func countsActivityOnce() async throws {
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("one"))
            for _ in 1...10 {
                service.activity.add(LinkActivity(opens: 1, resolves: 2), of: link.id, at: now)
                await losingAnAnswer { try await service.activity.flush() }
            }
            let days = try await store.activity(of: link.id, days: now.day..<now.day + 1)
            #expect(days.map(\.counts) == [LinkActivity(opens: 10, resolves: 20)])
            await store.close()
        }

        @Test func wastesNoReservedClickAndAllowsNoneTwice() async throws {
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("few", maxClicks: 200))
            let quota = try #require(service.quotas.quota(for: link))
            var admitted = 0
            // Retired halfway, so that clicks are given back too.
            for _ in 0..<100 {
                if admitted.isMultiple(of: 3) { proxy.loseNextAnswer() }
                await repeating {
                    if try await quota.admit() == .admitted { admitted += 1 }
                }
            }
            #expect(proxy.lost > 0)
            proxy.loseNextAnswer()
            await service.quotas.revoke(link.id)
            while try #require(try await reserved(link.id)) != 100 {
                await service.quotas.releaseLeftovers()
            }
            #expect(admitted == 100)
            await store.close()
        }

        private func reserved(_ id: LinkID) async throws -> Int? {
            var found: Int?
            await repeating { found = try await store.link(id)?.reservedClicks }
            return found
        }
    }
#endif
