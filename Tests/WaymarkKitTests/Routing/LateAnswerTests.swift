import Testing
import WaymarkAPI

@testable import WaymarkKit

/// Answers that come when the link that waits for them has gone on without.
@MainActor
@Suite struct LateAnswerTests {
    private let storage = MemoryStorage()
    private let transport = HeldTransport()
    private let log = Log()

    private final class Log {
        var shown: [String] = []
    }

    /// A process of the app. Its target is over when `step` is open.
    private func start(
        _ transport: any HTTPTransport, target step: Gate? = nil
    ) throws -> (client: WaymarkClient, deeplinking: Deeplinking) {
        let client = try WaymarkClient.standIn(
            transport, storage: storage, options: ClientOptions(app: "shop", sendsEvents: false))
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"])
        let log = log
        try deeplinking.map("products/:product_id") { deeplink async in
            await step?.wait()
            log.shown.append(deeplink.metadata?["coupon"]?.string ?? "no coupon")
        }
        try deeplinking.mapDefault { _ in log.shown.append("default") }
        return (client, deeplinking)
    }

    private func isStored(_ text: String) -> Bool {
        String(decoding: storage.read("links") ?? [], as: UTF8.self).contains(text)
    }

    /// Whether a filter, the target or nothing waits while the metadata come.
    enum Waiting: CaseIterable { case filter, target, nothing }

    @Test(arguments: Waiting.allCases)
    func lateMetadataOutlastTheRunWithoutThem(waiting: Waiting) async throws {
        let step = Gate()
        let first = try start(transport, target: waiting == .target ? step : nil)
        first.deeplinking.sleep = { _ in }
        if waiting == .filter {
            first.deeplinking.addFilter { _ async -> Bool in
                await step.wait()
                return true
            }
        }
        let deeplinking = first.deeplinking
        let run = Task { await deeplinking.open(resolving: "shop://products/1?_hk_md=1&_hk_cid=c1") }
        while deeplinking.currentDeeplink == nil { await Task.yield() }
        if waiting == .nothing { _ = await run.value }
        transport.mayAnswer.open()
        while !isStored("coupon") { await Task.yield() }
        await deeplinking.lateAnswer()
        step.open()
        #expect(await run.value.deeplink?.metadata == nil)
        #expect(deeplinking.currentDeeplink?.metadata?["coupon"] == "20")

        let second = try start(transport)
        _ = await second.deeplinking.openCurrentDeeplink()
        #expect(log.shown == ["no coupon", "20"])
        #expect(transport.inner.redeemed == 1)
        #expect(second.client.eventCounts.waiting == 1)
    }
}
