import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// Deferred deep links: what an app finds at its first start.
@Suite struct ClaimTests {
    private func request(
        by installation: String = "phone", referrer: String? = nil, clipboard: String? = nil, app: String = "shop",
        key: IdempotencyKey? = nil, platform: Platform = .iphone
    ) throws -> ClaimInput {
        ClaimInput(
            application: try #require(ApplicationID(app)), platform: platform, installation: installation,
            referrer: referrer, clipboard: clipboard, idempotency: key)
    }

    /// The id of a click that was counted at the workshop's time.
    private func click(_ link: Link, in fixture: ServiceFixture, counted: Bool = true) -> String {
        let mint = fixture.service.makeClickIDMint()
        return mint.make(for: link.id, now: fixture.clock.now, counted: counted).text
    }

    private func match(_ answer: ClaimAnswering) -> (ResolvedLink, ClaimRecord.Method)? {
        if case .matched(let resolved, let method) = answer { (resolved, method) } else { nil }
    }

    @Test func findsTheClickInTheReferrer() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(redeemLimit: 1), metadata: "{}")
        let id = click(link, in: fixture)
        let referrers = ["waymark=\(id)&deeplink=shop%3A%2F%2Fx&utm_source=mail", "waymark%3D\(id)%26deeplink%3Dx"]
        for referrer in referrers {
            let claim = try request(referrer: referrer, platform: .android)
            let (resolved, method) = try #require(match(try await fixture.service.claim(claim)))
            #expect(method == .referrer)
            #expect(resolved.link.id == link.id)
            #expect(resolved.redeem == Redeem(status: .redeemed, limit: 1, used: 1))
            #expect(resolved.metadata == Array("{}".utf8))
        }
        #expect(fixture.service.claimFigures.count(.referrer) == 2)
        let today = fixture.clock.now.day
        let days = try await fixture.service.activity(of: link.id, days: today..<today + 1)
        #expect(
            days.map(\.counts) == [LinkActivity(redeems: 1, claims: 1, androidInstalls: 1)],
            "the second gives the first answer again")
    }

    /// Only Play passes a referrer, but any client may send one.
    @Test func countsNoInstallationOfAndroidForOtherPlatforms() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let claim = try request(referrer: "waymark=\(click(link, in: fixture))", platform: .iphone)
        #expect(match(try await fixture.service.claim(claim)) != nil)
        let today = fixture.clock.now.day
        let days = try await fixture.service.activity(of: link.id, days: today..<today + 1)
        #expect(days.map(\.counts) == [LinkActivity(claims: 1)])
    }

    @Test func findsTheClickOnTheClipboardWithWhatTheLinkWasOpenedWith() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(queryParameters: ["ref": "ana"]))
        let id = click(link, in: fixture)
        let clipboard = " https://go.example.com/one?color=red&ref=eve&_hk_cid=\(id)\n"
        let (resolved, method) = try #require(match(try await fixture.service.claim(request(clipboard: clipboard))))
        #expect(method == .clipboard)
        #expect(resolved.deepLink.queryParameters == ["ref": "ana", "color": "red"])
    }

    @Test func looksAtTheClipboardWhereTheReferrerGivesNothing() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let clipboard = "https://go.example.com/one?_hk_cid=\(click(link, in: fixture))"
        let answer = try await fixture.service.claim(request(referrer: "utm_source=google-play", clipboard: clipboard))
        #expect(match(answer)?.1 == .clipboard)
    }

    @Test(arguments: [
        "", "hello", "https://go.example.com/one", "https://go.example.com/one?_hk_cid=", "shop://x?_hk_cid=A",
        "https://go.example.com/one?_hk_cid=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "https://a/?" + String(repeating: "a=b&", count: 100),
    ])
    func givesNothingForWhatHoldsNoClick(text: String) async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        #expect(match(try await fixture.service.claim(request(referrer: text, clipboard: text))) == nil)
        #expect(fixture.store.calls(.claim) == 0)
        #expect(fixture.service.claimFigures.count(.unmatched) == 1)
    }

    @Test func endsWithTheClickID() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let referrer = "waymark=\(click(link, in: fixture))"
        #expect(match(try await fixture.service.claim(request(referrer: referrer))) != nil)
        fixture.clock.advance(milliseconds: 30 * 24 * 60 * 60 * 1_000)
        // The id still holds in this second, and the claim is remembered as long.
        #expect(match(try await fixture.service.claim(request(by: "other", referrer: referrer))) == nil)
        await fixture.service.purge()
        #expect(match(try await fixture.service.claim(request(by: "other", referrer: referrer))) == nil)
    }

    @Test func anAnswerThatWasLostIsGivenAgainAndTakesNothing() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(redeemLimit: 2), metadata: "{}")
        let referrer = "waymark=\(click(link, in: fixture))"
        // Committed, and the process dies before it can say so.
        fixture.store.fail(.claim, afterwards: true)
        await #expect(throws: StoreError.self) { try await fixture.service.claim(request(referrer: referrer)) }
        fixture.store.fail(.claim, false, afterwards: true)
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        let (resolved, _) = try #require(match(try await neighbour.claim(request(referrer: referrer))))
        #expect(resolved.redeem == Redeem(status: .redeemed, limit: 2, used: 1))
        #expect(match(try await neighbour.claim(request(by: "other", referrer: referrer))) == nil)
        #expect(try await fixture.store.link(link.id)?.redeemed == 1)
    }

    @Test func anIdempotencyKeyHoldsForNoMatchToo() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let key = fixture.key("k")
        #expect(match(try await fixture.service.claim(request(key: key))) == nil)
        let referrer = "waymark=\(click(link, in: fixture))"
        guard
            case .mismatch = try await fixture.service.claim(
                request(referrer: referrer, key: fixture.key("k", body: "[]")))
        else {
            Issue.record("another body was answered")
            return
        }
        #expect(match(try await fixture.service.claim(request(referrer: referrer))) != nil)
    }

    @Test func countsTheLastClicksBeforeAClickThatWasNone() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", LinkContent(maxClicks: 1))
        let referrer = "waymark=\(click(link, in: fixture, counted: false))"
        fixture.service.clicks.record(.person(link.id))
        #expect(match(try await fixture.service.claim(request(referrer: referrer))) == nil)
        let counted = "waymark=\(click(link, in: fixture))"
        #expect(match(try await fixture.service.claim(request(referrer: counted))) != nil)
    }
}
