import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkKit
import WaymarkTestSupport

@Suite struct DeferredTests {
    private let referrer = "waymark=c1&deeplink=shop%3A%2F%2Fproducts%2F42&utm_source=mail"

    @MainActor @Test func opensTheLinkThatWaitedWithItsMetadata() async throws {
        let service = StandInTransport(waitingClick: "c1")
        let client = try WaymarkClient.standIn(service, options: ClientOptions(app: "shop", sendsEvents: false))
        let deeplinking = Deeplinking(
            urlSchemes: ["shop"], resolver: client, recorder: client, openingTimeLimit: .seconds(3_600))
        var opened: [Deeplink] = []
        try? deeplinking.map("products/:product_id") { opened.append($0) }

        let opening = await client.openDeferredDeeplink(in: deeplinking, referrer: referrer)

        let deeplink = try #require(opened.first)
        #expect(opening?.deeplink === deeplink)
        #expect(deeplink.isDeferred)
        #expect(deeplink.routeParameters == ["product_id": "42"])
        #expect(deeplink.metadata?["coupon"]?.string == "20")
        // The metadata came with the claim: nothing is resolved a second time.
        #expect(service.requests.map { $0.url.split(separator: "/").last } == ["claim"])
        let body = try JSONValue(parsing: service.requests[0].body)
        #expect(body["app"]?.string == "shop")
        #expect(body["referrer"]?.string == referrer)
        #expect(body["clipboard"] == nil)
        #expect(body["installID"]?.string?.count == 36)
        // The installation, and the opening of the link.
        try await client.flushEvents()
        let events = try JSONValue(parsing: try #require(service.requests.last).body)["events"]?.array
        #expect(events?.map { $0["type"]?.string } == ["install", "open"])
        #expect(events?.map { $0["clickID"]?.string } == ["c1", "c1"])
    }

    /// The service is told the version only where the app's maker gives one.
    @Test(arguments: [nil, "4.1"] as [String?])
    func saysWhichVersionTheAppIs(version: String?) async throws {
        let service = StandInTransport(waitingClick: "c1")
        let options = ClientOptions(app: "shop", sendsEvents: false, appVersion: version)
        let client = try WaymarkClient.standIn(service, options: options)
        _ = try await client.claimDeferredDeeplink(referrer: referrer)
        _ = try await client.resolve(.smartlink("https://go.example.com/x"))
        let bodies = try service.requests.map { try JSONValue(parsing: $0.body) }
        #expect(bodies.count == 2)
        #expect(bodies.map { $0["appVersion"]?.string } == [version, version])
    }

    @Test func asksOncePerInstallation() async throws {
        let folder = try TemporaryFolder()
        let service = StandInTransport(waitingClick: "c1")
        let client = try WaymarkClient.standIn(service, storage: FileStorage(folder: folder.url))
        let deferred = try #require(try await client.claimDeferredDeeplink(referrer: referrer))
        #expect(deferred.match == .referrer)
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
        let restarted = try WaymarkClient.standIn(service, storage: FileStorage(folder: folder.url))
        #expect(try await restarted.claimDeferredDeeplink(referrer: referrer) == nil)
        #expect(service.claims == 1)
        #expect(restarted.eventCounts.waiting == 1)
    }

    @Test func asksAgainAfterARestartWhereTheAnswerWasLost() async throws {
        let folder = try TemporaryFolder()
        let service = StandInTransport(
            faults: Array(repeating: .answerLost(.timedOut), count: 4), waitingClick: "c1")
        await #expect(throws: WaymarkClientError.timedOut) {
            try await WaymarkClient.standIn(service, storage: FileStorage(folder: folder.url))
                .claimDeferredDeeplink(referrer: referrer)
        }
        let restarted = try WaymarkClient.standIn(service, storage: FileStorage(folder: folder.url))
        #expect(try await restarted.claimDeferredDeeplink(referrer: referrer) != nil)
        // One claim, under one key, of one installation.
        #expect(service.claims == 1)
        #expect(Set(service.keys).count == 1)
        #expect(Set(service.requests.map(\.body)).count == 1)
    }

