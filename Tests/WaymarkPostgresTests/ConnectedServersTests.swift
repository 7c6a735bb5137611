#if PostgreSQL
    import Testing
    import WaymarkLinks
    import WaymarkStores
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    /// What may be written while a server of an earlier version is connected.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct ConnectedServersTests {
        private let server: PostgresServer
        private let url: String

        init() throws {
            server = try PostgresServer.shared.get()
            url = try server.database()
        }

        enum Old: Sendable, CaseIterable {
            /// Without a lock, on a database that a version with this schema made.
            case first, second
            /// With a lock.
            case registered
        }

        /// Makes a database that another version had before.
        private func prepare(_ old: Old) async throws {
            let first = try PostgresLinkStore(url: url)
            await first.close()
            let schema = old == .first ? 1 : 12
            try server.execute(
                """
                UPDATE waymark.migration SET applied_at = applied_at - interval '1 day' WHERE number <= \(schema)
                """, in: url)
        }

        /// A connection of the other version.
        private func connect(_ old: Old) throws -> Connection {
            let connection = try Connection(to: PostgresURL(url))
            let statement =
                old == .registered
                ? "SELECT 1 FROM pg_advisory_lock_shared(\(LockKey.level + 1)), pg_sleep(0)" : "SELECT 1"
            let deadline = Deadline.after(milliseconds: 60_000)
            _ = try connection.run(.init(sql: statement), by: deadline)
            _ = try connection.run(.init(sql: "SELECT 2"), by: deadline)
            return connection
        }

        private static func titled(_ slug: String) throws -> NewLink {
            var draft = try SampleLinks.draft(slug)
            draft.content.title = "Spring"
            return draft
        }

        private func pending(_ body: () async throws -> Void) async throws -> UpgradePending? {
            do {
                try await body()
                return nil
            } catch StoreError.upgradePending(let pending) {
                return pending
            }
        }

        @Test(arguments: [Old.first, .registered])
        func refusesWhatAConnectedServerCannotRead(old: Old) async throws {
            try await prepare(old)
            let connection = try connect(old)
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("plain"))
            let slug = try #require(Slug("renamed"))
            let found = try await pending { _ = try await store.create(Self.titled("a")) }
            #expect(found == UpgradePending(name: "title", version: "0.1", hosts: ["local"]))
            let renaming = try await pending {
                _ = try await store.rename(link.id, expecting: nil, to: slug, by: nil, at: SampleLinks.now)
            }
            #expect(renaming?.name == "slugs that a link had before")
            let patch = try await pending {
                let change = LinkChange(content: try Self.titled("a").content, metadata: .keep)
                _ = try await store.update(link.id, expecting: nil, to: change, at: SampleLinks.now)
            }
            #expect(patch?.name == "title")
            var application = try SampleLinks.application()
            application.need = FormatNeed(.v0_2, "onRoot")
            #expect(try await pending { _ = try await store.put(application, expecting: nil) { _ in true } } != nil)
            let key = StoredKey(
                id: "k", name: "k", digest: [1], application: nil, scopes: [.read], createdAt: SampleLinks.now)
            #expect(try await pending { _ = try await store.insert(key) }?.name == "the scope read")
            let person = Person(id: "p", name: "Ana", createdAt: SampleLinks.now)
            let addition = try await pending { _ = try await store.people.insert(person, inviting: nil) }
            #expect(addition?.name == "people")
            #expect(try await store.link(link.id) == link)
            connection.close()
            await store.close()
        }

        @Test func `clicks are written without rules beside a server that reads none`() async throws {
            try await prepare(.first)
            let connection = try connect(.first)
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("plain"))
            let day = SampleLinks.now.day
            func block(_ number: Int64) -> ClickBlock {
                let click = Click(
                    link: link.id, time: SampleLinks.now, kind: UserAgent.classify("curl/8"), destination: .web,
                    rule: ClickRule("B", isVariant: true))
                var writer = ClickBlockWriter([click.profile])
                writer.begin(day: day, salt: nil)
                writer.add(second: click.time.seconds, subscriber: 1, profile: 0)
                return ClickBlock(
                    key: ClickBlock.Key(link: link.id, day: day, number: number), bytes: writer.finish(),
                    tally: writer.takeTally())
            }
            try await store.clickRecords.append([block(1)])
            let stored = try await store.clickRecords.blocks(of: link.id, days: day...day, after: nil, limit: 9)
            #expect(stored.map(\.bytes) == [block(1).withoutRules.bytes] && stored.first?.need == nil)
            connection.close()
            await store.close()
        }

        @Test func writesEverythingBesideAServerThatReadsIt() async throws {
            try await prepare(.second)
            let connection = try connect(.second)
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            _ = try await store.added(Self.titled("a"))
            connection.close()
            await store.close()
        }

        @Test func writesEverythingBesideServersOfItsOwnVersion() async throws {
            try await prepare(.first)
            let stores = try (0..<2).map { _ in try PostgresLinkStore(url: url) }
            try await stores[0].addShop()
            for (index, store) in stores.enumerated() { _ = try await store.added(Self.titled("a\(index)")) }
            for store in stores { await store.close() }
        }

        @Test func opensByItselfAfterTheLastServerHasGone() async throws {
            try await prepare(.first)
            let connection = try connect(.first)
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            #expect(try await pending { _ = try await store.create(Self.titled("a")) } != nil)
            connection.close()
            let end = ContinuousClock.now + .seconds(60)
            while try await pending({ _ = try await store.create(Self.titled("a")) }) != nil {
                try #require(ContinuousClock.now < end)
                await Task.yield()
            }
            await store.close()
        }

        @Test func waitsForServersWhoseConnectionsBroke() {
            let servers = ConnectedServers()
            let need = FormatNeed(.v0_2, "title")
            let start = ContinuousClock.now
            servers.note([.init(process: 1, level: .v0_1, host: "local")], at: start)
            #expect(servers.pending(need) != nil)
            servers.note([], at: start + ConnectedServers.grace)
            #expect(servers.pending(need) != nil)
            #expect(!servers.areCurrent)
            servers.note([], at: start + ConnectedServers.grace + .milliseconds(1))
            #expect(servers.pending(need) == nil)
            #expect(servers.areCurrent)
        }
    }
#endif
