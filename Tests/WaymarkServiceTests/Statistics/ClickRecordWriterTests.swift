import Synchronization
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@testable import WaymarkService

@Suite struct ClickRecordWriterTests {
    private static let days = 0...100_000

    private func records(of link: Link, in fixture: ServiceFixture) async throws -> [ClickRecord] {
        let blocks = try await fixture.store.inner.clickRecords.blocks(
            of: link.id, days: Self.days, after: nil, limit: 10_000)
        return try blocks.flatMap { try #require($0.contents).records }
    }

    @Test func clicksOfAllLoopsAndTasksAreKeptAsRecords() async throws {
        let fixture = try await ServiceFixture.withShop()
        let one = try await fixture.create("one")
        let two = try await fixture.create("two")
        let loops = [fixture.service.clicks.makeBuffer(), fixture.service.clicks.makeBuffer()]
        for number in 0..<500 {
            loops[0].record(.person(one.id, at: fixture.clock.now, subscriber: UInt64(number % 50)))
            loops[1].record(.program(one.id, at: fixture.clock.now))
            loops[1].record(.person(two.id, at: fixture.clock.now))
        }
        fixture.service.clicks.record(.person(two.id, at: fixture.clock.now))
        try await fixture.service.flushRecords()
        try await fixture.service.clicks.flush()
        let ofOne = try await records(of: one, in: fixture)
        #expect(ofOne.count { $0.isPersons } == 500)
        #expect(ofOne.count { !$0.isPersons } == 500)
        #expect(Set(ofOne.compactMap(\.visitor)).count == 50)
        #expect(try await records(of: two, in: fixture).count == 501)
        #expect(try await fixture.store.inner.link(one.id)?.clicks == 500, "a program's click counts for nothing")
        #expect(fixture.service.recordWriter?.metrics.waiting == 0)
    }

    @Test func `records that the store refused are written once, later`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let buffer = fixture.service.clicks.makeBuffer()
        for afterwards in [false, true] {
            buffer.record(.person(link.id, at: fixture.clock.now))
            fixture.store.fail(.appendClicks, afterwards: afterwards)
            for _ in 0..<3 {
                await #expect(throws: StoreError.unavailable("away")) { try await fixture.service.flushRecords() }
            }
            fixture.store.fail(.appendClicks, false, afterwards: afterwards)
            try await fixture.service.flushRecords()
        }
        #expect(try await records(of: link, in: fixture).count == 2)
    }

    @Test func moreThanTheLimitIsDroppedAndCountedAndStillANumber() async throws {
        var configuration = ServiceConfiguration()
        configuration.pendingClickBytes = 10 * ClickBatch.clickBytes
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one")
        for _ in 0..<25 { fixture.service.clicks.record(.person(link.id, at: fixture.clock.now)) }
        #expect(fixture.service.recordWriter?.metrics.dropped == 15)
        try await fixture.service.flushRecords()
        for _ in 0..<10 { fixture.service.clicks.record(.person(link.id, at: fixture.clock.now)) }
        try await fixture.service.flushRecords()
        try await fixture.service.clicks.flush()
        #expect(try await records(of: link, in: fixture).count == 20)
        #expect(try await fixture.store.inner.link(link.id)?.clicks == 35)
        let metrics = try #require(fixture.service.recordWriter?.metrics)
        #expect((metrics.taken, metrics.dropped, metrics.waiting) == (35, 15, 0))
    }

    @Test func `the first records of a ring that does not fit are kept`() async throws {
        var configuration = ServiceConfiguration()
        configuration.pendingClickBytes = 10 * ClickBatch.clickBytes
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one")
        let buffer = fixture.service.clicks.makeBuffer()
        for number in 0..<25 { buffer.record(.person(link.id, at: fixture.clock.now, subscriber: UInt64(number))) }
        fixture.service.clicks.gather()
        let metrics = try #require(fixture.service.recordWriter?.metrics)
        #expect((metrics.taken, metrics.dropped, metrics.waiting) == (25, 15, 10))
        try await fixture.service.flushRecords()
        let records = try await records(of: link, in: fixture)
        #expect(Set(records.compactMap(\.visitor)).count == 10)
        try await fixture.service.clicks.flush()
        #expect(try await fixture.store.inner.link(link.id)?.clicks == 25)
    }

