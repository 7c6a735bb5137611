import Foundation
import SealingTestSupport
import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// What `waymark check` finds, and what mends it.
@Suite struct DamageTests {
    private let fixtures: StoreFixtures
    private let path: String

    init() throws {
        fixtures = try StoreFixtures()
        path = fixtures.path("one")
    }

    /// A store with everything, whose links are indexed.
    private func fill() async throws {
        try await fixtures.fill("one", links: 40)
        try await index()
    }

    private func index() async throws {
        let store = try SQLiteLinkStore(path: path)
        while try await store.updateIndexes(all: true) {}
        await store.close()
    }

    /// The first words of the leaves of the index.
    private func leaves() throws -> [[UInt8]] {
        try archive(.reading) { archive in
            var leaves: [[UInt8]] = []
            for part in try archive.searchState().parts {
                try archive.searchLeaves(of: part) { first, _ in leaves.append(first) }
            }
            return leaves
        }
    }

    private func archive<Value>(_ mode: SQLiteArchive.Mode, _ body: (SQLiteArchive) throws -> Value) throws -> Value {
        let archive = try SQLiteArchive(path: path, mode: mode)
        defer { archive.close() }
        return try body(archive)
    }

    private static let noClicks = ClickTotal().encoded.map { String(format: "%02X", $0) }.joined()

