import Testing
import WaymarkLinks
import WaymarkService

@Suite struct ClickAllowanceTests {
    private func visit(
        _ allowance: ClickAllowance, at now: Timestamp = Timestamp(rawValue: .max)
    ) async throws -> ClickAllowance.Admission {
        if let admission = allowance.admitAtOnce(at: now) { return admission }
        return try await allowance.admit()
    }

    private func allowance(of text: String, in workshop: Workshop) async throws -> ClickAllowance {
        try #require(try await workshop.load(text)?.allowance)
    }

    @Test func unlimitedLinksHaveNone() async throws {
        let workshop = try await Workshop.withShop()
        _ = try await workshop.create("one")
        #expect(try await workshop.load("one")?.allowance == nil)
    }

    @Test(arguments: [1, 2, 63, 64, 100, 1_000])
    func exactlyAsManyAsTheLimitAreAdmittedWhateverTheConcurrency(limit: Int) async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one", LinkContent(maxClicks: limit))
        let allowance = try await allowance(of: "one", in: workshop)
        let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var admitted = 0
                    for _ in 0..<(limit / 20 + 20) where try await visit(allowance) == .admitted { admitted += 1 }
                    return admitted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(admitted == limit)
        #expect(allowance.isExhausted)
        #expect(try await workshop.store.inner.link(link.id)?.reservedClicks == limit)
    }

    @Test func twoServersTogetherNeverExceedTheLimitAndWasteNothing() async throws {
        let workshop = try await Workshop.withShop()
        let neighbour = workshop.neighbour()
        try await neighbour.load()
        _ = try await workshop.create("one", LinkContent(maxClicks: 500))
        let lookup = try await neighbour.load(at: try host("go.example.com"), slug: try slug("one"))
        guard case .found(let theirs, _) = lookup, let other = theirs.allowance else {
            Issue.record("\(lookup)")
            return
        }
        let ours = try await allowance(of: "one", in: workshop)
        var admitted = 0
        for _ in 0..<600 {
            if try await visit(ours) == .admitted { admitted += 1 }
            if try await visit(other) == .admitted { admitted += 1 }
        }
        #expect(admitted == 500)
    }

    @Test func oneStoreCallServesTheVisitsThatWaitForIt() async throws {
        let workshop = try await Workshop.withShop()
        _ = try await workshop.create("one", LinkContent(maxClicks: 1_000_000))
        let allowance = try await allowance(of: "one", in: workshop)
        let gate = Gate()
        workshop.store.before(.reserveClicks) { () async throws(StoreError) in await gate.pass() }
        let admissions = try await withThrowingTaskGroup(of: ClickAllowance.Admission.self) { group in
            for _ in 0..<200 { group.addTask { try await allowance.admit() } }
            await gate.waitForArrivals()
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(admissions.count == 200)
        #expect(admissions.allSatisfy { $0 == .admitted })
        #expect(workshop.store.calls(.reserveClicks) == 1, "256 clicks were reserved at once")
    }

    @Test func whileTheStoreIsAwayNobodyIsAdmitted() async throws {
        let workshop = try await Workshop.withShop()
        _ = try await workshop.create("one", LinkContent(maxClicks: 10))
        let allowance = try await allowance(of: "one", in: workshop)
        workshop.store.fail(.reserveClicks)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { do { _ = try await allowance.admit(); return false } catch { return true } }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 20)
        workshop.store.fail(.reserveClicks, false)
        #expect(try await visit(allowance) == .admitted)
    }

    @Test func stoppingGivesBackWhatWasNotUsed() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one", LinkContent(maxClicks: 6_400))
        let allowance = try await allowance(of: "one", in: workshop)
        for _ in 0..<3 { #expect(try await visit(allowance) == .admitted) }
        #expect(try await workshop.store.inner.link(link.id)?.reservedClicks == 100)
        await workshop.service.stop()
        #expect(try await workshop.store.inner.link(link.id)?.reservedClicks == 3)
        #expect(try await visit(allowance) == .changed)
    }

    @Test func whatAnEvictedLinkHadReservedIsGivenBack() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 0
        let workshop = try await Workshop.withShop(configuration: configuration)
        let link = try await workshop.create("one", LinkContent(maxClicks: 6_400))
        do {
            let allowance = try await allowance(of: "one", in: workshop)
            #expect(try await visit(allowance) == .admitted)
        }
        // Nobody holds the link any more; the next round of writing down takes care of the rest.
        await workshop.service.stop()
        #expect(try await workshop.store.inner.link(link.id)?.reservedClicks == 1)
    }

    @Test func aPatchedLimitHoldsAtOnce() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one", LinkContent(maxClicks: 6_400))
        let old = try await allowance(of: "one", in: workshop)
        for _ in 0..<5 { #expect(try await visit(old) == .admitted) }
        let outcome: PatchOutcome<Never> = try await workshop.service.patch(
            link.domain, link.slug, for: nil, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 7))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try await visit(old) == .changed)
        let new = try await allowance(of: "one", in: workshop)
        var admitted = 0
        for _ in 0..<20 where try await visit(new) == .admitted { admitted += 1 }
        #expect(admitted == 2)
    }

    @Test func clicksFromBeforeTheLimitCountUnderItAlsoUnwrittenOnes() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one")
        let buffer = workshop.service.clicks.makeBuffer()
        for _ in 0..<4 { buffer.record(.person(link.id)) }
        let outcome: PatchOutcome<Never> = try await workshop.service.patch(
            link.domain, link.slug, for: nil, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 5))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let allowance = try await allowance(of: "one", in: workshop)
        #expect(try await visit(allowance) == .admitted)
        #expect(try await visit(allowance) == .exhausted)
    }

    @Test func aReservationThatComesBackAfterAPatchIsGivenBack() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one", LinkContent(maxClicks: 6_400))
        let old = try await allowance(of: "one", in: workshop)
        let gate = Gate()
        workshop.store.after(.reserveClicks) { () async throws(StoreError) in await gate.pass() }
        async let admission = old.admit()
        await gate.waitForArrivals()
        workshop.store.after(.reserveClicks, nil)
        let outcome: PatchOutcome<Never> = try await workshop.service.patch(
            link.domain, link.slug, for: nil, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 1))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        gate.open()
        #expect(try await admission == .changed)
        #expect(try await workshop.store.inner.link(link.id)?.reservedClicks == 0)
        let new = try await allowance(of: "one", in: workshop)
        #expect(try await visit(new) == .admitted)
        #expect(try await visit(new) == .exhausted)
    }

    @Test func clicksThatAnotherServerGaveBackAreSeenAfterASecond() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one", LinkContent(maxClicks: 1))
        #expect(try await workshop.store.inner.reserveClicks(link.id, upTo: 1) == 1)
        let allowance = try await allowance(of: "one", in: workshop)
        #expect(try await visit(allowance) == .exhausted)
        let calls = workshop.store.calls(.reserveClicks)
        try await workshop.store.inner.releaseClicks(link.id, count: 1)
        #expect(try await visit(allowance) == .exhausted)
        #expect(workshop.store.calls(.reserveClicks) == calls, "an exhausted link does not wear the store out")
        workshop.clock.advance(milliseconds: 1_000)
        #expect(try await visit(allowance) == .admitted)
    }

    @Test func theCachedLinkItselfNeverLooksExhausted() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one", LinkContent(maxClicks: 1))
        try await workshop.store.inner.addClicks([link.id: 1])
        let cached = try #require(try await workshop.load("one"))
        #expect(cached.allowance?.isExhausted == true)
        #expect(cached.link.state(at: workshop.clock.now) == .active)
        #expect(cached.exhaustedLink.state(at: workshop.clock.now) == .exhausted)
    }

    @Test func anEventLoopIsToldAtOnceWhatIsKnown() async throws {
        let workshop = try await Workshop.withShop()
        _ = try await workshop.create("one", LinkContent(maxClicks: 1))
        let allowance = try await allowance(of: "one", in: workshop)
        let now = workshop.clock.now
        #expect(allowance.admitAtOnce(at: now) == nil, "only the store can tell")
        #expect(try await allowance.admit() == .admitted)
        #expect(allowance.admitAtOnce(at: now) == nil)
        #expect(try await allowance.admit() == .exhausted)
        #expect(allowance.admitAtOnce(at: now) == .exhausted)
        #expect(allowance.admitAtOnce(at: Timestamp(rawValue: now.rawValue + 1_000)) == nil)
    }

    @Test func aLinkReadBeforeAPatchDoesNotBringTheOldLimitBack() async throws {
        let workshop = try await Workshop.withShop()
        let link = try await workshop.create("one", LinkContent(maxClicks: 6_400))
        let read = Gate()
        workshop.store.after(.link) { () async throws(StoreError) in await read.pass() }
        async let visit = workshop.load("one")
        await read.waitForArrivals()
        workshop.store.after(.link, nil)
        let outcome: PatchOutcome<Never> = try await workshop.service.patch(
            link.domain, link.slug, for: nil, expecting: nil
        ) { _, _, _ in .change(LinkChange(content: LinkContent(maxClicks: 2))) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
        read.open()
        let held = try #require(try await visit)
        let old = try #require(held.allowance)
        let new = try await allowance(of: "one", in: workshop)
        #expect(old !== new)
        var admitted = 0
        for _ in 0..<10 {
            if try await self.visit(old) == .admitted { admitted += 1 }
            if try await self.visit(new) == .admitted { admitted += 1 }
        }
        #expect(admitted == 2)
    }
}
