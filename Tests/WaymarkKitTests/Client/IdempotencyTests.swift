import Foundation
import Testing
import WaymarkAPI
import WaymarkKit
import WaymarkTestSupport

/// A redeem is taken once, whatever happens between the app and the service.
@Suite struct IdempotencyTests {
    private let smartlink = ResolveRequest.Subject.smartlink("https://go.example.com/Ab3dE9x?utm_source=mail")

    private func lost(_ count: Int) -> [StandInTransport.Fault] {
        Array(repeating: .answerLost(.timedOut), count: count)
    }

    @Test func takesOneRedeemThoughTheAppWasKilledBeforeTheAnswer() async throws {
        let folder = try TemporaryFolder()
        let service = StandInTransport(faults: lost(4))
        await #expect(throws: WaymarkClientError.timedOut) {
            try await WaymarkClient.standIn(service, storage: FileStorage(folder: folder.url)).resolve(smartlink)
        }

        // The app starts again: all that is left of the first client is the folder.
        let restarted = try WaymarkClient.standIn(service, storage: FileStorage(folder: folder.url))
        let answer = try await restarted.resolve(smartlink)

        #expect(answer.metadata != nil)
        #expect(service.redeemed == 1)
        #expect(Set(service.keys).count == 1)
    }

    @Test func takesAnotherRedeemWhereTheFirstOneWasAnswered() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service)
        #expect(try await client.resolve(smartlink).metadata != nil)
        #expect(try await client.resolve(smartlink).metadata == nil)
        #expect(Set(service.keys).count == 2)
    }

    @Test func usesANewKeyForAnotherQuestion() async throws {
        let service = StandInTransport(faults: lost(4))
        let client = try WaymarkClient.standIn(service)
        _ = try? await client.resolve(smartlink)
        _ = try await client.resolve(smartlink, redeem: false)
        _ = try await client.resolve(.clickID("c1"))
        #expect(Set(service.keys).count == 3)
    }

    /// A captive portal responds instead of the service, which has already taken the redeem.
    @Test(arguments: ["<html>", "", #"{"deeplink":"shop://prod"#, "{}"])
    func takesOneRedeemThoughAPortalResponds(body: String) async throws {
        let page = TransportResponse(status: 200, fields: ["Content-Type": "text/html"], body: Array(body.utf8))
        let service = StandInTransport(faults: [.answerLost(.timedOut), .answers(page)])
        let client = try WaymarkClient.standIn(service)
        await #expect(throws: WaymarkClientError.unexpectedAnswer(status: 200, retryAfter: nil)) {
            try await client.resolve(smartlink)
        }
        #expect(try await client.resolve(smartlink).metadata != nil)
        #expect(service.redeemed == 1)
    }

    /// Of two equal requests with one key the first has its response, and the second loses it.
    @Test func keepsAKeyUntilTheLastOfEqualRequestsHasAResponse() async throws {
        let service = PairTransport()
        let client = try WaymarkClient.standIn(service, options: ClientOptions(retry: .never, sendsEvents: false))
        async let first = client.resolve(smartlink)
        async let second = client.resolve(smartlink)
        let outcomes = await [try? first, try? second]
        #expect(outcomes.compactMap { $0 }.count == 1)
        #expect(try await client.resolve(smartlink).metadata != nil)
        #expect(service.inner.redeemed == 1)
    }

    @Test func forgetsAKeyThatTheServiceMayHaveForgotten() async throws {
        let clock = StandInClock()
        let service = StandInTransport(faults: lost(4))
        let client = try WaymarkClient.standIn(service, clock: clock)
        _ = try? await client.resolve(smartlink)
        clock.advance(by: .seconds(23 * 3_600))
        _ = try await client.resolve(smartlink)
        #expect(Set(service.keys).count == 2)
    }

    @Test func forgetsAKeyThatTheServiceRefused() async throws {
        let service = StandInTransport(faults: [.answers(StandInTransport.refusal(Problem(.linkScheduled, "Later.")))])
        let client = try WaymarkClient.standIn(service)
        _ = try? await client.resolve(smartlink)
        _ = try await client.resolve(smartlink)
        #expect(Set(service.keys).count == 2)
    }

    @Test func keepsAKeyWhileTheCallerIsNotKnown() async throws {
        let folder = try TemporaryFolder()
        let storage = FileStorage(folder: folder.url)
        let service = StandInTransport(faults: [.answers(StandInTransport.refusal(Problem(.keyUnknown, "Who?")))])
        _ = try? await WaymarkClient.standIn(service, storage: storage).resolve(smartlink)
        _ = try await WaymarkClient.standIn(service, storage: storage).resolve(smartlink)
        #expect(Set(service.keys).count == 1)
    }

    @Test func makesOneLinkThoughAnswersAreLost() async throws {
        let service = StandInTransport(faults: lost(5))
        let client = try WaymarkClient.standIn(service)
        var body = LinkRequest()
        body.route = "products/:product_id"
        body.routeParameters = ["product_id": "42"]
        _ = try? await client.createSmartlink(body)
        #expect(try await client.createSmartlink(body) == "https://go.example.com/made1")
        #expect(service.created == 1)
        #expect(try await client.createSmartlink(body) == "https://go.example.com/made2")
    }

    @Test func storesNothingThatIsPrivate() async throws {
        let folder = try TemporaryFolder()
        let client = try WaymarkClient.standIn(
            StandInTransport(faults: lost(4)), storage: FileStorage(folder: folder.url))
        var body = LinkRequest()
        body.metadata = RawJSON(Array(#"{"coupon":"secret20"}"#.utf8))
        _ = try? await client.createSmartlink(body)
        let stored = try #require(folder.text("requests.json"))
        #expect(!stored.contains("secret20"))
        #expect(!stored.contains("wm_"))
    }

    @Test func setsABrokenFileAside() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"requests": [{"key": 3"#, to: "requests.json")
        let client = try WaymarkClient.standIn(StandInTransport(), storage: FileStorage(folder: folder.url))
        _ = try await client.resolve(smartlink)
        #expect(folder.text("requests.json.broken") == #"{"requests": [{"key": 3"#)
    }
}
