import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// What is served from memory while changes by other servers may be missed, and while the store is away.
@Suite struct StoreHealthTests {
    private let changes: AsyncStream<StoreChange>.Continuation
    private let stream: AsyncStream<StoreChange>

    init() {
        (stream, changes) = AsyncStream.makeStream()
    }

    /// A shop whose changes are heard of, with a link that is in memory.
    private func shop(staleness: Int64 = 60_000) async throws -> (ServiceFixture, CachedLink) {
        var configuration = ServiceConfiguration()
        configuration.staleness = staleness
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let (stream, reads) = (stream, fixture.store.calls(.applications))
        Task { await fixture.service.follow(stream) }
        changes.yield(.everything)
        // What follows once it was taken over.
        await until { fixture.store.calls(.applications) > reads }
        _ = try await fixture.create("one")
        return (fixture, try #require(try await fixture.load("one")))
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func asksAgainAfterASecondWhileChangesMayBeMissed() async throws {
        let (fixture, link) = try await shop()
        #expect(try fixture.cached("one") === link)
        changes.yield(.interrupted)
        await until { link.isStale }
        #expect(try fixture.cached("one") == nil)
        let again = try #require(try await fixture.load("one"))
        #expect(again !== link)
        // No event loop keeps it, and for a second it is good enough.
        #expect(again.isStale)
        fixture.clock.advance(milliseconds: 999)
        #expect(try fixture.cached("one") === again)
        fixture.clock.advance(milliseconds: 1)
        #expect(try fixture.cached("one") == nil)
        #expect(try await fixture.load("one") !== again)
        #expect(fixture.store.calls(.link) == 3)
    }

    @Test func goesOnWithWhatItRemembersWhileTheStoreIsAway() async throws {
        let (fixture, link) = try await shop(staleness: 60_000)
        fixture.store.fail(.ping)
        fixture.store.fail(.link)
        changes.yield(.interrupted)
        await until { fixture.service.storeHealth.isAway }
        fixture.clock.advance(milliseconds: 58_000)
        #expect(try fixture.cached("one") === link)
        #expect(try await fixture.load("one") === link)
        await #expect(throws: StoreError.self) { try await fixture.load("other") }
        // The configured time, from the last sign that changes were heard of.
        fixture.clock.advance(milliseconds: 2_000)
        #expect(try fixture.cached("one") == nil)
        await #expect(throws: StoreError.self) { try await fixture.load("one") }
    }

    @Test func comesBackByItself() async throws {
        let (fixture, link) = try await shop()
        fixture.store.fail(.ping)
        fixture.store.fail(.link)
        changes.yield(.interrupted)
        await until { fixture.service.storeHealth.isAway }
        fixture.store.fail(.ping, false)
        fixture.store.fail(.link, false)
        await until { fixture.service.storeHealth.mode == .uncertain }
        #expect(try fixture.cached("one") == nil)
        changes.yield(.everything)
        await until { fixture.service.storeHealth.mode == .live }
        let fresh = try #require(try await fixture.load("one"))
        #expect(fresh !== link && !fresh.isStale)
        fixture.clock.advance(milliseconds: 1_000_000)
        #expect(try fixture.cached("one") === fresh)
    }

    @Test func servesNothingThatMayHaveBeenMissed() async throws {
        let (fixture, link) = try await shop()
        changes.yield(.everything)
        await until { link.isStale }
        #expect(try fixture.cached("one") == nil)
        // The store does not answer although nobody has said so yet: better than nothing.
        fixture.store.fail(.link)
        #expect(try await fixture.load("one") === link)
        fixture.store.fail(.link, false)
        #expect(try await fixture.load("one") !== link)
    }

    @Test func forgetsALinkThatTheStoreNoLongerHas() async throws {
        let (fixture, link) = try await shop()
        changes.yield(.interrupted)
        await until { link.isStale }
        _ = try await fixture.store.inner.delete(link.link.id, expecting: nil, at: Timestamp(rawValue: 0))
        #expect(try await fixture.load("one") == nil)
        fixture.store.fail(.ping)
        fixture.store.fail(.link)
        await until { fixture.service.storeHealth.isAway }
        #expect(try fixture.cached("one") == nil)
    }

    @Test func waitsAShortTimeOnlyWhereItHasSomethingToServe() async throws {
        let (fixture, link) = try await shop()
        let gate = Gate()
        fixture.store.before(.link) { await gate.pass() }
        changes.yield(.interrupted)
        await until { link.isStale }
        #expect(try await fixture.load("one") === link)
        gate.open()
    }

    @Test func tellsAppsThatTheStoreIsAwayAndNothingFromMemory() async throws {
        let (fixture, _) = try await shop()
        fixture.store.fail(.ping)
        fixture.store.fail(.link)
        let request = ResolveInput(
            target: .smartlink(try host("go.example.com"), try slug("one"), opened: nil), asker: .all)
        guard case .answered = try await fixture.service.resolve(request) else {
            Issue.record("it is in memory")
            return
        }
        changes.yield(.interrupted)
        await until { fixture.service.storeHealth.isAway }
        await #expect(throws: StoreError.self) { try await fixture.service.resolve(request) }
    }

    @Test func takesChangesOverWhileApplicationsAreBeingRead() async throws {
        let (fixture, link) = try await shop()
        let gate = Gate()
        fixture.store.before(.applications) { await gate.pass() }
        changes.yield(.applications)
        await gate.waitForArrivals()
        changes.yield(.link(link.link.id, link.link.domain, link.link.slug))
        await until { link.isStale }
        #expect(try fixture.cached("one") == nil)
        gate.open()
    }
}