    /// The installation is an event without a click at first, and one with a click once a trace has been found.
    @Test func recordsTheInstallationWithTheClickFoundLater() async throws {
        let storage = MemoryStorage()
        let service = StandInTransport(waitingClick: "c1")
        let client = try WaymarkClient.standIn(service, storage: storage)
        #expect(try await client.claimDeferredDeeplink() == nil)
        #expect(try await client.claimDeferredDeeplink() == nil)
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) != nil)
        client.recordInstallation(clickID: "c1")
        let events = try JSONValue(parsing: try #require(storage.read("events")))["events"]?.array ?? []
        #expect(events.map { $0["clickID"]?.string } == [nil, "c1"])
        let installation = try JSONValue(parsing: try #require(storage.read("installation")))
        #expect(events.last?["id"] == installation["id"])
    }

    /// An app that was killed between the two writes records the event again, under the same ID.
    @Test func recordsTheInstallationOnceThoughTheAppWasKilled() async throws {
        let storage = MemoryStorage()
        let client = try WaymarkClient.standIn(StandInTransport(), storage: storage)
        client.recordInstallation(clickID: "c1")
        var state = try JSONValue(parsing: try #require(storage.read("installation"))).object ?? JSONObject()
        state["attributed"] = JSONValue(false)
        storage.write(JSONValue(state).bytes(), to: "installation")
        let restarted = try WaymarkClient.standIn(StandInTransport(), storage: storage)
        restarted.recordInstallation(clickID: "c1")
        #expect(restarted.eventCounts.waiting == 1)
    }

    @Test func claimsNothingWhileTheInstallationCannotBeRead() async throws {
        let storage = LockedStorage()
        let service = StandInTransport(waitingClick: "c1")
        _ = try await WaymarkClient.standIn(service, storage: storage).claimDeferredDeeplink(referrer: referrer)
        storage.isLocked = true
        let client = try WaymarkClient.standIn(service, storage: storage)
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
        storage.isLocked = false
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
        #expect(service.claims == 1)
        #expect(client.eventCounts.waiting == 1)
    }

    @Test func `a claim is not repeated where no link waited`() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service)
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
        #expect(service.claims == 1)
    }

    @Test func `a claim is not repeated where the link has expired`() async throws {
        let service = StandInTransport(faults: [.answers(StandInTransport.refusal(Problem(.linkExpired, "Gone.")))])
        let client = try WaymarkClient.standIn(service)
        await #expect(throws: WaymarkClientError.self) { try await client.claimDeferredDeeplink(referrer: referrer) }
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
        #expect(service.requests.count == 1)
    }

    @Test(arguments: [
        "my password", "https://elsewhere.example/Ab3dE9x?_hk_cid=c1", "https://go.example.com.evil.example/Ab3dE9x",
        "https://go.example.com/Ab3dE9x and more", "mailto:ana@go.example.com", "",
        // Copied from a message: without a click it can't match, and must not use up the one claim.
        "https://go.example.com/Ab3dE9x", "https://go.example.com/Ab3dE9x?_hk_cid=&_hk_md=1",
    ])
    func sendsNothingElseFromTheClipboard(text: String) async throws {
        let service = StandInTransport(waitingClick: "c1")
        let client = try WaymarkClient.standIn(service)
        #expect(try await client.claimDeferredDeeplink(clipboard: text) == nil)
        #expect(service.requests.isEmpty)
        // Whoever comes later with a link still gets an answer.
        let deferred = try await client.claimDeferredDeeplink(
            clipboard: " https://GO.example.com/Ab3dE9x?_hk_cid=c1\n")
        #expect(deferred?.match == .clipboard)
    }

    @Test(arguments: ["utm_source=google-play&utm_medium=organic", "waymark=", "waymarks=c1", "", "%"])
    func asksNothingForAReferrerWithoutAClick(text: String) async throws {
        let service = StandInTransport(waitingClick: "c1")
        #expect(try await WaymarkClient.standIn(service).claimDeferredDeeplink(referrer: text) == nil)
        #expect(service.requests.isEmpty)
    }

    @Test func takesAReferrerThatIsEscapedOnceMore() async throws {
        let client = try WaymarkClient.standIn(StandInTransport(waitingClick: "c1"))
        #expect(
            try await client.claimDeferredDeeplink(referrer: "waymark%3Dc1%26utm_source%3Dmail")?.match == .referrer)
    }

    @MainActor @Test func leavesTheLinkAloneThatTheAppWasStartedWith() async throws {
        let service = StandInTransport(waitingClick: "c1")
        let client = try WaymarkClient.standIn(service)
        let deeplinking = Deeplinking(urlSchemes: ["shop"])
        try? deeplinking.mapDefault { _ in }
        deeplinking.open("shop://welcome")
        #expect(await client.openDeferredDeeplink(in: deeplinking, referrer: referrer) == nil)
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
        #expect(service.requests.isEmpty)
        #expect(deeplinking.currentDeeplink?.openedURL?.text == "shop://welcome")
    }

    /// A universal link that started the app waits for its answer while the deferred link is asked for.
    @MainActor @Test func leavesTheLinkAloneThatIsStillResolved() async throws {
        let transport = StandInTransport(waitingClick: "c1")
        let client = try WaymarkClient.standIn(transport)
        let service = HeldService()
        let deeplinking = Deeplinking(
            urlSchemes: ["shop"], domains: ["go.example.com"], resolver: service, openingTimeLimit: .seconds(3_600))
        let smartlink = "https://go.example.com/Ab3dE9x"
        async let opening = deeplinking.open(resolving: smartlink)
        await service.wasAsked(smartlink)
        #expect(await client.openDeferredDeeplink(in: deeplinking, referrer: referrer) == nil)
        #expect(transport.requests.isEmpty)
        service.answer(smartlink, "shop://products/9")
        #expect(await opening.deeplink?.openedURL?.text == "shop://products/9")
        #expect(deeplinking.currentDeeplink?.isDeferred == false)
        #expect(try await client.claimDeferredDeeplink(referrer: referrer) == nil)
    }
}
