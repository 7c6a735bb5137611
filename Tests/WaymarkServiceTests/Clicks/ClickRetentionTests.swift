import Testing
import WaymarkLinks
import WaymarkService

/// How long records of clicks are kept.
@Suite struct ClickRetentionTests {
    private static func blocks(_ link: LinkID, days: ClosedRange<Int>, each: Int = 1) -> [ClickBlock] {
        days.flatMap { day in
            (0..<each).map {
                ClickBlock(key: ClickBlock.Key(link: link, day: day, number: Int64($0)), bytes: [1])
            }
        }
    }

    private static func days(_ workshop: Workshop, of link: LinkID) async throws -> [Int] {
        try await workshop.store.inner.blocks(of: link, days: 0...100_000, after: nil, limit: 100_000).map(\.key.day)
    }

    @Test func keepsAsManyWholeDaysAsItIsToldTo() async throws {
        var configuration = ServiceConfiguration()
        configuration.clickRetentionDays = 3
        let workshop = try await Workshop.withShop(configuration: configuration)
        let link = try await workshop.created("a")
        let today = workshop.clock.now.day
        try await workshop.store.inner.append(Self.blocks(link, days: today - 5...today))
        await workshop.service.purge()
        #expect(try await Self.days(workshop, of: link) == [today - 3, today - 2, today - 1, today])
        // The last moment of the day, and the first one of the next.
        let rest = Timestamp.secondsOfDay * 1_000 - workshop.clock.now.rawValue % (Timestamp.secondsOfDay * 1_000)
        workshop.clock.advance(milliseconds: rest - 1)
        await workshop.service.purge()
        #expect(try await Self.days(workshop, of: link).first == today - 3)
        workshop.clock.advance(milliseconds: 1)
        await workshop.service.purge()
        #expect(try await Self.days(workshop, of: link).first == today - 2)
    }

    @Test func dropsManyInStepsSoThatOthersGetTheirTurn() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.created("a")
        try await workshop.store.inner.append(Self.blocks(link, days: 1...2, each: 2_500))
        await workshop.service.purge()
        #expect(workshop.store.calls(.dropClicks) == 3)
        #expect(try await Self.days(workshop, of: link).isEmpty)
    }

    @Test func goesOnWithTheNextPurgeWhereTheStoreFailed() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.created("a")
        try await workshop.store.inner.append(Self.blocks(link, days: 1...1))
        workshop.store.fail(.dropClicks)
        await workshop.service.purge()
        #expect(try await Self.days(workshop, of: link) == [1])
        workshop.store.fail(.dropClicks, false)
        await workshop.service.purge()
        #expect(try await Self.days(workshop, of: link).isEmpty)
    }
}

extension Workshop {
    fileprivate func created(_ slug: String) async throws -> LinkID {
        try await create(slug, LinkContent()).id
    }
}
