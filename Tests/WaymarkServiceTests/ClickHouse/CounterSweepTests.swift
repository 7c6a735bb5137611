import Synchronization
import Testing
import WaymarkClient
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@testable import WaymarkService

/// Counters of apps and conversions on their way to ClickHouse.
@Suite(.timeLimit(.minutes(5))) struct CounterSweepTests {
    @Test func `counters are shipped by day with their link`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("sale")
        try await fixture.add(LinkActivity(opens: 3, installs: 2, androidInstalls: 1), of: link, on: fixture.today)
        try await fixture.convert(link, "1", "12.50", rule: ClickedRule("blue", isVariant: true))
        try await fixture.convert(link, "2", "-0.000001", isFromApp: true)
        try await fixture.sweep()
        let day = "\(fixture.today)"
        #expect(
            fixture.told(.activity) == [
                ["\(link.id.rawValue)", day, "shop", "go.example.com", "sale", "3", "2", "0", "0", "0", "0", "1"]
            ])
        let key = ["shop", day, "\(link.id.rawValue)", ""]
        #expect(
            fixture.told(.conversions) == [
                key + ["\u{1}purchase", "EUR", "purchase", "", "", "app", "1", "-0.000001"],
                key + ["purchase\u{3}blue", "EUR", "purchase", "blue", "blue", "server", "1", "12.5"],
            ])
    }

    @Test func `only counters that changed are sent again`() async throws {
        let fixture = try await ShippingFixture()
        let (first, second) = (try await fixture.service.create("a"), try await fixture.service.create("b"))
        for link in [first, second] { try await fixture.add(LinkActivity(opens: 1), of: link, on: fixture.today) }
        try await fixture.sweep()
        #expect(try await fixture.sweep() == 0)
        #expect(fixture.clickHouse.counters.insertions == 1)
        try await fixture.add(LinkActivity(opens: 1), of: second, on: fixture.today)
        #expect(try await fixture.sweep() == 1)
        #expect(fixture.told(.activity).map { $0[5] } == ["1", "2"])
    }

    @Test(arguments: [1, 2, 3, 100])
    func `what was lost, changed or deleted is mended`(page: Int) async throws {
        let fixture = try await ShippingFixture()
        let gone = try await fixture.service.create("gone")
        var links: [Link] = []
        for number in 0..<5 { links.append(try await fixture.service.create("a\(number)")) }
        for link in links + [gone] {
            for day in [fixture.today - 1, fixture.today] {
                try await fixture.add(LinkActivity(opens: 1), of: link, on: day)
            }
        }
        // ClickHouse deletes what is as old as this.
        try await fixture.add(LinkActivity(opens: 1), of: links[0], on: fixture.today - 200)
        try await fixture.sweep(page: page)
        #expect(fixture.told(.activity).count == 12)
        try await fixture.add(LinkActivity(opens: 1), of: links[4], on: fixture.today - 1)
        _ = try await fixture.store.delete(gone.id, expecting: nil, at: fixture.service.clock.now)
        #expect(try await fixture.sweep(page: page) == 3)
        #expect(fixture.told(.activity).map { $0[5] } == ["1", "1", "1", "1", "1", "1", "1", "1", "2", "1"])
        #expect(try await fixture.sweep(page: page) == 0)
    }

    @Test func `conversions of a deleted application are deleted`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        try await fixture.convert(link, "1", "12.50")
        try await fixture.sweep()
        #expect(fixture.told(.conversions).count == 1)
        let now = fixture.service.clock.now
        _ = try await fixture.store.delete(link.id, expecting: nil, at: now)
        try await fixture.sweep()
        #expect(fixture.told(.conversions).count == 1, "they outlive a link")
        let shop = try #require(ApplicationID("shop"))
        guard case .deleted = try await fixture.store.deleteApplication(shop, expecting: nil) else {
            Issue.record("the application has links")
            return
        }
        try await fixture.sweep()
        #expect(fixture.told(.conversions).isEmpty)
    }

    @Test func `the earlier server's clock does not matter`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        try await fixture.add(LinkActivity(opens: 1), of: link, on: fixture.today)
        try await fixture.sweep(ahead: 3_600_000)
        try await fixture.add(LinkActivity(opens: 1), of: link, on: fixture.today)
        try await fixture.sweep()
        #expect(fixture.told(.activity).map { $0[5] } == ["2"])
    }

    @Test func `the dispatcher ships them, and deletes with a link`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        try await fixture.add(LinkActivity(opens: 1), of: link, on: fixture.today)
        let next = fixture.neighbour()
        for _ in 0..<3 { _ = await next.turn() }
        #expect(next.metrics.counters.load(ordering: .relaxed) == 1)
        #expect(fixture.told(.activity).count == 1)
        _ = try await fixture.store.delete(link.id, expecting: nil, at: fixture.service.clock.now)
        _ = await next.turn()
        #expect(fixture.told(.activity).isEmpty)
        #expect(fixture.clickHouse.statements.contains { $0.contains("activity_day DELETE ") })
    }

    @Test func `clicks are shipped without tables for counters`() async throws {
        let fixture = try await ShippingFixture()
        fixture.clickHouse.withCounters { $0.exist = false }
        let (link, gone) = (try await fixture.service.create("a"), try await fixture.service.create("b"))
        try await fixture.add(LinkActivity(opens: 1), of: link, on: fixture.today)
        _ = try await fixture.store.delete(gone.id, expecting: nil, at: fixture.service.clock.now)
        let keys = try await fixture.append(link, days: fixture.today)
        let next = fixture.neighbour()
        for _ in 0..<3 { _ = await next.turn() }
        #expect(try fixture.shipped() == Set(keys))
        #expect(try await fixture.waiting() == 0)
        #expect(next.metrics.failedAttempts.load(ordering: .relaxed) == 0)
    }
}

extension ShippingFixture {
    fileprivate func add(_ counts: LinkActivity, of link: Link, on day: Int) async throws {
        try await store.addActivity([DailyActivity(link: link.id, day: day, counts: counts)], as: .once)
    }

    fileprivate func convert(
        _ link: Link, _ id: String, _ amount: String, rule: ClickedRule? = nil, isFromApp: Bool = false
    ) async throws {
        let now = service.clock.now
        let value = Money(amount).map { ($0, "EUR") }
        let outcomes = try await store.conversions.record(
            [
                Conversion(
                    digest: Array(id.utf8), id: id, name: "purchase", at: now, link: link.id, rule: rule,
                    application: nil, value: value, isFromApp: isFromApp,
                    expiresAt: now.advanced(byMilliseconds: 1_000))
            ], at: now)
        #expect(outcomes == [.counted])
    }

    /// One pass over the counters; returns how many rows were sent.
    @discardableResult
    fileprivate func sweep(page: Int = CounterSweep.page, ahead: Int64 = 0) async throws -> Int {
        let settings = ClickHouseClient.Settings(
            url: clickHouse.url, database: "clicks", user: "waymark", password: FakeClickHouse.password,
            retentionDays: 100)
        let client = ClickHouseClient(settings, HTTPClient())
        var sweep = CounterSweep(firstDay: today - 99, page: page)
        for _ in 0..<100 where !sweep.isAtEnd {
            try await sweep.step(
                store.clickShipments, client, ClickHouseTables(database: "clicks"),
                now: service.clock.now.advanced(byMilliseconds: ahead))
        }
        #expect(sweep.isAtEnd)
        return sweep.sent
    }

    /// Without versions.
    fileprivate func told(_ table: DailyCounterTable) -> [[String]] {
        clickHouse.counters.counting(table).map { Array($0.dropLast()) }
    }
}
