#if PostgreSQL
    import LinkStoreContract
    import Testing
    import WaymarkLinks
    import WaymarkStores
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    /// Slugs and aliases against programs that know no aliases.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct UniqueNameTests {
        private let server: PostgresServer
        private let url: String
        private let store: PostgresLinkStore

        init() throws {
            server = try PostgresServer.shared.get()
            url = try server.database()
            store = try PostgresLinkStore(url: url)
        }

        /// A link with the slug `new` and the alias `old`, and one with the slug `other`.
        private func addLinks() async throws -> (renamed: Link, other: Link) {
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("old"))
            let slug = try #require(Slug("new"))
            _ = try await store.rename(link.id, expecting: nil, to: slug, by: nil, at: SampleLinks.now)
            return (link, try await store.added(SampleLinks.draft("other")))
        }

        private static let copy = """
            INSERT INTO waymark.link (id, version, redeem_limit, redeemed, clicks, reserved, created_at, updated_at,
                application, host, has_metadata, slug, content)
            SELECT nextval('waymark.link_id'), 1, 0, 0, 0, 0, 0, 0, application, host, false, given.slug, content
            FROM waymark.link, (VALUES ('free'), ('old')) AS given (slug) WHERE link.slug = 'other'
            """

        @Test(arguments: [
            copy, "UPDATE waymark.link SET slug = 'old' WHERE slug = 'other'",
            "INSERT INTO waymark.link_alias SELECT 'other', host, id FROM waymark.link WHERE slug = 'new'",
            "UPDATE waymark.link_alias SET slug = 'other'",
        ])
        func refusesAnAddressOfTwoLinksWhateverProgramWrites(statement: String) async throws {
            let (renamed, other) = try await addLinks()
            // Not 23505: earlier versions answer it by repeating the whole group of writes.
            #expect(throws: PostgresFailure.refusedName) { try server.execute(statement, in: url) }
            #expect(try await store.link(renamed.domain, renamed.slug)?.id == renamed.id)
            #expect(try await store.link(other.domain, other.slug)?.id == other.id)
            #expect(try await store.list(LinkListing()).links.count == 2)
            await store.close()
        }

        @Test func makesACreationWaitForAnAliasThatIsBeingAdded() async throws {
            let (renamed, _) = try await addLinks()
            let adding = try Connection(to: PostgresURL(url))
            let deadline = Deadline.after(milliseconds: 60_000)
            _ = try adding.exchange(
                [
                    .init(sql: "BEGIN"),
                    .init(
                        sql:
                            "INSERT INTO waymark.link_alias SELECT 'soon', host, id FROM waymark.link WHERE slug = 'new'"
                    ),
                ], by: deadline)
            // The store finds the slug free; the database makes it wait, and refuses it then.
            let draft = try SampleLinks.draft("soon")
            async let created = store.create(draft)
            while try server.execute("SELECT count(*) FROM pg_locks WHERE NOT granted", in: url) == [0] {
                await Task.yield()
            }
            _ = try adding.run(.init(sql: "COMMIT"), by: deadline)
            #expect(try await created == .slugTaken)
            #expect(try await store.link(draft.domain, draft.storedSlug)?.id == renamed.id)
            adding.close()
            await store.close()
        }

        @Test func freesTheAliasesOfALinkThatAnotherProgramDeletes() async throws {
            let (renamed, _) = try await addLinks()
            try server.execute("DELETE FROM waymark.link WHERE slug = 'new'", in: url)
            #expect(try server.execute("SELECT count(*) FROM waymark.link_alias", in: url) == [0])
            #expect(try await store.added(SampleLinks.draft("old")).id != renamed.id)
            await store.close()
        }

        @Test func repairsAnAddressOfTwoLinks() async throws {
            let (renamed, other) = try await addLinks()
            for statement in [
                "ALTER TABLE waymark.link DISABLE TRIGGER check_changed_slug",
                "UPDATE waymark.link SET slug = 'old' WHERE slug = 'other'",
                "INSERT INTO waymark.link_alias SELECT 'lost', host, 4711 FROM waymark.link WHERE slug = 'old'",
                "ALTER TABLE waymark.link ENABLE TRIGGER check_changed_slug",
            ] { try server.execute(statement, in: url) }
            let archive = try PostgresArchive(url: url, migrates: false)
            let clash = AliasClash(domain: renamed.domain, slug: renamed.slug, owner: renamed.id, taker: other.id)
            #expect(try archive.aliasClashes(limit: 9) == [clash])
            #expect(try archive.removeOrphanedAliases() == 1)
            let slug = try #require(try archive.freeSlug(after: clash))
            #expect(slug.text == "old-2")
            try archive.move(clash, to: slug, at: SampleLinks.now)
            #expect(try archive.aliasClashes(limit: 9) == [])
            archive.close()
            #expect(try await store.link(renamed.domain, renamed.slug)?.id == renamed.id)
            #expect(try await store.link(renamed.domain, slug)?.id == other.id)
            #expect(try await store.history(of: other.id).map(\.fields) == [["slug"]])
            await store.close()
        }
    }

    extension PostgresFailure {
        /// Of the triggers on names.
        fileprivate static var refusedName: PostgresFailure { PostgresFailure(state: "23P01") }
    }
#endif
