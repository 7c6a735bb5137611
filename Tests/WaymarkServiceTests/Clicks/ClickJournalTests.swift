import Synchronization
import Testing
import WaymarkLinks

@testable import WaymarkService

@Suite struct ClickJournalTests {
    private static let days = 0...100_000

    private func records(of link: Link, in workshop: Workshop) async throws -> [ClickRecord] {
        let blocks = try await workshop.store.inner.clickRecords.blocks(
            of: link.id, days: Self.days, after: nil, limit: 10_000)
        return try blocks.flatMap { try #require($0.contents).records }
    }

    @Test func clicksOfAllLoopsAndTasksAreKeptAsRecords() async throws {
        let workshop = try await Workshop.withShop()
        let one = try await workshop.create("one")
        let two = try await workshop.create("two")
        let loops = [workshop.service.clicks.makeBuffer(), workshop.service.clicks.makeBuffer()]
        for number in 0..<500 {
            loops[0].record(.person(one.id, at: workshop.clock.now, subscriber: UInt64(number % 50)))
            loops[1].record(.program(one.id, at: workshop.clock.now))
            loops[1].record(.person(two.id, at: workshop.clock.now))
        }
        workshop.service.clicks.record(.person(two.id, at: workshop.clock.now))
        try await workshop.service.flushRecords()
        try await workshop.service.clicks.flush()
        let ofOne = try await records(of: one, in: workshop)
        #expect(ofOne.count { $0.isPersons } == 500)
        #expect(ofOne.count { !$0.isPersons } == 500)
        #expect(Set(ofOne.compactMap(\.visitor)).count == 50)
        #expect(try await records(of: two, in: workshop).count == 501)
        #expect(try await workshop.store.inner.link(one.id)?.clicks == 500, "a program's click counts for nothing")
        #expect(workshop.service.journal?.figures.waiting == 0)
    }

    @Test func whatTheStoreDidNotTakeIsWrittenLaterAndOnce() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one")
        let buffer = workshop.service.clicks.makeBuffer()
        for afterwards in [false, true] {
            buffer.record(.person(link.id, at: workshop.clock.now))
            workshop.store.fail(.appendClicks, afterwards: afterwards)
            for _ in 0..<3 {
                await #expect(throws: StoreError.unavailable("away")) { try await workshop.service.flushRecords() }
            }
            workshop.store.fail(.appendClicks, false, afterwards: afterwards)
            try await workshop.service.flushRecords()
        }
        #expect(try await records(of: link, in: workshop).count == 2)
    }

    @Test func moreThanTheLimitIsDroppedAndCountedAndStillANumber() async throws {
        var configuration = ServiceConfiguration()
        configuration.pendingClickRecords = 10
        let workshop = try await Workshop.withShop(configuration: configuration)
        let link = try await workshop.create("one")
        for _ in 0..<25 { workshop.service.clicks.record(.person(link.id, at: workshop.clock.now)) }
        #expect(workshop.service.journal?.figures.dropped == 15)
        try await workshop.service.flushRecords()
        for _ in 0..<10 { workshop.service.clicks.record(.person(link.id, at: workshop.clock.now)) }
        try await workshop.service.flushRecords()
        try await workshop.service.clicks.flush()
        #expect(try await records(of: link, in: workshop).count == 20)
        #expect(try await workshop.store.inner.link(link.id)?.clicks == 35)
        let figures = try #require(workshop.service.journal?.figures)
        #expect((figures.taken, figures.dropped, figures.waiting) == (35, 15, 0))
    }

    @Test func ofARingfulThatDoesNotFitTheFirstAreKept() async throws {
        var configuration = ServiceConfiguration()
        configuration.pendingClickRecords = 10
        let workshop = try await Workshop.withShop(configuration: configuration)
        let link = try await workshop.create("one")
        let buffer = workshop.service.clicks.makeBuffer()
        for number in 0..<25 { buffer.record(.person(link.id, at: workshop.clock.now, subscriber: UInt64(number))) }
        workshop.service.clicks.gather()
        let figures = try #require(workshop.service.journal?.figures)
        #expect((figures.taken, figures.dropped, figures.waiting) == (25, 15, 10))
        try await workshop.service.flushRecords()
        let records = try await records(of: link, in: workshop)
        #expect(Set(records.compactMap(\.visitor)).count == 10)
        try await workshop.service.clicks.flush()
        #expect(try await workshop.store.inner.link(link.id)?.clicks == 25)
    }

