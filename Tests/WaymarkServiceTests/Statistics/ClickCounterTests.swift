import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct ClickCounterTests {
    private func clicks(of link: Link, in fixture: ServiceFixture) async throws -> Int? {
        try await fixture.store.inner.link(link.id)?.clicks
    }

    @Test func clicksOfAllLoopsAndTasksReachTheStore() async throws {
        let fixture = try await ServiceFixture.withShop()
        let one = try await fixture.create("one")
        let two = try await fixture.create("two")
        let counter = fixture.service.clicks
        let loops = [counter.makeBuffer(), counter.makeBuffer()]
        for _ in 0..<1_000 {
            loops[0].record(.person(one.id))
            loops[1].record(.person(one.id))
            loops[1].record(.person(two.id))
        }
        counter.record(.person(two.id))
        try await counter.flush()
        #expect(try await clicks(of: one, in: fixture) == 2_000)
        #expect(try await clicks(of: two, in: fixture) == 1_001)
        #expect(fixture.store.calls(.addClicks) == 1)
        try await counter.flush()
        #expect(fixture.store.calls(.addClicks) == 1, "nothing new, nothing to write")
    }

    @Test func `clicks are kept while the store is away`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let counter = fixture.service.clicks
        let buffer = counter.makeBuffer()
        fixture.store.fail(.addClicks)
        for _ in 0..<5 {
            for _ in 0..<100 { buffer.record(.person(link.id)) }
            await #expect(throws: StoreError.unavailable("away")) { try await counter.flush() }
        }
        #expect(counter.pendingLinks == 2, "the link of the batch that was sent, and what came later")
        fixture.store.fail(.addClicks, false)
        try await counter.flush()
        #expect(try await clicks(of: link, in: fixture) == 500)
        #expect(counter.dropped == 0)
        #expect(counter.pendingLinks == 0)
    }

    @Test func `a full buffer is emptied by its own loop`() async throws {
        var configuration = ServiceConfiguration()
        configuration.clickBufferCapacity = 8
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one")
        let counter = fixture.service.clicks
        let buffer = counter.makeBuffer()
        // Within one call: a reader that is woken at the half comes too late for most.
        for _ in 0..<10_000 { buffer.record(.person(link.id)) }
        try await counter.flush()
        #expect(counter.dropped == 0)
        #expect(try await clicks(of: link, in: fixture) == 10_000)
    }

    @Test func linksThatWaitForTheStoreAreBounded() async throws {
        var configuration = ServiceConfiguration()
        configuration.pendingClickLinks = 3
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let counter = fixture.service.clicks
        for number in 1...5 {
            counter.record(.person(LinkID(rawValue: Int64(number))))
            counter.record(.person(LinkID(rawValue: Int64(number))))
        }
        #expect(counter.pendingLinks == 3)
        #expect(counter.dropped == 4)
    }

    @Test func manyLinksAreWrittenInSeveralTransactions() async throws {
        let fixture = try await ServiceFixture.withShop()
        let counter = fixture.service.clicks
        let link = try await fixture.create("one")
        for number in 0..<4_500 { counter.record(.person(LinkID(rawValue: link.id.rawValue + Int64(number)))) }
        try await counter.flush()
        #expect(fixture.store.calls(.addClicks) == 3)
        #expect(try await clicks(of: link, in: fixture) == 1)
    }

    @Test func aFailureHalfwayWritesNothingTwice() async throws {
        let fixture = try await ServiceFixture.withShop()
        var links: [Link] = []
        for number in 0..<2_500 { links.append(try await fixture.create("link-\(number)")) }
        let counter = fixture.service.clicks
        for link in links { counter.record(.person(link.id)) }
        let count = Counter()
        fixture.store.before(.addClicks) { () async throws(StoreError) in
            if count.next() == 2 { throw .unavailable("away") }
        }
        await #expect(throws: StoreError.unavailable("away")) { try await counter.flush() }
        try await counter.flush()
        for link in links { #expect(try await clicks(of: link, in: fixture) == 1) }
    }

    @Test func aBatchWhoseAnswerIsLostIsCountedOnce() async throws {
        let fixture = try await ServiceFixture.withShop()
        let one = try await fixture.create("one")
        let two = try await fixture.create("two")
        let counter = fixture.service.clicks
        fixture.store.fail(.addClicks, afterwards: true)
        for round in 1...3 {
            counter.record(.person(one.id))
            if round > 1 { counter.record(.person(two.id)) }
            await #expect(throws: StoreError.unavailable("away")) { try await counter.flush() }
        }
        #expect(try await clicks(of: one, in: fixture) == 1, "the first batch is sent until it is answered")
        fixture.store.fail(.addClicks, false, afterwards: true)
        try await counter.flush()
        #expect(try await clicks(of: one, in: fixture) == 3)
        #expect(try await clicks(of: two, in: fixture) == 2)
        #expect(counter.pendingLinks == 0 && counter.dropped == 0)
    }

    @Test func activityWhoseAnswerIsLostIsCountedOnce() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let request = ResolveInput(target: .smartlink(link.domain, link.slug, opened: nil), asker: .all)
        let today = fixture.clock.now.day
        fixture.store.fail(.addActivity, afterwards: true)
        for _ in 0..<3 {
            _ = try await fixture.service.resolve(request)
            await #expect(throws: StoreError.unavailable("away")) {
                try await fixture.service.activity(of: link.id, days: today..<today + 1)
            }
        }
        fixture.store.fail(.addActivity, false, afterwards: true)
        let days = try await fixture.service.activity(of: link.id, days: today..<today + 1)
        #expect(days.map(\.counts) == [LinkActivity(resolves: 3)])
    }

    @Test func `no click is lost between a loop and a flush`() async throws {
        var configuration = ServiceConfiguration()
        configuration.clickBufferCapacity = 64
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one")
        let counter = fixture.service.clicks
        let buffer = counter.makeBuffer()
        let recorded = 100_000
        await withTaskGroup(of: Void.self) { group in
            // One task is the loop: only it records.
            group.addTask { for _ in 0..<recorded { buffer.record(.person(link.id)) } }
            group.addTask { for _ in 0..<1_000 { try? await counter.flush() } }
            group.addTask { for _ in 0..<1_000 { try? await counter.flush() } }
        }
        try await counter.flush()
        let written = try #require(try await clicks(of: link, in: fixture))
        #expect(written == recorded)
        #expect(counter.dropped == 0)
    }

    @Test func stoppingWritesTheLastClicksDown() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let buffer = fixture.service.clicks.makeBuffer()
        buffer.record(.person(link.id))
        await fixture.service.stop()
        #expect(try await clicks(of: link, in: fixture) == 1)
    }
}