    static let damages: [(change: String, problem: String, mending: Mending)] = [
        ("DELETE FROM click_total_link", "the totals of 4 links", .rebuildTotals),
        ("DELETE FROM click_total_link WHERE day = 20701", "clicks on 2026-09-05", .rebuildTotals),
        (
            "UPDATE click_total_link SET bytes = x'01000500' WHERE day = 20701", "are not what their records",
            .rebuildTotals
        ),
        ("UPDATE click_total_link SET bytes = x'09' WHERE day = 20702", "are damaged", .rebuildTotals),
        (
            "INSERT INTO click_total_link SELECT 20704, page, bytes FROM click_total_link WHERE day = 20702",
            "clicks on 2026-09-08", .rebuildTotals
        ),
        ("DELETE FROM click_total WHERE quarter / 96 = 20702", "quarters of an hour", .rebuildTotals),
        ("DELETE FROM click_total WHERE quarter / 96 = 20700", "quarters of an hour", .rebuildTotals),
        (
            "UPDATE click_total SET bytes = x'\(noClicks)' WHERE quarter / 96 = 20701", "quarters of an hour",
            .rebuildTotals
        ),
        ("UPDATE click_total SET bytes = x'01' WHERE quarter / 96 = 20701", "are damaged", .rebuildTotals),
        (
            "INSERT INTO click_total SELECT application, quarter + 1, bytes FROM click_total", "quarters of an hour",
            .rebuildTotals
        ),
        ("DELETE FROM click_block WHERE day = 20701", "are not what their records say", .rebuildTotals),
        ("INSERT INTO click_total_start (day) VALUES (1), (2)", "has 2 rows", .rebuildTotals),
        ("INSERT INTO click_summary VALUES (0, 20700, -1, x'07')", "the summary of clicks", .rebuildTotals),
        (
            "DELETE FROM search_leaf WHERE first = (SELECT min(first) FROM search_leaf)", "each of its words",
            .rebuildSearch
        ),
        ("DELETE FROM search_part", "each of its words", .rebuildSearch),
        ("DELETE FROM search_state", "search_state has 0 rows", .rebuildSearch),
        ("UPDATE search_leaf SET bytes = x'0001'", "the index of the link search is damaged", .rebuildSearch),
        ("DELETE FROM link_expiry", "is not in the index of expiries", .rebuildSearch),
        ("UPDATE click_order SET clicks = clicks + 1000", "more clicks in the order by clicks", .rebuildSearch),
        ("DELETE FROM link_change WHERE fields = 'slug'", "its history lacks its last change", .restore),
        ("UPDATE link_change SET version = version + 1", "which it has not had", .restore),
        (
            "UPDATE link_change SET slug = 'a', content = x'FF' WHERE fields = 'slug'",
            "its history has values that can't be read", .restore
        ),
        ("UPDATE conversion SET count = -5", "their count is -5", .restore),
        ("UPDATE conversion SET micros = -1", "their sum is no decimal", .restore),
        ("UPDATE conversion SET scale = 7", "their sum is no decimal", .restore),
        ("UPDATE conversion SET day = -day", "the day is not possible", .restore),
        ("UPDATE webhook SET document = x'00' WHERE id = 'wh_2'", "the webhook wh_2 can't be read", .deleteEndpoint),
        ("UPDATE webhook SET types = types - 1 WHERE id = 'wh_1'", "other types of events", .deleteEndpoint),
        (
            "INSERT INTO link_verification SELECT id, version, 0, NULL, 1, 0, 0, x'FF' FROM link LIMIT 1",
            "the verification of the link", .restore
        ),
        ("INSERT INTO outbox (event) VALUES (x'00')", "the event 1 can't be read", .restore),
        ("INSERT INTO message VALUES (1, 'm', 200, 1, x'7B7D')", "the message 1 can't be read", .restore),
        (
            "INSERT INTO webhook_delivery VALUES (1, 1, 9, 1, 0, x'', 0, 0, 0)", "the delivery of the message 1",
            .restore
        ),
        (
            "INSERT INTO webhook_delivery VALUES (1, 1, 0, 1, 0, x'00', 0, 0, 0)", "the delivery of the message 1",
            .restore
        ),
        ("INSERT INTO unknown_visit VALUES (1, 20700, x'02')", "visits of unknown addresses", .restore),
        ("INSERT INTO link_deletion VALUES (1, -1, 0)", "deletions of links", .restore),
        ("INSERT INTO document VALUES ('certificate/x', 0, x'7B7D')", "the document certificate/x", .restore),
        (
            "INSERT INTO click_leftover SELECT id FROM link WHERE slug = 'gift'", "its clicks are to be deleted",
            .restore
        ),
        ("INSERT INTO click_note VALUES (3, 0, 7, x'', x'', x'', x'')", "click_note 3, which", .restore),
        ("INSERT INTO click_shipment VALUES (3, '', 0, 0, x'07', x'')", "click_shipment 3, which", .restore),
        ("INSERT INTO click_shipping VALUES (1, 0), (34, 0)", "click_shipping has the row 34", .restore),
        ("INSERT INTO association_file VALUES ('go.example.com', 'aasa', 'a', NULL)", "\"aasa\" of", .restore),
        (
            "INSERT INTO association_fetch VALUES ('go.example.com', 'assetlinks.json', 'bing', 1, 200, 'a', 1)",
            "a fetch of an association file", .restore
        ),
        (
            "INSERT INTO association_fetch VALUES ('go.example.com', 'assetlinks.json', 'google', 1, 20, 'a', 1)",
            "a fetch of an association file", .restore
        ),
        ("INSERT INTO host (name) VALUES ('not a host')", "is no host name", .restore),
        ("INSERT INTO application_host VALUES (1, '')", "is no host name", .restore),
        ("UPDATE api_key SET digest = x'00' WHERE id = 'k1'", "is not a digest", .restore),
        ("UPDATE api_key SET person = 'gone' WHERE id = 'k3'", "whom it belongs to, does not exist", .restore),
        ("UPDATE person SET name = '' WHERE id = 'p2'", "the person p2 has no name", .restore),
        ("UPDATE membership SET role = 'guest'", "has the role \"guest\"", .restore),
        ("UPDATE person_identity SET subject = '' WHERE issuer = 'proxy'", "names no account", .restore),
        ("UPDATE passkey SET public_key = x''", "a passkey of the person p1 is damaged", .restore),
        ("INSERT INTO import_run VALUES ('i', 'k', 'shop', '', 0, 0, 0, 0, x'00', 0)", "the import i", .restore),
        ("UPDATE registered_route SET platform = 'amiga'", "registered routes", .restore),
    ]