    /// Where every processor is busy a yield takes milliseconds: packing that yielded all the same would fall behind.
    @Test func whoPacksGivesWayOnlySoLong() async throws {
        let yields = Atomic(0)
        let now = Timestamp(seconds: 1_790_000_000)
        var surroundings = ServiceSurroundings(
            now: { now }, randomBytes: { [UInt8](repeating: 7, count: $0) }, sha256: { $0 })
        surroundings.giveWay = {
            yields.add(1, ordering: .relaxed)
            let end = ContinuousClock.now + .milliseconds(5)
            while ContinuousClock.now < end {}
        }
        let journal = ClickJournal(
            store: MemoryLinkStore(), limit: 1_000_000, tellsVisitorsApart: false, countries: Countries(),
            surroundings: surroundings)
        let clicks = (0..<50_000).map { Click.person(LinkID(rawValue: $0 % 10), at: now) }
        journal.withInbox { $0.take(clicks.span) }
        try await journal.flush()
        #expect(journal.figures.waiting == 0)
        #expect((1...4).contains(yields.load(ordering: .relaxed)))
    }

    @Test func aBlockHoldsTheClicksOfOneDayAndNotTooMany() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one")
        for _ in 0..<ClickBlock.capacity + 1 {
            workshop.service.clicks.record(.person(link.id, at: workshop.clock.now))
        }
        let tomorrow = workshop.clock.now.advanced(byMilliseconds: 86_400_000)
        workshop.service.clicks.record(.person(link.id, at: tomorrow))
        try await workshop.service.flushRecords()
        let blocks = try await workshop.store.inner.clickRecords.blocks(
            of: link.id, days: Self.days, after: nil, limit: 10)
        let today = workshop.clock.now.day
        #expect(blocks.map(\.key.day) == [today, today, today + 1])
        #expect(blocks.compactMap { $0.contents?.entries.count }.sorted() == [1, 1, ClickBlock.capacity])
    }

    @Test func serversTellAVisitorApartAlikeAndEachDayAnew() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one")
        let neighbour = workshop.neighbour()
        try await neighbour.load()
        for service in [workshop.service, neighbour] {
            service.clicks.record(.person(link.id, at: workshop.clock.now))
            try await service.flushRecords()
        }
        workshop.clock.advance(milliseconds: 86_400_000)
        workshop.service.clicks.record(.person(link.id, at: workshop.clock.now))
        try await workshop.service.flushRecords()
        let visitors = try await records(of: link, in: workshop).map(\.visitor)
        #expect(visitors.count == 3 && !visitors.contains(nil))
        #expect(visitors[0] == visitors[1])
        #expect(visitors[0] != visitors[2])
    }

    @Test func theSaltOfADayGoesWithTheDay() async throws {
        let workshop = try await Workshop.withShop()
        let name = "visitors-\(workshop.clock.now.day)"
        let salt = try await workshop.store.inner.secret(name) { [] }
        #expect(salt.count == 16)
        workshop.clock.advance(milliseconds: 86_400_000)
        try await workshop.service.flushRecords()
        #expect(try await workshop.store.inner.secret(name) { [1] } == [1], "the old one was forgotten")
    }

    @Test func theLastClicksOfADayAreStillToldApart() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one")
        workshop.service.clicks.record(.person(link.id, at: workshop.clock.now))
        workshop.clock.advance(milliseconds: 86_400_000)
        try await workshop.service.flushRecords()
        #expect(try await records(of: link, in: workshop).allSatisfy { $0.visitor != nil })
    }

    @Test func theSaltsOfDaysOnWhichNoServerRanAreForgottenToo() async throws {
        let workshop = try await Workshop.withShop()
        let name = "visitors-\(workshop.clock.now.day)"
        workshop.clock.advance(milliseconds: 86_400_000 * 400)
        let neighbour = workshop.neighbour()
        try await neighbour.load()
        #expect(try await workshop.store.inner.secret(name) { [1] } == [1], "the old one was forgotten")
    }

    @Test func blocksThatAreWrittenWhileTheClockStandsHaveDifferentNumbers() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one")
        for _ in 0..<50 {
            workshop.service.clicks.record(.person(link.id, at: workshop.clock.now))
            try await workshop.service.flushRecords()
        }
        let blocks = try await workshop.store.inner.clickRecords.blocks(
            of: link.id, days: Self.days, after: nil, limit: 100)
        #expect(blocks.count == 50)
        #expect(blocks.map(\.key.number) == blocks.map(\.key.number).sorted())
    }

    @Test(arguments: [true, false])
    func whatIsNotWantedIsNotKept(recordsClicks: Bool) async throws {
        var configuration = ServiceConfiguration()
        configuration.recordsClicks = recordsClicks
        configuration.tellsVisitorsApart = false
        let workshop = try await Workshop.withShop(configuration: configuration)
        let link = try await workshop.create("one")
        workshop.service.clicks.record(.person(link.id, at: workshop.clock.now))
        await workshop.service.stop()
        let records = try await records(of: link, in: workshop)
        #expect(records.count == (recordsClicks ? 1 : 0))
        #expect(records.allSatisfy { $0.visitor == nil })
        #expect(try await workshop.store.inner.link(link.id)?.clicks == 1)
        #expect(
            try await workshop.store.inner.secret("visitors-\(workshop.clock.now.day)") { [1] } == [1], "none was made")
    }

    /// So many clicks to each of so many links with each turn, after one of which nothing is left; then how many turns it
    /// takes until all are written down again.
    @Test(
        arguments: [
            (links: 1_000, clicks: 1, turns: 1), (1_001, 1, 3), (1_001, 49, 3), (1_001, 50, 2), (1_001, 100, 1),
        ])
    func fewClicksOfVeryManyLinksWaitForMore(links: Int, clicks: Int, turns: Int) async throws {
        let workshop = try await Workshop.withShop()
        let journal = try #require(workshop.service.journal)
        func visit() {
            for click in 0..<links * clicks {
                let link = LinkID(rawValue: Int64(click % links + 1))
                workshop.service.clicks.record(.person(link, at: workshop.clock.now))
            }
        }
        visit()
        try await workshop.service.takeTurnOfRecords()
        #expect(journal.figures.waiting == 0, "nobody knows yet how they are spread")
        visit()
        for turn in 1..<turns {
            try await workshop.service.takeTurnOfRecords()
            #expect(journal.figures.waiting == links * clicks * turn)
            visit()
        }
        try await workshop.service.takeTurnOfRecords()
        #expect(journal.figures.waiting == 0)
    }

    /// With as many clicks again, half of the room would be taken: the next turn writes.
    @Test(arguments: [(limit: 8_008, isLeftOut: true), (8_007, false)])
    func noTurnIsLeftOutWhereHalfOfTheRoomWouldBeTaken(limit: Int, isLeftOut: Bool) async throws {
        var configuration = ServiceConfiguration()
        configuration.pendingClickRecords = limit
        let workshop = try await Workshop.withShop(configuration: configuration)
        for _ in 0..<2 {
            for number in 0..<2_002 {
                let link = LinkID(rawValue: Int64(number % 1_001 + 1))
                workshop.service.clicks.record(.person(link, at: workshop.clock.now))
            }
            try await workshop.service.takeTurnOfRecords()
        }
        #expect(workshop.service.journal?.figures.waiting == (isLeftOut ? 2_002 : 0))
    }

    @Test func noTurnIsLeftOutWhileTheStoreDoesNotTakeThem() async throws {
        let workshop = try await Workshop.withShop()
        for number in 1...2_000 {
            workshop.service.clicks.record(.person(LinkID(rawValue: Int64(number)), at: workshop.clock.now))
        }
        workshop.store.fail(.appendClicks)
        for _ in 0..<3 {
            await #expect(throws: StoreError.unavailable("away")) { try await workshop.service.takeTurnOfRecords() }
        }
        workshop.store.fail(.appendClicks, false)
        try await workshop.service.takeTurnOfRecords()
        #expect(workshop.service.journal?.figures.waiting == 0)
    }

    @Test func whoAsksOrEndsDoesNotWaitForMoreClicks() async throws {
        let workshop = try await Workshop.withShop()
        let journal = try #require(workshop.service.journal)
        for end in [workshop.service.flushRecords, workshop.service.stop] as [() async throws -> Void] {
            for number in 1...2_000 {
                workshop.service.clicks.record(.person(LinkID(rawValue: Int64(number)), at: workshop.clock.now))
            }
            try await end()
            #expect(journal.figures.waiting == 0)
        }
    }
}
