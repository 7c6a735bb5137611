import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct ResolveTests {
    private func request(
        _ text: String = "one", redeems: Bool = true, asker: ApplicationReach = .all, key: IdempotencyKey? = nil,
        query: String? = nil, platform: Platform = .web
    ) throws -> ResolveInput {
        ResolveInput(
            target: .smartlink(try host("go.example.com"), try slug(text), opened: OpenedSuffix(query: query)),
            platform: platform,
            redeems: redeems, asker: asker, idempotency: key)
    }

    private func answer(_ outcome: ResolveOutcome) throws -> ResolvedLink {
        guard case .answered(let resolved) = outcome else {
            Issue.record("\(outcome)")
            throw StoreError.unavailable("no answer")
        }
        return resolved
    }

    private func isUnknown(_ outcome: ResolveOutcome) -> Bool {
        if case .unknown = outcome { true } else { false }
    }

    @Test func `as many resolves as the limit receive the metadata`() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one", LinkContent(redeemLimit: 100), metadata: "{\"coupon\":20}")
        let request = try request()
        let answers = try await withThrowingTaskGroup(of: ResolvedLink?.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    guard case .answered(let resolved) = try await fixture.service.resolve(request) else {
                        return nil
                    }
                    return resolved
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let given = answers.compactMap { $0 }.filter { $0.metadata != nil }
        #expect(answers.count { $0 != nil } == 300)
        #expect(given.count == 100)
        #expect(Set(given.map(\.redeem.used)) == Set(1...100))
        #expect(answers.count { $0?.redeem.status == .exhausted } == 200)
    }

    @Test func aReplayGivesTheSameRedeemAndTakesNothing() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(redeemLimit: 2), metadata: "{}")
        let key = fixture.key("k")
        let first = try answer(try await fixture.service.resolve(try request(key: key)))
        let second = try answer(try await fixture.service.resolve(try request(key: key)))
        #expect(first.redeem == Redeem(status: .redeemed, limit: 2, used: 1))
        #expect(second.redeem == first.redeem)
        #expect(!first.isReplay && second.isReplay)
        let today = fixture.clock.now.day
        let days = try await fixture.service.activity(of: link.id, days: today..<today + 1)
        #expect(days.map(\.counts) == [LinkActivity(resolves: 1, redeems: 1)])
        #expect(second.metadata == first.metadata)
        guard
            case .mismatch = try await fixture.service.resolve(
                try request(key: fixture.key("k", body: "{\"other\":true}")))
        else {
            Issue.record("another body was answered")
            return
        }
        #expect(try await fixture.service.find(link.domain, link.slug, for: .all)?.redeemed == 1)
        #expect(try await fixture.service.delete(link.domain, link.slug, for: .all) == .deleted)
        #expect(isUnknown(try await fixture.service.resolve(try request(key: key))))
    }

    @Test func `a resolve without redeeming takes and gives nothing`() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one", LinkContent(redeemLimit: 1), metadata: "{}")
        let resolved = try answer(try await fixture.service.resolve(try request(redeems: false)))
        #expect(resolved.metadata == nil)
        #expect(resolved.redeem == Redeem(status: .skipped, limit: 1, used: 0))
    }

    @Test func aLinkWithoutMetadataIsAnsweredFromTheCache() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        _ = try await fixture.service.resolve(try request())
        fixture.store.fail(.link)
        fixture.store.fail(.redeem)
        let resolved = try answer(try await fixture.service.resolve(try request()))
        #expect(resolved.redeem.status == Redeem.Status.none)
    }

    @Test func metadataNeverComesFromTheCache() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one", metadata: "{}")
        #expect(try answer(try await fixture.service.resolve(try request())).redeem.status == .unlimited)
        fixture.store.fail(.redeem)
        await #expect(throws: StoreError.unavailable("away")) {
            try await fixture.service.resolve(try request())
        }
    }

    @Test func theDeepLinkCarriesTheQueryOfTheAddressAsOpened() async throws {
        let fixture = try await ServiceFixture.withShop()
        let url = try #require(URLPattern("https://shop.example.com/p"))
        _ = try await fixture.create(
            "one",
            LinkContent(
                queryParameters: ["a": "own"],
                urls: [.web: URLEntry(link: url, fallback: nil)]))
        let resolved = try answer(try await fixture.service.resolve(try request(query: "a=theirs&b=2")))
        #expect(resolved.deepLink.url == "https://shop.example.com/p?a=own&b=2")
        #expect(resolved.deepLink.queryParameters == ["a": "own", "b": "2"])
    }

    @Test func aLinkThatIsNotActiveIsNotAnswered() async throws {
        let fixture = try await ServiceFixture.withShop()
        let now = fixture.clock.now
        _ = try await fixture.create("off", LinkContent(disabled: true))
        _ = try await fixture.create("later", LinkContent(validFrom: Timestamp(rawValue: now.rawValue + 1)))
        _ = try await fixture.create("over", LinkContent(expiresAt: now), metadata: "{}")
        for (text, state) in [("off", LinkState.disabled), ("later", .scheduled), ("over", .expired)] {
            guard case .unavailable(state) = try await fixture.service.resolve(try request(text)) else {
                Issue.record("\(text) was answered")
                continue
            }
        }
        fixture.clock.advance(milliseconds: 1)
        _ = try answer(try await fixture.service.resolve(try request("later")))
    }

    @Test func aLinkOfAnotherApplicationIsUnknown() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        #expect(isUnknown(try await fixture.service.resolve(try request(asker: .one(try id("other"))))))
        _ = try answer(try await fixture.service.resolve(try request(asker: .one(try id("shop")))))
        #expect(isUnknown(try await fixture.service.resolve(try request("none"))))
    }

    @Test func aClickIDResolvesOnEveryServerForThirtyDays() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", metadata: "{}")
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        let mint = fixture.service.makeClickIDMint()
        let clickID = mint.make(for: link.id, now: fixture.clock.now, counted: true)
        let request = ResolveInput(target: .clickID(clickID.text), asker: .all)
        #expect(try answer(try await neighbour.resolve(request)).metadata != nil)
        let other = ResolveInput(target: .clickID(clickID.text), asker: .one(try id("other")))
        #expect(isUnknown(try await neighbour.resolve(other)))
        fixture.clock.advance(milliseconds: 30 * 24 * 60 * 60 * 1000 + 1000)
        #expect(isUnknown(try await neighbour.resolve(request)))
    }

    @Test func aForgedClickIDIsUnknown() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let foreign = try ServiceFixture()
        foreign.random.script([[9]])
        try await foreign.service.load()
        let mint = foreign.service.makeClickIDMint()
        let forged = mint.make(for: link.id, now: fixture.clock.now, counted: true)
        for text in [forged.text, ClickID.placeholder.text, "", "x"] {
            let request = ResolveInput(target: .clickID(text), asker: .all)
            #expect(isUnknown(try await fixture.service.resolve(request)))
        }
    }

    @Test func clickIDsOfOneSecondDiffer() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let one = fixture.service.makeClickIDMint()
        let other = fixture.service.makeClickIDMint()
        var ids: Set<ClickID> = []
        for _ in 0..<100 {
            ids.insert(one.make(for: link.id, now: fixture.clock.now, counted: true))
            ids.insert(other.make(for: link.id, now: fixture.clock.now, counted: true))
        }
        #expect(ids.count == 200)
    }

    @Test(arguments: [true, false])
    func aCountedClicksIDIsAnsweredAlthoughTheClicksAreUsedUp(counted: Bool) async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 1))
        try await fixture.store.inner.addClicks([link.id: 1], as: .once)
        let mint = fixture.service.makeClickIDMint()
        let text = mint.make(for: link.id, now: fixture.clock.now, counted: counted).text
        let outcome = try await fixture.service.resolve(ResolveInput(target: .clickID(text), asker: .all))
        switch outcome {
        case .answered: #expect(counted)
        case .unavailable(let state): #expect(!counted && state == .exhausted)
        default: Issue.record("\(outcome)")
        }
        guard case .unavailable(.exhausted) = try await fixture.service.resolve(try request()) else {
            Issue.record("the smart link itself was answered")
            return
        }
    }
}
