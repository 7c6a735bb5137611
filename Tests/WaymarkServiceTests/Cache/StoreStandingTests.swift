import Testing
import WaymarkLinks
import WaymarkService

/// What is served from memory while changes by other servers may be missed, and while the store is away.
@Suite struct StoreStandingTests {
    private let changes: AsyncStream<StoreChange>.Continuation
    private let stream: AsyncStream<StoreChange>

    init() {
        (stream, changes) = AsyncStream.makeStream()
    }

    /// A shop whose changes are heard of, with a link that is in memory.
    private func shop(staleness: Int64 = 60_000) async throws -> (Workshop, CachedLink) {
        var configuration = ServiceConfiguration()
        configuration.staleness = staleness
        let workshop = try await Workshop.withShop(configuration: configuration)
        let (stream, reads) = (stream, workshop.store.calls(.applications))
        Task { await workshop.service.follow(stream) }
        changes.yield(.everything)
        // What follows once it was taken over.
        await until { workshop.store.calls(.applications) > reads }
        _ = try await workshop.create("one")
        return (workshop, try #require(try await workshop.load("one")))
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func asksAgainAfterASecondWhileChangesMayBeMissed() async throws {
        let (workshop, link) = try await shop()
        #expect(try workshop.cached("one") === link)
        changes.yield(.interrupted)
        await until { link.isStale }
        #expect(try workshop.cached("one") == nil)
        let again = try #require(try await workshop.load("one"))
        #expect(again !== link)
        // No event loop keeps it, and for a second it is good enough.
        #expect(again.isStale)
        workshop.clock.advance(milliseconds: 999)
        #expect(try workshop.cached("one") === again)
        workshop.clock.advance(milliseconds: 1)
        #expect(try workshop.cached("one") == nil)
        #expect(try await workshop.load("one") !== again)
        #expect(workshop.store.calls(.link) == 3)
    }

    @Test func goesOnWithWhatItRemembersWhileTheStoreIsAway() async throws {
        let (workshop, link) = try await shop(staleness: 60_000)
        workshop.store.fail(.ping)
        workshop.store.fail(.link)
        changes.yield(.interrupted)
        await until { workshop.service.standing.isAway }
        workshop.clock.advance(milliseconds: 58_000)
        #expect(try workshop.cached("one") === link)
        #expect(try await workshop.load("one") === link)
        await #expect(throws: StoreError.self) { try await workshop.load("other") }
        // The configured time, from the last sign that changes were heard of.
        workshop.clock.advance(milliseconds: 2_000)
        #expect(try workshop.cached("one") == nil)
        await #expect(throws: StoreError.self) { try await workshop.load("one") }
    }

    @Test func comesBackByItself() async throws {
        let (workshop, link) = try await shop()
        workshop.store.fail(.ping)
        workshop.store.fail(.link)
        changes.yield(.interrupted)
        await until { workshop.service.standing.isAway }
        workshop.store.fail(.ping, false)
        workshop.store.fail(.link, false)
        await until { workshop.service.standing.mode == .doubtful }
        #expect(try workshop.cached("one") == nil)
        changes.yield(.everything)
        await until { workshop.service.standing.mode == .followed }
        let fresh = try #require(try await workshop.load("one"))
        #expect(fresh !== link && !fresh.isStale)
        workshop.clock.advance(milliseconds: 1_000_000)
        #expect(try workshop.cached("one") === fresh)
    }

    @Test func servesNothingThatMayHaveBeenMissed() async throws {
        let (workshop, link) = try await shop()
        changes.yield(.everything)
        await until { link.isStale }
        #expect(try workshop.cached("one") == nil)
        // The store does not answer although nobody has said so yet: better than nothing.
        workshop.store.fail(.link)
        #expect(try await workshop.load("one") === link)
        workshop.store.fail(.link, false)
        #expect(try await workshop.load("one") !== link)
    }

    @Test func forgetsALinkThatTheStoreNoLongerHas() async throws {
        let (workshop, link) = try await shop()
        changes.yield(.interrupted)
        await until { link.isStale }
        _ = try await workshop.store.inner.delete(link.link.id, expecting: nil)
        #expect(try await workshop.load("one") == nil)
        workshop.store.fail(.ping)
        workshop.store.fail(.link)
        await until { workshop.service.standing.isAway }
        #expect(try workshop.cached("one") == nil)
    }

    @Test func waitsAShortTimeOnlyWhereItHasSomethingToServe() async throws {
        let (workshop, link) = try await shop()
        let gate = Gate()
        workshop.store.before(.link) { await gate.pass() }
        changes.yield(.interrupted)
        await until { link.isStale }
        #expect(try await workshop.load("one") === link)
        gate.open()
    }

    @Test func tellsAppsThatTheStoreIsAwayAndNothingFromMemory() async throws {
        let (workshop, _) = try await shop()
        workshop.store.fail(.ping)
        workshop.store.fail(.link)
        let request = ResolveRequest(
            target: .smartlink(try host("go.example.com"), try slug("one"), query: nil), asker: nil)
        guard case .answered = try await workshop.service.resolve(request) else {
            Issue.record("it is in memory")
            return
        }
        changes.yield(.interrupted)
        await until { workshop.service.standing.isAway }
        await #expect(throws: StoreError.self) { try await workshop.service.resolve(request) }
    }

    @Test func takesChangesOverWhileApplicationsAreBeingRead() async throws {
        let (workshop, link) = try await shop()
        let gate = Gate()
        workshop.store.before(.applications) { await gate.pass() }
        changes.yield(.applications)
        await gate.waitForArrivals()
        changes.yield(.link(link.link.id, link.link.domain, link.link.slug))
        await until { link.isStale }
        #expect(try workshop.cached("one") == nil)
        gate.open()
    }
}
