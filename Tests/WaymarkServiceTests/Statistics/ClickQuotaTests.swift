import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct ClickQuotaTests {
    private func visit(
        _ quota: ClickQuota, at now: Timestamp = Timestamp(rawValue: .max)
    ) async throws -> ClickQuota.Admission {
        if let admission = quota.admitAtOnce(at: now) { return admission }
        return try await quota.admit()
    }

    private func quota(of text: String, in fixture: ServiceFixture) async throws -> ClickQuota {
        try #require(try await fixture.load(text)?.quota)
    }

    @Test func unlimitedLinksHaveNone() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        #expect(try await fixture.load("one")?.quota == nil)
    }

    @Test(arguments: [1, 2, 63, 64, 100, 1_000])
    func `as many clicks as the limit are admitted concurrently`(limit: Int) async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: limit))
        let quota = try await quota(of: "one", in: fixture)
        let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var admitted = 0
                    for _ in 0..<(limit / 20 + 20) where try await visit(quota) == .admitted { admitted += 1 }
                    return admitted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(admitted == limit)
        #expect(quota.isExhausted)
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == limit)
    }

    @Test func twoServersTogetherNeverExceedTheLimitAndWasteNothing() async throws {
        let fixture = try await ServiceFixture.withShop()
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        _ = try await fixture.create("one", LinkContent(maxClicks: 500))
        let lookup = try await neighbour.load(at: try host("go.example.com"), slug: try slug("one"))
        guard case .found(let theirs, _) = lookup, let other = theirs.quota else {
            Issue.record("\(lookup)")
            return
        }
        let ours = try await quota(of: "one", in: fixture)
        var admitted = 0
        for _ in 0..<600 {
            if try await visit(ours) == .admitted { admitted += 1 }
            if try await visit(other) == .admitted { admitted += 1 }
        }
        #expect(admitted == 500)
    }

    @Test func oneStoreCallServesTheVisitsThatWaitForIt() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one", LinkContent(maxClicks: 1_000_000))
        let quota = try await quota(of: "one", in: fixture)
        let gate = Gate()
        fixture.store.before(.reserveClicks) { () async throws(StoreError) in await gate.pass() }
        let admissions = try await withThrowingTaskGroup(of: ClickQuota.Admission.self) { group in
            for _ in 0..<200 { group.addTask { try await quota.admit() } }
            await gate.waitForArrivals()
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(admissions.count == 200)
        #expect(admissions.allSatisfy { $0 == .admitted })
        #expect(fixture.store.calls(.reserveClicks) == 1, "256 clicks were reserved at once")
    }

    @Test func `nobody is admitted while the store is away`() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one", LinkContent(maxClicks: 10))
        let quota = try await quota(of: "one", in: fixture)
        fixture.store.fail(.reserveClicks)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { do { _ = try await quota.admit(); return false } catch { return true } }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 20)
        fixture.store.fail(.reserveClicks, false)
        #expect(try await visit(quota) == .admitted)
    }

    @Test func aReservationWhoseAnswerIsLostIsNotWasted() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 100))
        let quota = try await quota(of: "one", in: fixture)
        let count = Counter()
        // Every second answer is lost.
        fixture.store.after(.reserveClicks) { () async throws(StoreError) in
            if !count.next().isMultiple(of: 2) { throw .unavailable("away") }
        }
        var admitted = 0
        for _ in 0..<400 where (try? await visit(quota)) == .admitted { admitted += 1 }
        #expect(admitted == 100)
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 100)
    }

    @Test func stoppingGivesBackAReservationThatWasNotAnswered() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        let quota = try await quota(of: "one", in: fixture)
        fixture.store.fail(.reserveClicks, afterwards: true)
        await #expect(throws: StoreError.unavailable("away")) { try await quota.admit() }
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 100)
        fixture.store.fail(.reserveClicks, false, afterwards: true)
        await fixture.service.stop()
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 0)
    }

    @Test func anEvictedLinksUnansweredReservationIsGivenBack() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 0
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        fixture.store.fail(.reserveClicks, afterwards: true)
        do {
            let quota = try await quota(of: "one", in: fixture)
            await #expect(throws: StoreError.unavailable("away")) { try await quota.admit() }
        }
        fixture.store.fail(.reserveClicks, false, afterwards: true)
        await fixture.service.stop()
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 0)
    }

    @Test func `a click that is given back twice counts once`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        let lookup = try await neighbour.load(at: link.domain, slug: link.slug)
        guard case .found(let theirs, _) = lookup, let other = theirs.quota else {
            Issue.record("\(lookup)")
            return
        }
        #expect(try await visit(other) == .admitted)
        let ours = try await quota(of: "one", in: fixture)
        #expect(try await visit(ours) == .admitted)
        fixture.store.fail(.releaseClicks, afterwards: true)
        await fixture.service.stop()
        fixture.store.fail(.releaseClicks, false, afterwards: true)
        await fixture.service.stop()
        #expect(
            try await fixture.store.inner.link(link.id)?.reservedClicks == 101, "100 of the neighbour, and one visit")
    }

    @Test func stoppingGivesBackWhatWhatWasNotUsed() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        let quota = try await quota(of: "one", in: fixture)
        for _ in 0..<3 { #expect(try await visit(quota) == .admitted) }
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 100)
        await fixture.service.stop()
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 3)
        #expect(try await visit(quota) == .changed)
    }

    @Test func `the reservation of an evicted link is given back`() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 0
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        do {
            let quota = try await quota(of: "one", in: fixture)
            #expect(try await visit(quota) == .admitted)
        }
        // Nobody holds the link any more; the next round of writing down takes care of the rest.
        await fixture.service.stop()
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 1)
    }

    @Test func `an evicted link gives clicks back while a loop refers to it`() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 0
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        let quota = try await quota(of: "one", in: fixture)
        #expect(try await visit(quota) == .admitted)
        // Loaded again, and at once evicted again.
        _ = try await fixture.load("one")
        await fixture.service.quotas.releaseLeftovers()
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 1)
        #expect(!quota.isExhausted)
        #expect(try await visit(quota) == .admitted)
    }

    @Test func aPatchedLimitHoldsAtOnce() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        let old = try await quota(of: "one", in: fixture)
        for _ in 0..<5 { #expect(try await visit(old) == .admitted) }
        let outcome: PatchOutcome<Never> = try await fixture.service.patch(
            link.domain, link.slug, for: .all, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 7))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try await visit(old) == .changed)
        let new = try await quota(of: "one", in: fixture)
        var admitted = 0
        for _ in 0..<20 where try await visit(new) == .admitted { admitted += 1 }
        #expect(admitted == 2)
    }

    @Test func clicksFromBeforeTheLimitCountUnderItAlsoUnwrittenOnes() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let buffer = fixture.service.clicks.makeBuffer()
        for _ in 0..<4 { buffer.record(.person(link.id)) }
        let outcome: PatchOutcome<Never> = try await fixture.service.patch(
            link.domain, link.slug, for: .all, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 5))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let quota = try await quota(of: "one", in: fixture)
        #expect(try await visit(quota) == .admitted)
        #expect(try await visit(quota) == .exhausted)
    }

    @Test func aReservationThatComesBackAfterAPatchIsGivenBack() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        let old = try await quota(of: "one", in: fixture)
        let gate = Gate()
        fixture.store.after(.reserveClicks) { () async throws(StoreError) in await gate.pass() }
        async let admission = old.admit()
        await gate.waitForArrivals()
        fixture.store.after(.reserveClicks, nil)
        let outcome: PatchOutcome<Never> = try await fixture.service.patch(
            link.domain, link.slug, for: .all, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 1))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        gate.open()
        #expect(try await admission == .changed)
        #expect(try await fixture.store.inner.link(link.id)?.reservedClicks == 0)
        let new = try await quota(of: "one", in: fixture)
        #expect(try await visit(new) == .admitted)
        #expect(try await visit(new) == .exhausted)
    }

    @Test func clicksThatAnotherServerGaveBackAreSeenAfterASecond() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 1))
        #expect(try await fixture.store.inner.reserveClicks(link.id, upTo: 1, as: .once) == 1)
        let quota = try await quota(of: "one", in: fixture)
        #expect(try await visit(quota) == .exhausted)
        let calls = fixture.store.calls(.reserveClicks)
        try await fixture.store.inner.releaseClicks(link.id, count: 1, as: .once)
        #expect(try await visit(quota) == .exhausted)
        #expect(fixture.store.calls(.reserveClicks) == calls, "an exhausted link does not wear the store out")
        fixture.clock.advance(milliseconds: 1_000)
        #expect(try await visit(quota) == .admitted)
    }

    @Test func freeClicksEndWithTheLimitOfOtherServersWithinASecond() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 1))
        let quota = try await quota(of: "one", in: fixture)
        for _ in 0..<3 { #expect(try await quota.check() == .admitted) }
        #expect(fixture.store.calls(.linkByID) == 1, "the store is asked once a second")
        #expect(try await fixture.store.inner.reserveClicks(link.id, upTo: 1, as: .once) == 1)
        fixture.clock.advance(milliseconds: 1_000)
        for _ in 0..<3 { #expect(try await quota.check() == .exhausted) }
        #expect(fixture.store.calls(.linkByID) == 2)
    }

    @Test func theCachedLinkItselfNeverLooksExhausted() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 1))
        try await fixture.store.inner.addClicks([link.id: 1], as: .once)
        let cached = try #require(try await fixture.load("one"))
        #expect(cached.quota?.isExhausted == true)
        #expect(cached.link.state(at: fixture.clock.now) == .active)
        #expect(cached.exhaustedLink.state(at: fixture.clock.now) == .exhausted)
    }

    @Test func anEventLoopIsToldAtOnceWhatIsKnown() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one", LinkContent(maxClicks: 1))
        let quota = try await quota(of: "one", in: fixture)
        let now = fixture.clock.now
        #expect(quota.admitAtOnce(at: now) == nil, "only the store can tell")
        #expect(try await quota.admit() == .admitted)
        #expect(quota.admitAtOnce(at: now) == nil)
        #expect(try await quota.admit() == .exhausted)
        #expect(quota.admitAtOnce(at: now) == .exhausted)
        #expect(quota.admitAtOnce(at: Timestamp(rawValue: now.rawValue + 1_000)) == nil)
    }

    @Test func aLinkReadBeforeAPatchDoesNotBringTheOldLimitBack() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 6_400))
        let read = Gate()
        fixture.store.after(.link) { () async throws(StoreError) in await read.pass() }
        async let visit = fixture.load("one")
        await read.waitForArrivals()
        fixture.store.after(.link, nil)
        let outcome: PatchOutcome<Never> = try await fixture.service.patch(
            link.domain, link.slug, for: .all, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 2))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        read.open()
        let held = try #require(try await visit)
        let old = try #require(held.quota)
        let new = try await quota(of: "one", in: fixture)
        #expect(old !== new)
        var admitted = 0
        for _ in 0..<10 {
            if try await self.visit(old) == .admitted { admitted += 1 }
            if try await self.visit(new) == .admitted { admitted += 1 }
        }
        #expect(admitted == 2)
    }
}
