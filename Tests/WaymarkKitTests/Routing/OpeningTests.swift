import Foundation
import Testing
import WaymarkAPI
import WaymarkKit

/// One entry for every URL, and the last link wins.
@MainActor
@Suite struct OpeningTests {
    /// The last opened link wins, also if a handler opens it.
    @Test func leavesTheTargetOutWhereAHandlerOpensAnother() {
        let deeplinking = Deeplinking(urlSchemes: ["shop"])
        var opened: [String] = []
        try? deeplinking.map("a") { _ in opened.append("a") }
        try? deeplinking.map("b") { _ in opened.append("b") }
        deeplinking.addHandler { if $0.route == "a" { deeplinking.open("shop://b") } }
        #expect(!deeplinking.open("shop://a"))
        #expect(opened == ["b"])
        #expect(deeplinking.currentDeeplink?.route == "b")
    }

    private final class Log {
        var shown: [String] = []
    }

    private let log = Log()
    private let first = "https://go.example.com/first"
    private let second = "https://go.example.com/second"

    private func router(_ service: (any SmartlinkResolving)?, domains: [String] = ["go.example.com"]) throws
        -> Deeplinking
    {
        // The answers come when the test gives them.
        let deeplinking = Deeplinking(
            urlSchemes: ["shop"], domains: domains, resolver: service, openingTimeLimit: .seconds(3_600))
        let log = log
        try deeplinking.map("products/:id") { log.shown.append("product \($0.routeParameters["id"] ?? "")") }
        try deeplinking.mapDefault { _ in log.shown.append("landing") }
        return deeplinking
    }

    /// SwiftUI hands universal links to `onOpenURL`.
    @Test func opensASmartlinkFromOnOpenURL() async throws {
        let deeplinking = try router(StandInService(deeplink: "shop://products/7"))
        let url = try #require(URL(string: "https://go.example.com/spring-sale"))
        #expect(deeplinking.open(url))
        let log = log
        while log.shown.isEmpty { await Task.yield() }
        #expect(log.shown == ["product 7"])
    }

    @Test(arguments: [
        ("https://go.example.com/x", "product 7"), ("HTTPS://GO.example.com:8443/x?a=1", "product 7"),
        ("shop://products/1", "product 1"), ("https://www.example.com/products/2/", "product 2"),
        ("https://go.example.com.evil.example/products/3", "product 3"), ("shop://nothing", "landing"),
        ("https://go.example.com/lazy?uri=shop%3A%2F%2Fproducts%2F4", "product 4"),
        ("https://go.example.com/lazy?uri=https%3A%2F%2Fwww.example.com%2Fproducts%2F5", "product 5"),
        ("http://go.example.com/lazy?uri=products%2F6%3Freferrer%3Dx", "product 6"),
        ("https://go.example.com/lazy", "product 7"), ("", "landing"),
    ])
    func opensAnyURL(url: String, shown: String) async throws {
        let deeplinking = try router(StandInService(deeplink: "shop://products/7"))
        #expect(deeplinking.canOpen(url))
        _ = await deeplinking.open(resolving: url)
        #expect(log.shown == [shown])
    }

    @Test(arguments: ["http://127.0.0.1:8080/x", "http://localhost:8080/x", "http://[::1]:8080/x"])
    func takesAllNamesOfTheDeviceForOne(url: String) async throws {
        for domain in ["127.0.0.1", "localhost", "localhost:8080", "::1", "[::1]:8080"] {
            let deeplinking = try router(StandInService(deeplink: "shop://products/7"), domains: [domain])
            _ = await deeplinking.open(resolving: url)
        }
        #expect(Set(log.shown) == ["product 7"])
        let elsewhere = try router(StandInService(deeplink: "shop://products/8"))
        _ = await elsewhere.open(resolving: url)
        #expect(log.shown.last == "landing")
    }

