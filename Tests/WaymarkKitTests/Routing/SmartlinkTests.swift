import Foundation
import Testing
import WaymarkAPI
import WaymarkKit
import WaymarkKitCompatibility

@MainActor
@Suite struct SmartlinkTests {
    private func router(_ service: StandInService?, domains: [String] = ["go.example.com"]) -> Deeplinking {
        let deeplinking = Deeplinking(
            urlSchemes: ["shop"], domains: domains, resolver: service, creator: service, recorder: service,
            openingTimeLimit: .seconds(3_600))
        try? deeplinking.map("products/:id") { _ in }
        return deeplinking
    }

    @Test func takesTheServicesParametersOffBeforeARouteLooks() {
        let service = StandInService(deeplink: nil)
        let deeplinking = router(service)
        #expect(deeplinking.open("shop://products/42?_hk_cid=C1&a=1"))
        #expect(deeplinking.currentDeeplink?.clickID == "C1")
        #expect(deeplinking.currentDeeplink?.queryParameters == ["a": "1"])
        #expect(service.subjects.isEmpty)
        #expect(service.opened == ["C1"])
    }

    @Test func fetchesAnnouncedMetadataBeforeTheLinkOpens() async {
        let service = StandInService(deeplink: nil, metadata: #"{"coupon": "20", "big": 12345678901234567890}"#)
        let deeplinking = router(service)
        var seen: MetadataValue?
        deeplinking.addFilter { deeplink in
            seen = deeplink.metadata?["coupon"]
            return true
        }
        #expect(await deeplinking.open(resolving: "shop://products/42?_hk_cid=C1&_hk_md=1").deeplink?.wasOpened == true)
        #expect(service.subjects == [.clickID("C1")])
        #expect(seen == "20")
        #expect(deeplinking.currentDeeplink?.metadata?.json.text.contains("12345678901234567890") == true)
    }

    /// What the service wants is there before a filter decides, whichever way the link came.
    @Test func showsTheUpdateThatALinkWants() async {
        let update = AppUpdate(minimumVersion: "4.2", url: "https://apps.apple.com/app/id1")
        let answer = ResolveResponse(
            deeplink: "shop://products/42", route: "products/:id", routeParameters: ["id": "42"], queryParameters: [:],
            metadata: nil, redeem: RedeemCount(limit: nil, used: 0), update: update)
        let deeplinking = router(StandInService(answer: answer))
        var seen: [AppUpdate?] = []
        deeplinking.addFilter { deeplink in
            seen.append(deeplink.update)
            return deeplink.update == nil
        }
        guard case .notOpened = await deeplinking.open(smartlink: "https://go.example.com/x") else {
            Issue.record("the filter was not asked")
            return
        }
        guard case .notOpened = await deeplinking.open(resolving: "shop://products/42?_hk_cid=C1&_hk_md=1") else {
            Issue.record("the filter was not asked")
            return
        }
        guard case .notOpened = deeplinking.open(DeferredDeeplink(answer: answer, match: .referrer)) else {
            Issue.record("the filter was not asked")
            return
        }
        #expect(seen == [update, update, update])
        #expect(deeplinking.open("shop://products/42?_hk_cid=C1"))
        #expect(deeplinking.currentDeeplink?.update == nil)
    }

    @Test func opensWithoutMetadataWhereFetchingFails() async {
        let service = StandInService()
        let deeplinking = router(service)
        #expect(await deeplinking.open(resolving: "shop://products/42?_hk_cid=C1&_hk_md=1").deeplink?.wasOpened == true)
        #expect(deeplinking.currentDeeplink?.metadata == nil)
        #expect(deeplinking.currentDeeplink?.needsMetadata == true)
    }

    @Test func saysAtOnceWhetherThereIsARouteWhileMetadataIsFetched() {
        let deeplinking = router(StandInService(deeplink: nil))
        #expect(deeplinking.open("shop://products/42?_hk_cid=C1&_hk_md=1"))
        #expect(!deeplinking.open("shop://nothing?_hk_cid=C1&_hk_md=1"))
        #expect(deeplinking.currentDeeplink == nil)
    }

    @Test func tellsOfAnOpeningOnce() {
        let service = StandInService(deeplink: nil)
        let deeplinking = router(service)
        let filter = deeplinking.addFilter { _ in false }
        #expect(!deeplinking.open("shop://products/42?_hk_cid=C1"))
        deeplinking.remove(filter)
        deeplinking.openCurrentDeeplink()
        deeplinking.open("shop://products/42")
        #expect(service.opened == ["C1"])
    }

    @Test func opensASmartlinkWithItsMetadata() async throws {
        let service = StandInService(deeplink: "shop://products/42?a=1", metadata: #"{"coupon": "20"}"#)
        let deeplinking = router(service)
        let opening = await deeplinking.open(smartlink: "https://go.example.com/Ab3dE9x?a=1")
        guard case .opened(let deeplink) = opening else {
            Issue.record("not opened: \(opening)")
            return
        }
        #expect(deeplink.routeParameters == ["id": "42"])
        #expect(deeplink.metadata?["coupon"]?.string == "20")
        #expect(deeplink.smartlink == "https://go.example.com/Ab3dE9x?a=1")
        #expect(service.subjects == [.smartlink("https://go.example.com/Ab3dE9x?a=1")])
        #expect(service.opened == [nil])
    }

    @Test func tellsWhoWaitsWhateverHappens() async {
        let unmapped = await router(StandInService(deeplink: "shop://unmapped")).open(smartlink: "x")
        guard case .notOpened(let deeplink) = unmapped else {
            Issue.record("unexpected: \(unmapped)")
            return
        }
        #expect(deeplink.route == nil)

        let failed = await router(StandInService()).open(smartlink: "x")
        guard case .failed(let error) = failed else {
            Issue.record("unexpected: \(failed)")
            return
        }
        #expect(error is StandInService.Failure)
        #expect(failed.deeplink == nil)

        let alone = await withCheckedContinuation { continuation in
            router(nil).openSmartlink("x") { continuation.resume(returning: $0 == nil) }
        }
        #expect(alone)
    }

    @Test func opensAWebPageOrARouteWhereTheLinkHasNoURLOfTheApp() async {
        let web = router(StandInService(deeplink: "https://www.example.com/products/7?b=2"))
        _ = await web.open(smartlink: "x")
        #expect(web.currentDeeplink?.routeParameters == ["id": "7"])

        let answer = ResolveResponse(
            deeplink: nil, route: "products/:id", routeParameters: ["id": "a/b"], queryParameters: ["c": "d e"],
            metadata: nil, redeem: RedeemCount(limit: nil, used: 0))
        let android = Deeplinking(
            dialect: .android, resolver: StandInService(answer: answer), openingTimeLimit: .seconds(3_600))
        try? android.map("products/:id") { _ in }
        _ = await android.open(smartlink: "x")
        #expect(android.currentDeeplink?.routeParameters == ["id": "a/b"])
        #expect(android.currentDeeplink?.queryParameters["c"] == "d e")
    }

    @Test(arguments: [
        ("https://go.example.com/Ab3dE9x", true), ("http://GO.example.COM:8080/Ab3dE9x", true),
        ("https://go.example.com.evil.example/products/1", false), ("https://evil-go.example.com/products/1", false),
        ("https://go.example.com@evil.example/products/1", false), ("https://evil.example/go.example.com", false),
        ("https://sub.go.example.com/products/1", false),
    ])
    func resolvesLinksOfItsOwnHostsOnly(url: String, isOwn: Bool) {
        let deeplinking = router(StandInService(deeplink: "shop://products/1"))
        try? deeplinking.mapDefault { _ in }
        #expect(deeplinking.open(web: url))
        // A link of another host is opened at once, without asking anybody.
        #expect((deeplinking.currentDeeplink == nil) == isOwn)
    }

    @Test func opensTheDefaultRouteWhereALinkOfItsOwnCannotBeResolved() async {
        let deeplinking = router(StandInService())
        await withCheckedContinuation { continuation in
            try? deeplinking.mapDefault { _ in continuation.resume() }
            #expect(deeplinking.open(web: "https://go.example.com/Ab3dE9x"))
        }
        #expect(deeplinking.currentDeeplink?.route == nil)
    }

    @Test(arguments: [
        "shop://products/1", "https://", "https:///products/1", "mailto:a@b.example", "", "ftp://go.example.com/",
    ])
    func opensNothingButTheWebAsAWebLink(url: String) {
        let deeplinking = router(nil)
        #expect(!deeplinking.open(web: url))
        #expect(deeplinking.currentDeeplink == nil)
    }

    @Test func continuesBrowsingOnly() {
        let deeplinking = router(nil)
        let page = URL(string: "https://www.example.com/products/3")
        #expect(deeplinking.continueActivity(StandInActivity(webpageURL: page)))
        #expect(deeplinking.currentDeeplink?.openedURL?.text == "shop://products/3")
        #expect(!deeplinking.continueActivity(StandInActivity(activityType: "com.example.handoff", webpageURL: page)))
        #expect(!deeplinking.continueActivity(StandInActivity()))
    }

    @Test func generatesASmartlink() async throws {
        let service = StandInService(smartlink: "https://go.example.com/Ab3dE9x")
        let deeplinking = router(service)
        let deeplink = try Deeplink(
            route: "/products/:id/", routeParameters: ["id": 42, "beyond": "x"], queryParameters: ["referrer": "ana"],
            metadata: ["coupon": "20"], redeemLimit: 1, isUnique: true, urls: [.web: "https://b.example/"])
        #expect(try await deeplinking.generateSmartlink(for: deeplink) == "https://go.example.com/Ab3dE9x")
        let body = try #require(service.created.first)
        #expect(body.route == "products/:id")
        #expect(body.routeParameters == ["id": "42"])
        #expect(body.queryParameters == ["referrer": "ana"])
        #expect(body.urls["web"]?.link == "https://b.example/")
        #expect(body.metadata?.text == #"{"coupon":"20"}"#)
        #expect(body.redeemLimit == 1)
        #expect(body.unique == true)
    }

    @Test func saysWhyNoSmartlinkIsGenerated() async throws {
        let deeplinking = router(StandInService(smartlink: ""))
        let unmapped = try Deeplink(route: "unmapped")
        await #expect(throws: DeeplinkingError.routeNotMapped("unmapped")) {
            try await deeplinking.generateSmartlink(for: unmapped)
        }
        let mapped = try Deeplink(route: "products/:id", routeParameters: ["id": 1])
        await #expect(throws: DeeplinkingError.generationFailed) {
            try await deeplinking.generateSmartlink(for: mapped)
        }
        await #expect(throws: DeeplinkingError.noService) {
            try await router(nil).generateSmartlink(for: mapped)
        }
        await #expect(throws: StandInService.Failure.self) {
            try await router(StandInService()).generateSmartlink(for: mapped)
        }
    }

    @Test func generatesASmartlinkToURLsAloneWithoutARoute() async throws {
        let service = StandInService(smartlink: "https://go.example.com/x")
        let deeplink = Deeplink(urls: [.android: "https://a.example/"])
        _ = try await router(service).generateSmartlink(for: deeplink)
        #expect(service.created.first?.route == nil)
        #expect(service.created.first?.urls["android"]?.link == "https://a.example/")
    }
}