    /// Where every processor is busy a yield takes milliseconds: packing that yielded all the same would fall behind.
    @Test func `the writer gives way only for a limited time`() async throws {
        let yields = Atomic(0)
        let now = Timestamp(seconds: 1_790_000_000)
        let recordWriter = ClickRecordWriter(
            store: try SQLiteLinkStore(path: ":memory:"), limit: 64 << 20, tellsVisitorsApart: false,
            countries: Countries(),
            now: { now }, randomBytes: { [UInt8](repeating: 7, count: $0) },
            yieldToOthers: {
                yields.add(1, ordering: .relaxed)
                let end = ContinuousClock.now + .milliseconds(5)
                while ContinuousClock.now < end {}
            })
        let clicks = (0..<50_000).map { Click.person(LinkID(rawValue: $0 % 10), at: now) }
        recordWriter.withInbox { $0.take(clicks.span) }
        try await recordWriter.flush()
        #expect(recordWriter.metrics.waiting == 0)
        #expect((1...4).contains(yields.load(ordering: .relaxed)))
    }

    @Test func aBlockHoldsTheClicksOfOneDayAndNotTooMany() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        for _ in 0..<ClickBlock.capacity + 1 {
            fixture.service.clicks.record(.person(link.id, at: fixture.clock.now))
        }
        let tomorrow = fixture.clock.now.advanced(byMilliseconds: 86_400_000)
        fixture.service.clicks.record(.person(link.id, at: tomorrow))
        try await fixture.service.flushRecords()
        let blocks = try await fixture.store.inner.clickRecords.blocks(
            of: link.id, days: Self.days, after: nil, limit: 10)
        let today = fixture.clock.now.day
        #expect(blocks.map(\.key.day) == [today, today, today + 1])
        #expect(blocks.compactMap { $0.contents?.entries.count }.sorted() == [1, 1, ClickBlock.capacity])
    }

    @Test func serversTellAVisitorApartAlikeAndEachDayAnew() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        for service in [fixture.service, neighbour] {
            service.clicks.record(.person(link.id, at: fixture.clock.now))
            try await service.flushRecords()
        }
        fixture.clock.advance(milliseconds: 86_400_000)
        fixture.service.clicks.record(.person(link.id, at: fixture.clock.now))
        try await fixture.service.flushRecords()
        let visitors = try await records(of: link, in: fixture).map(\.visitor)
        #expect(visitors.count == 3 && !visitors.contains(nil))
        #expect(visitors[0] == visitors[1])
        #expect(visitors[0] != visitors[2])
    }

    @Test func theSaltOfADayGoesWithTheDay() async throws {
        let fixture = try await ServiceFixture.withShop()
        let name = "visitors-\(fixture.clock.now.day)"
        let salt = try await fixture.store.inner.secret(name) { [] }
        #expect(salt.count == 16)
        fixture.clock.advance(milliseconds: 86_400_000)
        try await fixture.service.flushRecords()
        #expect(try await fixture.store.inner.secret(name) { [1] } == [1], "the old one was forgotten")
    }

    @Test func theLastClicksOfADayAreStillToldApart() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        fixture.service.clicks.record(.person(link.id, at: fixture.clock.now))
        fixture.clock.advance(milliseconds: 86_400_000)
        try await fixture.service.flushRecords()
        #expect(try await records(of: link, in: fixture).allSatisfy { $0.visitor != nil })
    }

    @Test func theSaltsOfDaysOnWhichNoServerRanAreForgottenToo() async throws {
        let fixture = try await ServiceFixture.withShop()
        let name = "visitors-\(fixture.clock.now.day)"
        fixture.clock.advance(milliseconds: 86_400_000 * 400)
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        #expect(try await fixture.store.inner.secret(name) { [1] } == [1], "the old one was forgotten")
    }

    @Test func blocksThatAreWrittenWhileTheClockStandsHaveDifferentNumbers() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        for _ in 0..<50 {
            fixture.service.clicks.record(.person(link.id, at: fixture.clock.now))
            try await fixture.service.flushRecords()
        }
        let blocks = try await fixture.store.inner.clickRecords.blocks(
            of: link.id, days: Self.days, after: nil, limit: 100)
        #expect(blocks.count == 50)
        #expect(blocks.map(\.key.number) == blocks.map(\.key.number).sorted())
    }

    @Test(arguments: [true, false])
    func `records that are switched off are not kept`(recordsClicks: Bool) async throws {
        var configuration = ServiceConfiguration()
        configuration.recordsClicks = recordsClicks
        configuration.tellsVisitorsApart = false
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one")
        fixture.service.clicks.record(.person(link.id, at: fixture.clock.now))
        await fixture.service.stop()
        let records = try await records(of: link, in: fixture)
        #expect(records.count == (recordsClicks ? 1 : 0))
        #expect(records.allSatisfy { $0.visitor == nil })
        #expect(try await fixture.store.inner.link(link.id)?.clicks == 1)
        #expect(
            try await fixture.store.inner.secret("visitors-\(fixture.clock.now.day)") { [1] } == [1], "none was made")
    }

    /// So many clicks to each of so many links with each turn, after one of which nothing is left; then how many turns it
    /// takes until all are written down again.
    @Test(
        arguments: [
            (links: 1_000, clicks: 1, turns: 1), (1_001, 1, 3), (1_001, 49, 3), (1_001, 50, 2), (1_001, 100, 1),
        ])
    func fewClicksOfVeryManyLinksWaitForMore(links: Int, clicks: Int, turns: Int) async throws {
        let fixture = try await ServiceFixture.withShop()
        let recordWriter = try #require(fixture.service.recordWriter)
        func visit() {
            for click in 0..<links * clicks {
                let link = LinkID(rawValue: Int64(click % links + 1))
                fixture.service.clicks.record(.person(link, at: fixture.clock.now))
            }
        }
        visit()
        try await fixture.service.takeTurnOfRecords()
        #expect(recordWriter.metrics.waiting == 0, "nobody knows yet how they are spread")
        visit()
        for turn in 1..<turns {
            try await fixture.service.takeTurnOfRecords()
            #expect(recordWriter.metrics.waiting == links * clicks * turn)
            visit()
        }
        try await fixture.service.takeTurnOfRecords()
        #expect(recordWriter.metrics.waiting == 0)
    }

    /// With as many clicks again, half of the room would be taken: the next turn writes.
    @Test(arguments: [(limit: 4 * 2_002 * 24, isLeftOut: true), (4 * 2_002 * 24 - 1, false)])
    func noTurnIsLeftOutWhereHalfOfTheRoomWouldBeTaken(limit: Int, isLeftOut: Bool) async throws {
        var configuration = ServiceConfiguration()
        configuration.pendingClickBytes = limit
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        for _ in 0..<2 {
            for number in 0..<2_002 {
                let link = LinkID(rawValue: Int64(number % 1_001 + 1))
                fixture.service.clicks.record(.person(link, at: fixture.clock.now))
            }
            try await fixture.service.takeTurnOfRecords()
        }
        #expect(fixture.service.recordWriter?.metrics.waiting == (isLeftOut ? 2_002 : 0))
    }

    @Test func noTurnIsLeftOutWhileTheStoreDoesNotTakeThem() async throws {
        let fixture = try await ServiceFixture.withShop()
        for number in 1...2_000 {
            fixture.service.clicks.record(.person(LinkID(rawValue: Int64(number)), at: fixture.clock.now))
        }
        fixture.store.fail(.appendClicks)
        for _ in 0..<3 {
            await #expect(throws: StoreError.unavailable("away")) { try await fixture.service.takeTurnOfRecords() }
        }
        fixture.store.fail(.appendClicks, false)
        try await fixture.service.takeTurnOfRecords()
        #expect(fixture.service.recordWriter?.metrics.waiting == 0)
    }

    @Test func `a reader or a stop does not wait for more clicks`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let recordWriter = try #require(fixture.service.recordWriter)
        for end in [fixture.service.flushRecords, fixture.service.stop] as [() async throws -> Void] {
            for number in 1...2_000 {
                fixture.service.clicks.record(.person(LinkID(rawValue: Int64(number)), at: fixture.clock.now))
            }
            try await end()
            #expect(recordWriter.metrics.waiting == 0)
        }
    }
}
