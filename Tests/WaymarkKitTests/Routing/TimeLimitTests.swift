import Foundation
import Testing
import WaymarkAPI

@testable import WaymarkKit

/// No link navigates late, and none that failed is lost.
@MainActor
@Suite struct TimeLimitTests {
    private let smartlink = "https://go.example.com/Ab3dE9x"

    private final class Log {
        var shown: [String] = []
        var errors: [(any Error)?] = []
    }

    private let log = Log()

    private func router(_ service: (any SmartlinkResolving)?, isLate: Bool = false) throws -> Deeplinking {
        let deeplinking = Deeplinking(urlSchemes: ["shop"], domains: ["go.example.com"], resolver: service)
        if isLate { deeplinking.sleep = { _ in } }
        let log = log
        try deeplinking.map("products/:id") { log.shown.append("product \($0.routeParameters["id"] ?? "")") }
        try deeplinking.mapDefault {
            log.shown.append("landing \($0.openedURL?.text ?? "")")
            log.errors.append($0.error)
        }
        return deeplinking
    }

    @Test func hangingServiceOpensTheDefaultRouteOnce() async throws {
        let service = HeldService()
        let deeplinking = try router(service, isLate: true)
        guard case .failed(let error) = await deeplinking.open(resolving: smartlink) else {
            Issue.record("it did not fail")
            return
        }
        #expect(error as? WaymarkClientError == .timedOut)
        #expect(log.shown == ["landing " + smartlink])
        #expect(log.errors.first as? WaymarkClientError == .timedOut)

        service.answer(smartlink, "shop://products/1")
        await deeplinking.lateAnswer()
        #expect(log.shown.count == 1)
        #expect(deeplinking.currentDeeplink?.routeParameters == ["id": "1"])
        #expect(deeplinking.openCurrentDeeplink())
        #expect(log.shown.last == "product 1")
    }

    @Test func `a late response leaves a later link alone`() async throws {
        let service = HeldService()
        let deeplinking = try router(service, isLate: true)
        _ = await deeplinking.open(resolving: smartlink)
        deeplinking.open("shop://products/9")
        service.answer(smartlink, "shop://products/1")
        await deeplinking.lateAnswer()
        #expect(deeplinking.currentDeeplink?.routeParameters == ["id": "9"])
        #expect(log.shown == ["landing " + smartlink, "product 9"])
    }

    @Test func cancelledCallerWaitsForNothing() async throws {
        let client = try WaymarkClient.standIn(
            StandInTransport(faults: [.notSent(.timedOut)]), clock: SystemClock(),
            options: ClientOptions(
                retry: RetryPolicy(firstWait: .seconds(3_600), longestWait: .seconds(3_600)),
                sendsEvents: false))
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        let smartlink = smartlink
        let task = Task { await deeplinking.open(resolving: smartlink) }
        await Task.yield()
        task.cancel()
        guard case .failed(let error) = await task.value else {
            Issue.record("it did not fail")
            return
        }
        #expect(error as? WaymarkClientError == .cancelled)
    }

    @Test func failedLinkIsResolvedWhenTheNetworkIsBack() async throws {
        let transport = StandInTransport(faults: [.notSent(.offline)])
        let client = try WaymarkClient.standIn(transport)
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        var opened: [Deeplink] = []
        try deeplinking.map("products/:product_id") { opened.append($0) }
        _ = await deeplinking.open(resolving: smartlink)
        #expect(deeplinking.currentDeeplink?.error as? WaymarkClientError == .offline)
        #expect(client.eventCounts.waiting == 0)
        await deeplinking.networkIsBack()
        #expect(opened.isEmpty)
        #expect(deeplinking.currentDeeplink?.error == nil)
        #expect(deeplinking.openCurrentDeeplink())
        #expect(opened.first?.metadata?["coupon"] == "20")
        #expect(client.eventCounts.waiting == 1)
        #expect(transport.redeemed == 1)
    }

    @Test func missingMetadataAreFetchedAgain() async throws {
        let transport = StandInTransport(faults: [.notSent(.offline)])
        let client = try WaymarkClient.standIn(transport)
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        var coupons: [String?] = []
        try deeplinking.map("products/:product_id") { coupons.append($0.metadata?["coupon"]?.string) }
        _ = await deeplinking.open(resolving: "shop://products/42?_hk_cid=c1&_hk_md=1")
        #expect(deeplinking.currentDeeplink?.error as? WaymarkClientError == .offline)
        _ = await deeplinking.openCurrentDeeplink()
        #expect(coupons == [nil, "20"])
        #expect(deeplinking.currentDeeplink?.error == nil)
        #expect(client.eventCounts.waiting == 1)
    }

    @Test(arguments: [
        "fb1234567890://authorize?code=SECRET", "file:///private/invoice.pdf", "otherapp://products/7",
    ])
    func foreignURLsLeaveEverythingAsItIs(url: String) async throws {
        let deeplinking = try router(StandInService(deeplink: "shop://products/7"))
        #expect(!deeplinking.canOpen(url))
        #expect(!deeplinking.open(url))
        for outcome in [await deeplinking.open(resolving: url), await deeplinking.open(smartlink: url)] {
            guard case .notHandled = outcome else {
                Issue.record("it was handled")
                continue
            }
        }
        #expect(log.shown.isEmpty)
        #expect(!deeplinking.hasLink)
    }

    @Test func urlOfAMegabyteIsNotHandled() throws {
        let deeplinking = try router(nil)
        #expect(!deeplinking.open("shop://products/" + String(repeating: "x", count: 1_000_000)))
        #expect(log.shown.isEmpty)
        #expect(deeplinking.explain("shop://" + String(repeating: "x", count: 20_000)).why == .tooLong)
    }

    @Test func unknownLinkOfTheAppsDomainIsItsRoute() async throws {
        let problem = Problem(.linkUnknown, "There is no such link.")
        let transport = StandInTransport(faults: [.answers(StandInTransport.refusal(problem))])
        let client = try WaymarkClient.standIn(transport)
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        var rooms: [String?] = []
        try deeplinking.map(":room") { rooms.append($0.routeParameters["room"]) }
        _ = await deeplinking.open(resolving: "https://go.example.com/room-123")
        #expect(rooms == ["room-123"])
        #expect(client.eventCounts.waiting == 0)
    }

    /// Values come back as the service accepted them, whichever URL the answer has.
    @Test(arguments: ["a/b", "100%", "a+b", "ä ö", "😀", "a?b#c", "x:y", "a%2Fb", " ", "a//b", "…/.", "\\"])
    func acceptedValuesComeBackWhole(value: String) async throws {
        let format = RouteFormat("products/:id")
        let path = try #require(format.filled(["id": value]))
        for (route, deeplink) in [
            ("products/:id", "shop://" + path), (nil, "shop://" + path), ("products/:id", nil),
        ] {
            let answer = ResolveResponse(
                deeplink: deeplink, route: route, routeParameters: route == nil ? [:] : ["id": value],
                queryParameters: [:], metadata: nil, redeem: RedeemCount(limit: nil, used: 0))
            let deeplinking = Deeplinking(
                urlSchemes: ["shop"], resolver: StandInService(answer: answer), openingTimeLimit: .seconds(3_600))
            try deeplinking.map("products/:id") { _ in }
            _ = await deeplinking.open(smartlink: smartlink)
            #expect(deeplinking.currentDeeplink?.routeParameters == ["id": value])
        }
    }
}