    @Test func theLastOpenedLinkWins() async throws {
        let service = HeldService()
        let deeplinking = try router(service)
        async let old = deeplinking.open(resolving: first)
        await service.wasAsked(first)
        async let new = deeplinking.open(resolving: second)
        await service.wasAsked(second)
        service.answer(second, "shop://products/2")
        guard case .opened = await new else {
            Issue.record("the newer link was not opened")
            return
        }
        service.answer(first, "shop://products/1")
        guard case .notOpened(let deeplink) = await old else {
            Issue.record("the older link was opened")
            return
        }
        #expect(deeplink.routeParameters == ["id": "1"])
        #expect(log.shown == ["product 2"])
        #expect(deeplinking.currentDeeplink?.routeParameters == ["id": "2"])
    }

    @Test(arguments: [nil, "shop://products/1"] as [String?])
    func aLinkOfTheAppWinsOverAnOlderAnswer(answer: String?) async throws {
        let service = HeldService()
        let deeplinking = try router(service)
        async let old = deeplinking.open(resolving: first)
        await service.wasAsked(first)
        deeplinking.open("shop://products/9")
        service.answer(first, answer)
        _ = await old
        // Neither the older link nor, where it failed, the default route.
        #expect(log.shown == ["product 9"])
    }

    @Test func metadataThatComesLateOpensNothing() async throws {
        let service = HeldService()
        let deeplinking = try router(service)
        async let old = deeplinking.open(resolving: "shop://products/1?_hk_cid=C1&_hk_md=1")
        await service.wasAsked("C1")
        deeplinking.open("shop://products/2")
        service.answer("C1", "shop://products/1")
        guard case .notOpened = await old else {
            Issue.record("the older link was opened")
            return
        }
        #expect(log.shown == ["product 2"])
    }

    @Test func aURLThatIsRefusedLeavesALinkWaiting() async throws {
        let service = HeldService()
        let deeplinking = try router(service)
        async let waiting = deeplinking.open(resolving: first)
        await service.wasAsked(first)
        #expect(!deeplinking.open(web: "mailto:ana@example.com"))
        #expect(!deeplinking.continueActivity(StandInActivity(activityType: "com.example.handoff")))
        #expect(await deeplinking.open(resolving: StandInActivity()) == nil)
        service.answer(first, "shop://products/1")
        guard case .opened = await waiting else {
            Issue.record("the link was not opened")
            return
        }
    }

    @Test func showsTheDefaultRouteAndTheErrorWhereResolvingFails() async throws {
        let deeplinking = try router(StandInService())
        guard case .failed(let error) = await deeplinking.open(resolving: first) else {
            Issue.record("it did not fail")
            return
        }
        #expect(error is StandInService.Failure)
        #expect(log.shown == ["landing"])
        guard case .failed = await deeplinking.open(smartlink: first) else {
            Issue.record("it did not fail")
            return
        }
        #expect(log.shown == ["landing"])
    }

    @Test func continuesAnActivityToItsEnd() async throws {
        let deeplinking = try router(StandInService(deeplink: "shop://products/7"))
        let activity = StandInActivity(webpageURL: URL(string: first))
        #expect(await deeplinking.open(resolving: activity)?.deeplink?.wasOpened == true)
        #expect(log.shown == ["product 7"])
    }

    @Test func oneClientIsEnough() async throws {
        let client = try WaymarkClient.standIn(StandInTransport())
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        #expect(deeplinking.domains == ["go.example.com"])
        try deeplinking.map("products/:product_id") { _ in }
        let link = try Deeplink(route: "products/:product_id", routeParameters: ["product_id": 42])
        #expect(try await deeplinking.generateSmartlink(for: link) == "https://go.example.com/made1")
        _ = await deeplinking.open(resolving: first)
        #expect(deeplinking.currentDeeplink?.metadata?["coupon"] == "20")
        #expect(client.eventCounts.waiting == 1)
        client.recordOpen(clickID: "c1")
        client.recordOpen(clickID: "")
        #expect(client.eventCounts.waiting == 2)
    }
}
