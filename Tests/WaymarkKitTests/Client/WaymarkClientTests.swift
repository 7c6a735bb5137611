import Foundation
import Testing
import WaymarkAPI
import WaymarkKit
import WaymarkTestSupport

@Suite struct WaymarkClientTests {
    private static let key = "wm_0123456789abcdefghijklmnopqrstuv"

    private func client(_ service: String, plain: Bool = false) throws -> WaymarkClient {
        try WaymarkClient(
            service: service, key: Self.key, options: ClientOptions(sendsEvents: false, allowsPlainLoopback: plain),
            storage: MemoryStorage(), transport: StandInTransport())
    }

    @Test(arguments: [
        "http://go.example.com", "http://127.0.0.1:8080", "ftp://go.example.com", "go.example.com", "", "https://",
        "https://user@go.example.com", "https://go.example.com?x", "https://go.example.com/#x",
        "https://go.exa mple.com",
    ])
    func refusesAddressesThatNoKeyMayBeSentTo(address: String) {
        #expect {
            try client(address)
        } throws: { error in
            if case WaymarkClientError.invalidAddress = error { true } else { false }
        }
    }

    @Test(arguments: [
        "http://127.0.0.1.evil.example", "http://localhost.evil.example", "http://127.1.evil", "http://128.0.0.1",
        "http://127.0.0.256", "http://127.0.0.1@evil.example",
    ])
    func takesNothingButTheDeviceItselfForLoopback(address: String) {
        #expect(throws: WaymarkClientError.self) { try client(address, plain: true) }
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:8080", "https://go.example.com/base/"])
    func takesAddressesOfServices(address: String) throws {
        #expect(try client(address, plain: true).description.hasPrefix("WaymarkClient(http"))
    }

    @Test(arguments: ["", "wm_ 1", "wm_\n", "wm_ü"])
    func refusesWhatIsNoKey(key: String) {
        #expect(throws: WaymarkClientError.invalidKey) {
            try WaymarkClient(service: "https://go.example.com", key: key, storage: MemoryStorage())
        }
    }

    @Test func showsItsKeyToNobody() async throws {
        let transport = StandInTransport()
        let client = try WaymarkClient.standIn(transport)
        _ = try await client.resolve(.clickID("c1"))
        let request = try #require(transport.requests.first)
        #expect(request.fields["Authorization"] == "Bearer \(Self.key)")
        var dumped = ""
        dump(client, to: &dumped)
        dump(request, to: &dumped)
        dumped += "\(client) \(request) \(String(reflecting: client)) \(String(reflecting: request))"
        #expect(!dumped.contains(Self.key))
    }

    @MainActor @Test func opensASmartLinkThroughTheRouter() async throws {
        let transport = StandInTransport()
        let client = try WaymarkClient.standIn(transport)
        let deeplinking = Deeplinking(
            urlSchemes: ["shop"], domains: ["go.example.com"], resolver: client, creator: client, recorder: client,
            openingTimeLimit: .seconds(3_600))
        var products: [String?] = []
        try deeplinking.map("products/:product_id") { products.append($0.routeParameters["product_id"]) }

        let opening = await deeplinking.open(smartlink: "https://go.example.com/Ab3dE9x")
        #expect(opening.deeplink?.metadata?["coupon"]?.string == "20")
        #expect(products == ["42"])
        #expect(client.eventCounts.waiting == 1)

        let deeplink = try Deeplink(route: "products/:product_id", routeParameters: ["product_id": 42], redeemLimit: 1)
        #expect(try await deeplinking.generateSmartlink(for: deeplink) == "https://go.example.com/made1")
    }

    @MainActor @Test func callsCompletionsOnTheMainActorBehindTheCall() async throws {
        let client = try WaymarkClient.standIn(StandInTransport(waitingClick: "c1"))
        var order = ["before"]
        let metadata = await withCheckedContinuation { continuation in
            client.resolve(.clickID("c1")) { result in
                order.append("completion")
                continuation.resume(returning: try? result.get().metadata?.text)
            }
            order.append("after")
        }
        #expect(order == ["before", "after", "completion"])
        #expect(metadata == #"{"coupon":"20"}"#)
        let smartlink = await withCheckedContinuation { continuation in
            client.createSmartlink(LinkRequest()) { continuation.resume(returning: $0) }
        }
        #expect(smartlink == .success("https://go.example.com/made1"))
        let deferred = await withCheckedContinuation { continuation in
            client.claimDeferredDeeplink(referrer: "waymark=c1") { continuation.resume(returning: $0) }
        }
        #expect(try deferred.get()?.match == .referrer)
        let failure = await withCheckedContinuation { continuation in
            client.flushEvents { continuation.resume(returning: $0) }
        }
        #expect(failure == nil)
    }

    @Test func stopsWaitingWhereItsTaskIsCancelled() async throws {
        let client = try WaymarkClient.standIn(
            StandInTransport(faults: [.notSent(.timedOut)]), clock: SystemClock(),
            options: ClientOptions(
                retry: RetryPolicy(firstWait: .seconds(3_600), longestWait: .seconds(3_600)), sendsEvents: false))
        let task = Task { try await client.resolve(.clickID("c1")) }
        task.cancel()
        await #expect(throws: WaymarkClientError.cancelled) { try await task.value }
    }

    @Test func keepsFilesWholeAndAway() throws {
        let folder = try TemporaryFolder()
        let storage = FileStorage(folder: folder.url.appendingPathComponent("deep/down"))
        #expect(try storage.read("events") == nil)
        try storage.write(Array("one".utf8), to: "events")
        try storage.write(Array("two".utf8), to: "events")
        #expect(try storage.read("events") == Array("two".utf8))
        storage.setAside("events")
        #expect(try storage.read("events") == nil)
        #expect(folder.text("deep/down/events.json.broken") == "two")
        storage.setAside("events")
    }
}
