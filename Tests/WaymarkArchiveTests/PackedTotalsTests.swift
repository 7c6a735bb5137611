import SealingTestSupport
import Testing
import WaymarkArchive
import WaymarkBytes
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// Totals of days that are over, in a file.
@Suite struct PackedTotalsTests {
    private static let days = 20_700..<20_704
    private static let links = 400
    private let fixtures: StoreFixtures

    init() throws { fixtures = try StoreFixtures() }

    /// Clicks as they come from many links: a few each second, from some hundred pages and campaigns.
    private func fill(clicks perQuarter: Int = 60) async throws -> SQLiteLinkStore {
        let store = try SQLiteLinkStore(path: fixtures.path("one"))
        _ = try await store.put(
            StoredApplication(
                id: try StoreFixtures.shop(),
                domains: [try StoreFixtures.host(), try StoreFixtures.host("links.example.com")],
                document: Array("{}".utf8)), expecting: nil
        ) { _ in true }
        _ = try await store.create((0..<Self.links).map { try StoreFixtures.draft("s\($0)") }, idempotency: nil)
        let agents = ["Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "facebookexternalhit/1.1"].map {
            UserAgent.classify($0)
        }
        var state: UInt64 = 1
        func random(_ end: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % end
        }
        var blockNumber: Int64 = 0
        for day in Self.days {
            let salt = SipHash(key: [UInt8](repeating: UInt8(day % 200), count: 16))
            for quarter in 0..<ClickTotal.quartersOfDay {
                let clicks = (0..<perQuarter).map { _ in
                    Click(
                        link: LinkID(rawValue: Int64(random(Self.links) + 1)),
                        time: Timestamp(
                            seconds: Int64(day) * Timestamp.secondsOfDay + Int64(quarter) * 900 + Int64(random(900))),
                        kind: agents[random(16) / 15], destination: .web,
                        country: CountryCode(0x41, 0x41 + UInt8(random(20))),
                        referrerHost: Click.Name("pages\(random(20) * random(20)).example.com", isVisitors: true),
                        campaign: Click.Name("autumn-campaign-\(random(12) * random(12))"),
                        subscriber: UInt64(random(1_000_000)))
                }
                try await store.clickRecords.append(
                    ClickBatch(clicks).blocks(salts: salt.map { [day: $0] } ?? [:]) {
                        blockNumber += 1
                        return blockNumber
                    }.map(\.block))
            }
        }
        return store
    }

    private func pack(_ store: SQLiteLinkStore) async throws {
        try await ClickSummarizer(store: store.clickTotals, randomBytes: { [UInt8](repeating: 1, count: $0) }).run(
            [StoreFixtures.shop()], days: Self.days.lowerBound..<Self.days.upperBound + 1, hasTime: { true })
    }

    /// The bytes of the file's pages that have such tables and their indexes.
    private func bytes(of tables: String) throws -> Int {
        try Tampering(fixtures.path("one")).number("SELECT sum(pgsize) FROM dbstat WHERE name GLOB '*\(tables)*'")
    }

    @Test func totalsTakeAtMostThreeTenthsOfTheRecords() async throws {
        let store = try await fill()
        let before = try bytes(of: "click_total")
        try await pack(store)
        let (records, totals) = (try bytes(of: "click_block"), try bytes(of: "click_total"))
        let summaries = try bytes(of: "click_summary")
        #expect((totals + summaries) * 10 <= records * 3, "\(totals), \(summaries) and \(records)")
        #expect(before * 10 > records * 3, "rows are not packed")
        await store.close()
    }

    @Test func packingChangesNothingThatIsRead() async throws {
        let store = try await fill(clicks: 5)
        let shop = try StoreFixtures.shop()
        let quarters = 20_701 * 96 - 5..<20_702 * 96 + 5
        func rows() async throws -> [ApplicationTotal] {
            try await store.totals(of: [shop], quarters: quarters).sorted { $0.quarter < $1.quarter }
        }
        let (before, lines) = (try await rows(), try fixtures.export("one"))
        try await pack(store)
        #expect(try Tampering(fixtures.path("one")).number("SELECT count(*) FROM click_total") == 0)
        #expect(try await rows() == before)
        #expect(try fixtures.export("one") == lines)
        #expect(try fixtures.check("one").problems == [])
        try fixtures.importing(lines, into: "two")
        #expect(try fixtures.export("two") == lines)
        await store.close()
    }

    @Test(arguments: [1, 7, 96, 1_000]) func anExportReadsPagesOfPackedTotals(limit: Int) async throws {
        let store = try await fill(clicks: 1)
        try await pack(store)
        // Half a day of rows beside packed ones.
        _ = try await store.narrowTotals(of: StoreFixtures.shop(), quarters: [20_701 * 96])
        await store.close()
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .reading)
        defer { archive.close() }
        var quarters: [Int] = []
        var last: ArchivedTotal.Key?
        while true {
            let page = try archive.totals(after: last, limit: limit)
            #expect(page.count <= limit)
            quarters += page.map(\.key.quarter)
            guard let end = page.last else { break }
            last = end.key
        }
        #expect(quarters == Array(Self.days.lowerBound * 96..<Self.days.upperBound * 96))
    }

    @Test(arguments: [
        ("DELETE FROM click_total_day WHERE day = 20701", "quarters of an hour"),
        ("UPDATE click_total_day SET bytes = x'01' WHERE day = 20701", "are damaged"),
        ("UPDATE click_total_day SET day = 20801 WHERE day = 20703", "quarters of an hour"),
    ])
    func aCheckFindsDamage(change: String, problem: String) async throws {
        let store = try await fill(clicks: 1)
        try await pack(store)
        await store.close()
        #expect(try fixtures.check("one").problems == [])
        try Tampering(fixtures.path("one")).run(change)
        let report = try fixtures.check("one")
        #expect(report.problems.contains { $0.contains(problem) }, "\(report.problems)")
        #expect(report.mendings == [.rebuildTotals])
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .beside)
        _ = try TotalsRebuilding(archive).run()
        archive.close()
        #expect(try fixtures.check("one").problems == [])
    }
}
