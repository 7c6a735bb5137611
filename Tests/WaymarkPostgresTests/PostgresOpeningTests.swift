#if PostgreSQL
    import Dispatch
    import WaymarkTestSupport
    import Testing
    import WaymarkStores
    import WaymarkLinks

    @testable import WaymarkPostgres

    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
    struct PostgresOpeningTests {
        /// Opens on a thread of its own, because opening blocks.
        private func open(_ url: String) async -> Result<PostgresLinkStore, StoreError> {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "opening").async {
                    continuation.resume(
                        returning: Result { () throws(StoreError) in try PostgresLinkStore(url: url) })
                }
            }
        }

        private func refusal(of url: String) async -> StoreError? {
            switch await open(url) {
            case .success(let store):
                await store.close()
                return nil
            case .failure(let error): return error
            }
        }

        @Test func letsServersThatStartAtOnceMakeTheTablesOnce() async throws {
            let server = try PostgresServer.shared.get()
            let url = try server.database()
            let stores = await withTaskGroup(of: Result<PostgresLinkStore, StoreError>.self) { group in
                for _ in 0..<4 { group.addTask { await open(url) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(try server.execute("SELECT count(*) FROM waymark.migration", in: url) == [Int64(Schema.version)])
            for store in stores { await (try store.get()).close() }
            #expect(await refusal(of: url) == nil)
        }

        @Test func opensADatabaseOfTheFirstVersion() async throws {
            let server = try PostgresServer.shared.get()
            let url = try server.database()
            for statement in Schema.migrations[0] { try server.execute(statement, in: url) }
            try server.execute("INSERT INTO waymark.migration (number) VALUES (1)", in: url)
            let store = try await open(url).get()
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            try await store.addClicks(
                [link.id: 1], as: WriteID(writer: [1], batch: 1, expiresAt: SampleLinks.now))
            #expect(try await store.link(link.id)?.clicks == 1)
            await store.close()
        }

        @Test func leavesTablesOfANewerVersionAlone() async throws {
            let server = try PostgresServer.shared.get()
            let url = try server.database()
            #expect(await refusal(of: url) == nil)
            try server.execute("INSERT INTO waymark.migration (number) VALUES (999)", in: url)
            #expect(
                await refusal(of: url)
                    == .corrupt(
                        "PostgreSQL at \(server.folder):5432: the database was made by a newer version of this program")
            )
        }

        @Test func leavesAnotherProgramsSchemaAlone() async throws {
            let server = try PostgresServer.shared.get()
            let url = try server.database()
            try server.execute("CREATE SCHEMA waymark CREATE TABLE mine (value int)", in: url)
            guard case .corrupt? = await refusal(of: url) else {
                Issue.record("the schema belongs to another program")
                return
            }
            #expect(
                try server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'waymark'", in: url) == [1])
        }

        @Test func takesASchemaThatAnAdministratorHasMade() async throws {
            let server = try PostgresServer.shared.get()
            let url = try server.database()
            try server.execute("CREATE SCHEMA waymark", in: url)
            #expect(await refusal(of: url) == nil)
        }

        /// Each with the password that must not come out.
        @Test(arguments: [
            "postgres://waymark:s3cret@", "postgres://waymark:s3cret@[::1/x", "postgres://waymark:s3cret@host:port/x",
            "postgres://waymark:s3cret@127.0.0.1:1/x", "postgres://waymark:s3cret@no-such-host.invalid/x",
            "postgres://waymark:s3cret@127.0.0.1/x?s3cret=1", "postgres://waymark@/x?sslmode=s3cret",
            "postgresql:s3cret", "mysql://waymark:s3cret@host/x", "postgres://waymark:s3%0ret@host/x",
        ])
        func saysNoSecretWhereItCanNotOpen(url: String) async throws {
            let error = try #require(await refusal(of: url))
            guard case .unavailable(let sentence) = error else {
                Issue.record("it may come back: \(error)")
                return
            }
            #expect(!sentence.contains("s3cret"))
            #expect(!sentence.contains("\n"))
        }

        @Test func saysWhatIsWrong() async throws {
            let server = try PostgresServer.shared.get()
            let location = "PostgreSQL at \(server.folder):5432: "
            #expect(
                await refusal(of: server.url(of: "nothing")) == .unavailable(location + "there is no such database"))
            #expect(
                await refusal(of: "postgres://nobody@/postgres?host=\(server.folder)")
                    == .unavailable(location + "the database refuses the user or the password"))
            #expect(
                await refusal(of: "postgres://waymark@/postgres?host=/tmp/no-such-folder")
                    == .unavailable("PostgreSQL at /tmp/no-such-folder:5432: the database refuses connections"))
        }

        @Test func writesThroughToTheDiskWhateverTheDatabaseSays() async throws {
            let server = try PostgresServer.shared.get()
            let url = try server.database()
            let name = try #require(
                url.split(separator: "/").dropFirst(1).compactMap { $0.split(separator: "?").first }
                    .first { $0.hasPrefix("test") })
            try server.execute("ALTER DATABASE \(name) SET synchronous_commit = off")
            let store = try await open(url).get()
            let isOn = try await store.readListing { connection, deadline in
                try connection.run(.init(sql: "SELECT current_setting('synchronous_commit') = 'on'"), by: deadline)
                    .number(0, 0)
            }
            #expect(isOn == 1)
            await store.close()
        }

        @Test func printsNoPassword() throws {
            let url = try PostgresURL("postgres://waymark:s3cret@db.example.com/links?sslmode=verify-full")
            var dumped = ""
            dump(url, to: &dumped)
            for text in ["\(url)", String(reflecting: url), dumped] { #expect(!text.contains("s3cret")) }
            #expect(url.location == "PostgreSQL at db.example.com:5432")
        }
    }
#endif