    @Test(arguments: damages)
    func findsDamageAndNamesWhatMendsIt(change: String, problem: String, mending: Mending) async throws {
        try await fill()
        #expect(try fixtures.check("one").problems.isEmpty)
        try Tampering(path).run(change)
        let report = try fixtures.check("one")
        #expect(report.problems.contains { $0.contains(problem) }, "\(report.problems)")
        #expect(report.mendings == [mending], "\(report.problems)")
        switch mending {
        case .rebuildTotals: _ = try archive(.beside) { try TotalsRebuilding($0).run() }
        case .rebuildSearch:
            try archive(.beside) { try $0.discardSearchIndex() }
            try await index()
        case .deleteEndpoint:
            let store = try SQLiteLinkStore(path: path)
            for id in ["wh_1", "wh_2"] { #expect(try await store.webhooks.deleteWebhook(id)) }
            await store.close()
        case .repairAliases, .restore: return
        }
        #expect(try fixtures.check("one").problems == [])
    }

    @Test func `an export leaves out damaged values of a history`() async throws {
        try await fill()
        let before = try fixtures.export("one")
        try Tampering(path).run("UPDATE link_change SET slug = 'a', content = x'FF'")
        #expect(try fixtures.export("one").count == before.count)
    }

    @Test(arguments: [
        ("UPDATE long_link SET number = -number", "which may be a link"),
        ("DELETE FROM long_link; DELETE FROM click_leftover", "blocks of clicks belong to links that do not exist"),
    ])
    func findsDamageOfLongLinks(change: String, problem: String) async throws {
        try await fill()
        try await fixtures.addLongLinkClicks("one")
        #expect(try fixtures.check("one").problems == [])
        try Tampering(path).run(change)
        let report = try fixtures.check("one")
        #expect(report.problems.contains { $0.contains(problem) }, "\(report.problems)")
        #expect(report.mendings == [.restore], "\(report.problems)")
    }

    @Test func findsWrongTotalsOfLongLinks() async throws {
        try await fixtures.addLongLinkClicks("one")
        let before = try fixtures.export("one")
        try Tampering(path).run("DELETE FROM click_total; DELETE FROM click_total_link")
        #expect(try fixtures.check("one").mendings == [.rebuildTotals])
        _ = try archive(.beside) { try TotalsRebuilding($0).run() }
        #expect(try fixtures.check("one").problems == [])
        #expect(try fixtures.export("one") == before)
    }

    @Test func findsEachLeafThatIsMissing() async throws {
        try await fixtures.fill("one", links: 400)
        try await index()
        #expect(try leaves().count > 3)
        var index = 0
        // An index that is made again may have other leaves.
        while let first = try leaves().dropFirst(index).first {
            let hexadecimal = first.map { String(format: "%02X", $0) }.joined()
            try Tampering(path).run("DELETE FROM search_leaf WHERE first = x'\(hexadecimal)'")
            let report = try fixtures.check("one")
            #expect(report.mendings == [.rebuildSearch], "\(hexadecimal)")
            try archive(.beside) { try $0.discardSearchIndex() }
            try await self.index()
            index += 1
        }
        #expect(try fixtures.check("one").problems == [])
    }

    @Test func coversEachTable() async throws {
        try await fill()
        let tables = try archive(.reading) { try $0.tables() }
        // Only PostgreSQL has a table of migrations, and servers that add to shares of totals.
        let others = ["migration", "click_total_share", "click_total_link_share"]
        #expect(Set(CheckedTable.all.map(\.name)) == Set(tables + others))
    }

    @Test func `every checked table is documented`() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("docs/operations/backup-and-restore.md"),
            encoding: .utf8)
        for table in CheckedTable.all { #expect(page.contains(table.documentation + "\n"), "\(table.documentation)") }
    }

    @Test func findsNothingWrongWhileLinksAndClicksAreWritten() async throws {
        try await fill()
        let store = try SQLiteLinkStore(path: path)
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                let id = LinkID(rawValue: Int64(number % 9 + 1))
                try await store.append([
                    StoreFixtures.clicks(of: id, day: 20_700 + number % 5, number: Int64(number + 100))
                ])
                try await store.addClicks([id: 1], as: StoreFixtures.write(Int64(number + 100)))
                _ = try await store.create([StoreFixtures.draft("new\(number)", tags: ["t"])], idempotency: nil)
                _ = try await store.rename(
                    id, expecting: nil, to: StoreFixtures.slug("again\(number)"), by: nil, at: StoreFixtures.now)
                _ = try await store.updateIndexes(all: true)
            }
        }
        for _ in 0..<10 { #expect(try fixtures.check("one").problems == []) }
        writer.cancel()
        _ = await writer.result
        #expect(try fixtures.check("one").problems == [])
        await store.close()
    }
}
