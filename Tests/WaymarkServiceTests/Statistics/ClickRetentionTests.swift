import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// How long records of clicks are kept.
@Suite struct ClickRetentionTests {
    private static func blocks(_ link: LinkID, days: ClosedRange<Int>, each: Int = 1) -> [ClickBlock] {
        days.flatMap { day in
            (0..<each).map {
                ClickBlock(key: ClickBlock.Key(link: link, day: day, number: Int64($0)), bytes: [1])
            }
        }
    }

    private static func days(_ fixture: ServiceFixture, of link: LinkID) async throws -> [Int] {
        try await fixture.store.inner.blocks(of: link, days: 0...100_000, after: nil, limit: 100_000).map(\.key.day)
    }

    @Test func keepsAsManyWholeDaysAsItIsToldTo() async throws {
        var configuration = ServiceConfiguration()
        configuration.clickRetentionDays = 3
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.created("a")
        let today = fixture.clock.now.day
        try await fixture.store.inner.append(Self.blocks(link, days: today - 5...today))
        await fixture.service.purge()
        #expect(try await Self.days(fixture, of: link) == [today - 3, today - 2, today - 1, today])
        // The last moment of the day, and the first one of the next.
        let rest = Timestamp.secondsOfDay * 1_000 - fixture.clock.now.rawValue % (Timestamp.secondsOfDay * 1_000)
        fixture.clock.advance(milliseconds: rest - 1)
        await fixture.service.purge()
        #expect(try await Self.days(fixture, of: link).first == today - 3)
        fixture.clock.advance(milliseconds: 1)
        await fixture.service.purge()
        #expect(try await Self.days(fixture, of: link).first == today - 2)
    }

    @Test func dropsManyInStepsSoThatOthersGetTheirTurn() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.created("a")
        try await fixture.store.inner.append(Self.blocks(link, days: 1...2, each: 2_500))
        await fixture.service.purge()
        // The first one looks for records of deleted links.
        #expect(fixture.store.calls(.dropClicks) == 4)
        #expect(try await Self.days(fixture, of: link).isEmpty)
    }

    @Test func goesOnWithTheNextPurgeWhereTheStoreFailed() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.created("a")
        try await fixture.store.inner.append(Self.blocks(link, days: 1...1))
        fixture.store.fail(.dropClicks)
        await fixture.service.purge()
        #expect(try await Self.days(fixture, of: link) == [1])
        fixture.store.fail(.dropClicks, false)
        await fixture.service.purge()
        #expect(try await Self.days(fixture, of: link).isEmpty)
    }

    @Test func `deleted clicks that ClickHouse lacks are counted once`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a", LinkContent())
        let first = fixture.today - ServiceConfiguration().clickRetentionDays
        // Each of three clicks.
        try await fixture.append(link, days: first - 2, first - 1, first)
        for _ in 0..<2 {
            await fixture.service.service.purge()
            #expect(fixture.service.service.expiredUnshippedClicks == 6)
        }
        #expect(try await fixture.waiting() == 9)
    }
}

extension ServiceFixture {
    fileprivate func created(_ slug: String) async throws -> LinkID {
        try await create(slug, LinkContent()).id
    }
}
