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
    func `metadata that come late outlast the run without them`(waiting: Waiting) async throws {
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

    /// How long after the limit a process woke, by what, and what it showed.
    struct Sleep: Sendable {
        var url: String
        var past: Duration
        var wakesByAnswer = false
        var shown: [String] = []
    }

    nonisolated private static let sleeps = [
        ("https://go.example.com/Ab3dE9x", "default"),
        ("shop://products/42?_hk_md=1&_hk_cid=c1", "no coupon"),
    ].flatMap { url, shown in
        [false, true].flatMap { wakes in
            [
                Sleep(url: url, past: .milliseconds(900), wakesByAnswer: wakes, shown: [shown]),
                Sleep(url: url, past: .milliseconds(1_100), wakesByAnswer: wakes),
                Sleep(url: url, past: .seconds(3_600), wakesByAnswer: wakes),
            ]
        }
    }

    @Test(arguments: sleeps)
    func `no handler runs for a link whose process slept`(sleep: Sleep) async throws {
        let (client, deeplinking) = try start(transport)
        let (limit, begin, slept) = (Gate(), ContinuousClock.now, LockedValue(Duration.zero))
        deeplinking.sleep = { _ in await limit.wait() }
        deeplinking.now = { begin + slept.withLock { $0 } }
        let run = Task { await deeplinking.open(resolving: sleep.url) }
        await transport.wasAsked.wait()
        slept.withLock { $0 = .seconds(5) + sleep.past }
        (sleep.wakesByAnswer ? transport.mayAnswer : limit).open()
        _ = await run.value
        #expect(log.shown == sleep.shown)
        if sleep.shown.isEmpty {
            let stored = MemoryStorage(["links": storage.read("links") ?? []])
            let kept = KeptLinkStore(storage: stored, clock: StandInClock()).waitingLink()?.link
            #expect(kept?.url == sleep.url)
        }
        if !sleep.wakesByAnswer {
            #expect(deeplinking.currentDeeplink?.openedURL?.text == sleep.url)
            #expect(deeplinking.currentDeeplink?.error as? WaymarkClientError == .timedOut)
        }

        transport.mayAnswer.open()
        limit.open()
        await deeplinking.lateAnswer()
        #expect(log.shown == sleep.shown)
        #expect(deeplinking.currentDeeplink?.metadata?["coupon"] == "20")
        _ = await deeplinking.openCurrentDeeplink()
        #expect(log.shown == sleep.shown + ["20"])
        #expect(transport.inner.redeemed == 1)
        #expect(client.eventCounts.waiting == 1)
        #expect(KeptLinkStore(storage: storage, clock: StandInClock()).waitingLink() == nil)
    }
}
