#if PostgreSQL
    import Foundation
    import LinkStoreContract
    import Logging
    import SealingTestSupport
    import Synchronization
    import Testing
    import WaymarkArchive
    @testable import WaymarkService
    import WaymarkLinks
    import WaymarkSQLite
    import WaymarkStores
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    /// What `waymark check` finds in PostgreSQL, and what mends it; clicks that are older than totals.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct PostgresDamageTests {
        private let url: String

        init() throws { url = try PostgresServer.shared.get().database() }

        private static func clicks(_ numbers: Range<Int>) -> [ClickBlock] {
            numbers.map { number in
                let time = Timestamp(seconds: Int64(20_700 + number % 4) * Timestamp.secondsOfDay)
                let click = Click(
                    link: LinkID(rawValue: Int64(number % 9 + 1)), time: time, kind: UserAgent.classify(""),
                    destination: .web, campaign: Click.Name("autumn"))
                return ClickBatch([click]).blocks(salts: [:]) { Int64(number) }[0].block
            }
        }

        /// A store whose links are indexed.
        private func fill() async throws {
            let store = try PostgresLinkStore(url: url)
            try await store.addShop(domains: ["go.example.com", "links.example.com"])
            var drafts: [NewLink] = []
            for number in 0..<30 {
                var draft = try SampleLinks.draft("fill\(number)")
                draft.content.tags = ["tag\(number % 3)"]
                draft.content.expiresAt = SampleLinks.now.advanced(byMilliseconds: 60_000)
                drafts.append(draft)
            }
            _ = try await store.create(drafts, idempotency: nil)
            let first = LinkID(rawValue: 1)
            try await store.addClicks([first: 9])
            try await store.append(Self.clicks(0..<40))
            while try await store.mergeTotals(before: .max, limit: 9) > 0 {}
            // These are totals of a share.
            try await store.append(Self.clicks(40..<70))
            _ = try await store.rename(
                first, expecting: nil, to: #require(Slug("renamed")), by: nil, at: SampleLinks.now)
            _ = try await store.record(
                [
                    Conversion(
                        digest: [6], id: "1", name: "sale", at: SampleLinks.now, link: first, application: nil,
                        value: (Money(whole: 3, micros: 500_000, scale: 1), "EUR"), expiresAt: SampleLinks.now)
                ], at: SampleLinks.now)
            let secret = Webhook.Secret(key: [UInt8](repeating: 1, count: 32), of: "wh_1", sealedWith: .none)
            let webhook = Webhook(
                id: "wh_1", application: try SampleLinks.shop(), url: "https://example.com/", name: nil,
                events: ["app.*"], secrets: [secret], createdAt: SampleLinks.now)
            #expect(try await store.insert(webhook, limit: 1))
            await store.close()
            try await index()
        }

        private func index() async throws {
            let store = try PostgresLinkStore(url: url)
            while try await store.updateIndexes(all: true) {}
            await store.close()
        }

        private func archive<Value>(_ body: (PostgresArchive) throws -> Value) throws -> Value {
            let archive = try PostgresArchive(url: url, migrates: false)
            defer { archive.close() }
            return try body(archive)
        }

        private func check() throws -> StoreCheck.Report {
            try archive { archive in
                try StoreCheck(archive, keys: .none) { _ in
                    [HostName("go.example.com"), HostName("links.example.com")].compactMap(\.self)
                } isObject: { _ in
                    true
                }.run { _ in }
            }
        }

        static let damages: [(change: String, problem: String, mending: Mending)] = [
            ("DELETE FROM waymark.click_total_link", "are not what their records say", .rebuildTotals),
            ("DELETE FROM waymark.click_total WHERE quarter / 96 = 20701", "quarters of an hour", .rebuildTotals),
            (
                "UPDATE waymark.click_total SET bytes = '\\x01' WHERE quarter / 96 = 20701", "are damaged",
                .rebuildTotals
            ),
            (
                "INSERT INTO waymark.click_total SELECT application, quarter + 1, bytes FROM waymark.click_total",
                "quarters of an hour", .rebuildTotals
            ),
            ("DELETE FROM waymark.click_total_link_share", "are not what their records say", .rebuildTotals),
            ("DELETE FROM waymark.click_total_share WHERE quarter / 96 = 20701", "quarters of an hour", .rebuildTotals),
            ("UPDATE waymark.click_total_link_share SET bytes = '\\x02'", "are damaged", .rebuildTotals),
            (
                "UPDATE waymark.click_total_share SET bytes = '\\x01' WHERE quarter / 96 = 20701", "are damaged",
                .rebuildTotals
            ),
            (
                "INSERT INTO waymark.click_total_share SELECT application, quarter, 9, bytes FROM waymark.click_total",
                "quarters of an hour", .rebuildTotals
            ),
            ("DELETE FROM waymark.search_leaf", "each of its words", .rebuildSearch),
            ("DELETE FROM waymark.search_part", "each of its words", .rebuildSearch),
            ("DELETE FROM waymark.search_state", "search_state has 0 rows", .rebuildSearch),
            ("UPDATE waymark.search_leaf SET bytes = '\\x0001'", "index of the link search is damaged", .rebuildSearch),
            ("DELETE FROM waymark.link_expiry", "is not in the index of expiries", .rebuildSearch),
            ("UPDATE waymark.click_order SET clicks = clicks + 1000", "in the order by clicks", .rebuildSearch),
            ("DELETE FROM waymark.link_change", "its history lacks its last change", .restore),
            ("UPDATE waymark.conversion SET count = -5", "their count is -5", .restore),
            ("UPDATE waymark.webhook SET document = '\\x00'", "the webhook wh_1 can't be read", .deleteEndpoint),
            ("INSERT INTO waymark.outbox (event) VALUES ('\\x00')", "the event 1 can't be read", .restore),
            ("INSERT INTO waymark.message VALUES (1, 'm', 200, 1, '\\x7B7D')", "the message 1 can't be read", .restore),
            (
                "INSERT INTO waymark.webhook_delivery VALUES (1, 1, 9, 1, 0, '', 0, 0, 0)",
                "the delivery of the message",
                .restore
            ),
            ("INSERT INTO waymark.unknown_visit VALUES (1, 20700, '\\x02')", "visits of unknown addresses", .restore),
            ("INSERT INTO waymark.document VALUES ('certificate/x', 0, '\\x7B7D')", "certificate/x", .restore),
            (
                """
                INSERT INTO waymark.click_note (at, clicks, first, last, blocks, links)
                VALUES (0, 0, '', '', '\\x07', '')
                """, "click_note 1, which", .restore
            ),
            ("INSERT INTO waymark.click_leftover VALUES (1)", "its clicks are to be deleted", .restore),
        ]

        @Test(arguments: damages)
        func findsDamageAndNamesWhatMendsIt(change: String, problem: String, mending: Mending) async throws {
            try await fill()
            #expect(try check().problems == [])
            try PostgresServer.shared.get().execute(change, in: url)
            let report = try check()
            #expect(report.problems.contains { $0.contains(problem) }, "\(report.problems)")
            #expect(report.mendings.contains(mending), "\(report.problems)")
            switch mending {
            case .rebuildTotals: _ = try archive { try TotalsRebuilding($0).run() }
            case .rebuildSearch:
                try archive { try $0.discardSearchIndex() }
                try await index()
            case .deleteEndpoint:
                let store = try PostgresLinkStore(url: url)
                #expect(try await store.webhooks.deleteWebhook("wh_1"))
                await store.close()
            case .repairAliases, .restore: return
            }
            #expect(try check().problems == [])
        }

        @Test func coversEachTable() async throws {
            try await fill()
            let tables = try archive { try $0.tables() }
            // Counts of clicks are columns of the links, and rows of totals stay as they were written.
            #expect(Set(CheckedTable.all.map(\.name)) == Set(tables + ["click_count", "click_total_day"]))
            #expect(Schema.version == SQLiteLinkStore.schemaVersion)
        }

        @Test func countsEarlierClicksOnOneServer() async throws {
            try await fill()
            let before = try archive { archive in
                (try archive.totals(after: nil, limit: 999), try archive.linkTotals(after: nil, limit: 999))
            }
            for statement in [
                "DELETE FROM waymark.click_total", "DELETE FROM waymark.click_total_link",
                "INSERT INTO waymark.click_total_start (day) VALUES (20704)",
            ] { try PostgresServer.shared.get().execute(statement, in: url) }
            let stores = try [PostgresLinkStore(url: url), PostgresLinkStore(url: url)]
            let counters = stores.map { store in
                EarlierClickCounter(
                    store,
                    ServiceDependencies(
                        now: { Timestamp(seconds: 20_800 * Timestamp.secondsOfDay) },
                        randomBytes: { _ in [UInt8(truncatingIfNeeded: ObjectIdentifier(store).hashValue)] },
                        sha256: { $0 }), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            }
            #expect(try await stores[0].holdsDispatch())
            try await counters[1].run { true }
            #expect(try await stores[1].earlierClicks() == EarlierClicks(start: 20_704, counted: nil))
            try await counters[0].run { true }
            #expect(try await stores[1].earlierClicks() == nil)
            for store in stores { await store.close() }
            let after = try archive { archive in
                (try archive.totals(after: nil, limit: 999), try archive.linkTotals(after: nil, limit: 999))
            }
            #expect(after.0 == before.0 && after.1 == before.1)
            #expect(try check().problems == [])
        }

        @Test func reportsAMigration() throws {
            let server = try PostgresServer.shared.get()
            for statement in Schema.migrations[0] { try server.execute(statement, in: url) }
            try server.execute("INSERT INTO waymark.migration (number) VALUES (1)", in: url)
            var sentences: [String] = []
            let archive = try PostgresArchive(url: url, migrates: true) { change in
                if let sentence = change.sentence { sentences.append(sentence) }
            }
            archive.close()
            #expect(sentences.count == 2 && sentences.allSatisfy { $0.hasPrefix("schema 1 -> \(Schema.version)") })
        }
    }
#endif
