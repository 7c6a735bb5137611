#if PostgreSQL
    import Foundation
    import LinkStoreContract
    import WaymarkTestSupport
    import SealingTestSupport
    import Testing
    import WaymarkArchive
    import WaymarkStores
    import WaymarkLinks
    import WaymarkService
    import WaymarkSQLite
    import WaymarkTLS

    @testable import WaymarkPostgres

    /// Whole databases of PostgreSQL: written down, moved to SQLite and back, checked, their metadata sealed anew.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct PostgresArchiveTests {
        private let url: String
        private let folder: String

        init() throws {
            url = try PostgresServer.shared.get().database()
            folder = NSTemporaryDirectory() + "/waymark-archive-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        /// A store with something of everything, and a link deleted last.
        private func fill(_ url: String, keys: MetadataKeys = .none, links: Int = 30) async throws {
            let store = try PostgresLinkStore(url: url)
            #expect(try await store.use(keys) == nil)
            try await store.addShop(domains: ["go.example.com", "links.example.com"])
            try await store.insert(
                StoredKey(
                    id: "k", name: "Ana\n", digest: Array(repeating: 1, count: 32), application: try SampleLinks.shop(),
                    scopes: [.create], createdAt: SampleLinks.now))
            _ = try await store.secret("click-id") { [1, 2, 3] }
            var drafts = [try SampleLinks.draft("gift", metadata: "{\"coupon\": 1.50}", redeemLimit: 3, maxClicks: 100)]
            for number in 0..<links {
                var draft = try SampleLinks.draft("fill\(number)", metadata: number % 2 == 0 ? "{}" : nil)
                draft.content.tags = ["tag\(number % 3)", "a\u{0}b"]
                drafts.append(draft)
            }
            drafts.append(try SampleLinks.draft("once", identity: [1, 2, 3]))
            drafts.append(try SampleLinks.draft("gone"))
            _ = try await store.create(drafts, idempotency: nil)
            let links = try await store.list(LinkListing(limit: 1)).links
            let gift = try #require(try await store.link(LinkID(rawValue: 1)))
            _ = try await store.redeem(gift.id, key: "a")
            try await store.addClicks([gift.id: 9])
            _ = try await store.reserveClicks(gift.id, upTo: 20)
            _ = try await store.record(
                [
                    AppEvent(
                        digest: [5], kind: .open, link: gift.id, application: nil,
                        expiresAt: Timestamp(rawValue: SampleLinks.now.rawValue + 9))
                ], at: SampleLinks.now)
            try await store.append(
                (0..<700).map { number in
                    let time = Timestamp(seconds: Int64(20_700 + number % 4) * Timestamp.secondsOfDay)
                    let click = Click(
                        link: LinkID(rawValue: Int64(number % 9 + 1)), time: time, kind: UserAgent.classify(""),
                        destination: .web, campaign: Click.Name("a\u{0}b"))
                    return ClickBatch([click]).blocks(salts: [:]) { Int64(number) }[0].block
                })
            let domains = try ["go.example.com", "links.example.com"].map { try #require(HostName($0)) }
            let numbers = try await store.longLinkNumbers(of: SampleLinks.shop(), on: domains)
            let second = Timestamp(seconds: 20_700 * Timestamp.secondsOfDay)
            try await store.append(
                ClickBatch(
                    numbers.values.map {
                        Click(link: $0, time: second, kind: UserAgent.classify(""), destination: .web)
                    }
                ).blocks(salts: [:], number: { 4711 }).map(\.block))
            try await store.addActivity(
                (0..<600).map { number in
                    DailyActivity(
                        link: LinkID(rawValue: Int64(number % 2 + 1)), day: 20_000 + number,
                        counts: LinkActivity(opens: number, resolves: .max, claims: 1, androidInstalls: 3))
                })
            try await addConversions(store)
            let secret = Webhook.Secret(key: [UInt8](repeating: 1, count: 32), of: "wh_1", sealedWith: keys)
            let webhook = Webhook(
                id: "wh_1", application: try SampleLinks.shop(), url: "https://example.com/", name: "a\u{0}b",
                events: ["app.*"], secrets: [secret], createdAt: SampleLinks.now)
            #expect(try await store.insert(webhook, limit: 1))
            let newest = try #require(links.first)
            #expect(newest.slug.text == "gone")
            #expect(try await store.delete(newest.id, expecting: nil) == .deleted)
            await store.close()
        }

        /// More than a page.
        private func addConversions(_ store: PostgresLinkStore) async throws {
            let names = ["a", "Z", "~", "\u{1F600}"]
            let conversions = (0..<600).map { (number: Int) -> Conversion in
                let day = Int64(20_000 + number)
                let amount = Money(whole: Int64(number) - 300, micros: 500_000, scale: 1)
                return Conversion(
                    digest: [6, UInt8(number / 256), UInt8(number % 256)], id: "\(number)", name: names[number % 4],
                    at: Timestamp(seconds: day * Timestamp.secondsOfDay),
                    link: LinkID(rawValue: Int64(number % 2 + 1)), application: nil, value: (amount, "EUR"),
                    expiresAt: SampleLinks.now)
            }
            #expect(try await store.record(conversions, at: SampleLinks.now).count == 600)
        }

        private static func entries(_ archive: any StoreArchive) throws -> [ArchiveEntry] {
            try archive.beginReading()
            defer { archive.endReading() }
            var all: [ArchiveEntry] = []
            var entries = StoreEntries(archive)
            while let entry = try entries.next() { all.append(entry) }
            return all
        }

        private func move(_ old: any StoreArchive, to new: any StoreArchive, keys: MetadataKeys = .none) throws {
            try old.beginReading()
            let work = StoreImport(into: new, keys: keys, source: "a database")
            var entries = StoreEntries(old)
            try work.run {
                try entries.next()
            } progress: { _ in
            }
            entries = StoreEntries(old)
            try work.verify {
                try entries.next()
            } progress: { _ in
            }
            old.endReading()
        }

        private func problems(_ archive: any StoreArchive, keys: MetadataKeys = .none) throws -> [String] {
            try StoreCheck(archive, keys: keys) { _ in
                [HostName("go.example.com"), HostName("links.example.com")].compactMap(\.self)
            } isObject: {
                $0.first == UInt8(ascii: "{")
            }.run { _ in }.problems
        }

        @Test func movesToSQLiteAndBackAsItWas() async throws {
            try await fill(url, links: 1_200)
            let old = try PostgresArchive(url: url, migrates: false)
            let before = try Self.entries(old)
            #expect(before.count == 3_722, "1,202 links, 608 others, 702 blocks, 600 days, 600 conversions, 10 totals")
            #expect(try problems(old).isEmpty)
            let file = try SQLiteArchive(path: folder + "/links", mode: .alone)
            try move(old, to: file)
            #expect(try Self.entries(file) == before)
            #expect(try problems(file).isEmpty)
            let other = try PostgresServer.shared.get().database()
            let new = try PostgresArchive(url: other, migrates: true)
            try move(file, to: new)
            #expect(try Self.entries(new) == before)
            #expect(try problems(new).isEmpty)
            for archive in [old, file, new] as [any StoreArchive] { archive.close() }

            let store = try PostgresLinkStore(url: other)
            let last = try #require(try await store.list(LinkListing(limit: 1)).links.first)
            let link = try await store.added(SampleLinks.draft("new"))
            #expect(link.id.rawValue > last.id.rawValue + 1, "the deleted link's id is not given again")
            #expect(try await store.list(LinkListing(tag: "a\u{0}b", limit: 200)).links.count == 200)
            #expect(try await store.use(of: SampleLinks.shop()).links == 1_203)
            #expect(try await store.redeem(LinkID(rawValue: 1))?.used == 2)
            await store.close()
        }

        @Test func refusesWhatIsNotEmptyAndASecondImport() async throws {
            try await fill(url)
            let archive = try PostgresArchive(url: url, migrates: true)
            let before = try Self.entries(archive)
            #expect(throws: ArchiveFailure.self) {
                try StoreImport(into: archive, keys: .none, source: "x").run(from: { nil }) { _ in }
            }
            #expect(throws: StoreError.unavailable("somebody else imports into the same database")) {
                try archive.add([.lastID(1)], progress: StoredSecret(name: "import", value: [1]), expecting: [2])
            }
            #expect(try Self.entries(archive) == before)
            archive.close()
        }

        @Test func isReadAtOneMomentWhileServersWrite() async throws {
            try await fill(url, links: 700)
            let archive = try PostgresArchive(url: url, migrates: false)
            let before = try Self.entries(archive)
            let store = try PostgresLinkStore(url: url)
            try archive.beginReading()
            var during: [ArchiveEntry] = []
            var entries = StoreEntries(archive)
            while let entry = try entries.next() {
                during.append(entry)
                if during.count % 300 == 0 {
                    _ = try await store.added(SampleLinks.draft("later\(during.count)"))
                    _ = try await store.redeem(LinkID(rawValue: 1))
                }
            }
            archive.endReading()
            #expect(during == before)
            archive.close()
            await store.close()
        }

        @Test func sealsMetadataAnewWhileAServerUsesIt() async throws {
            let first = try SealingKeys.keys(["a"])
            let both = try SealingKeys.keys(["b", "a"])
            try await fill(url, keys: first, links: 800)
            let store = try PostgresLinkStore(url: url)
            #expect(try await store.use(SealingKeys.keys(["b"])) != nil)
            #expect(try await store.use(both) == nil)
            let archive = try PostgresArchive(url: url, migrates: false)
            #expect(throws: ArchiveFailure.self) {
                try KeyRotation(archive, keys: SealingKeys.keys(["b"])).run { _ in
                } pause: {
                }
            }
            let redeeming = Task {
                for number in 0..<50 { _ = try await store.redeem(LinkID(rawValue: 1), key: "r\(number)") }
            }
            let report = try KeyRotation(archive, keys: both).run { _ in
            } pause: {
            }
            try await redeeming.value
            #expect(report.resealed == 401 && report.released.map(\.text) == ["a"])
            #expect(
                try archive.metadata(after: nil, limit: 1_000).allSatisfy { SealedMetadata($0.bytes)?.key.text == "b" })
            #expect(try await store.use(SealingKeys.keys(["b"])) == nil)
            #expect(try await store.metadata(of: LinkID(rawValue: 1)) == Array("{\"coupon\": 1.50}".utf8))
            #expect(try await store.link(LinkID(rawValue: 1))?.redeemed == 3)
            #expect(try problems(archive, keys: SealingKeys.keys(["b"])).isEmpty)
            archive.close()
            await store.close()
        }

        @Test(arguments: [
            ("UPDATE waymark.link SET redeem_limit = 9 WHERE slug = 'gift'", "redeem limit"),
            ("UPDATE waymark.link SET redeemed = 4 WHERE slug = 'gift'", "4 redeems were taken of 3"),
            ("UPDATE waymark.link SET content = '\\x01ff' WHERE slug = 'gift'", "damaged"),
            ("DELETE FROM waymark.link_metadata WHERE link = 1", "metadata is missing"),
            ("DELETE FROM waymark.link_tag WHERE link = 2", "is not found by its tag"),
            ("INSERT INTO waymark.link_tag VALUES ('x', 4711)", "belong to links that do not exist"),
            ("INSERT INTO waymark.link_activity VALUES (4711, 1, 1, 0, 0, 0, 0, 0, 0)", "1 rows of activity"),
            ("UPDATE waymark.link_activity SET opens = -1 WHERE day = 20001", "a count is negative"),
            ("UPDATE waymark.link_activity SET day = -1 WHERE day = 20001", "its day is -1"),
            ("UPDATE waymark.application_use SET links = links + 1", "are counted on"),
            ("UPDATE waymark.long_link SET number = -number", "which may be a link"),
            ("DELETE FROM waymark.long_link", ""),
            ("SELECT setval('waymark.link_id', 1)", ""),
            ("UPDATE waymark.idempotency SET answer = '\\x09' WHERE kind = 2", "is damaged"),
        ])
        func findsWhatMustNotBe(change: String, problem: String) async throws {
            try await fill(url)
            try PostgresServer.shared.get().execute(change, in: url)
            let archive = try PostgresArchive(url: url, migrates: false)
            let problems = try problems(archive)
            #expect(problem.isEmpty ? problems.isEmpty : problems.contains { $0.contains(problem) }, "\(problems)")
            archive.close()
        }

        @Test func opensNoDatabaseThatNoServerHasMade() throws {
            #expect(throws: StoreError.self) { try PostgresArchive(url: url, migrates: false) }
        }

        @Test func takesNoRedeemWhereTheMetadataDoesNotOpenAndHarmsNoOther() async throws {
            try await fill(url, keys: SealingKeys.keys(["a"]))
            let store = try PostgresLinkStore(url: url)
            let before = try #require(try await store.link(LinkID(rawValue: 1)))
            let other = try await store.added(SampleLinks.draft("other", metadata: "{}", redeemLimit: 50))
            // Many in one transaction, of which some fail.
            let outcomes = try await SampleLinks.all(
                (0..<40).map { number in
                    { @Sendable in
                        do {
                            return try await store.redeem(number % 2 == 0 ? LinkID(rawValue: 1) : other.id) != nil
                        } catch let error as StoreError {
                            #expect(
                                error
                                    == .unavailable(
                                        "the metadata key \"a\" is missing, with which the stored metadata of a link was sealed"
                                    )
                            )
                            return false
                        }
                    }
                })
            #expect(outcomes.filter { $0 }.count == 20)
            #expect(try await store.link(LinkID(rawValue: 1)) == before)
            #expect(try await store.link(other.id)?.redeemed == 20)
            await store.close()
        }
    }
#endif
