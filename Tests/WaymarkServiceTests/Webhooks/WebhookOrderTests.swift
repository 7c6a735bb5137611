import Synchronization
import Testing
import WaymarkClient
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkService

/// Which messages go beside which others.
@Suite(.timeLimit(.minutes(5))) struct WebhookOrderTests {
    private typealias Entry = WebhookReceiver.Entry

    /// The first message that began while an earlier one of its link was under way or not over; nil if there is none.
    private static func disorder(in log: [Entry]) -> String? {
        var over: [Int64: Set<Int>] = [:]
        var underWay: [Int64: Int] = [:]
        var attempts: [String: Int] = [:]
        for entry in log {
            switch entry {
            case .begun(let sent):
                if let other = underWay[sent.link] { return "\(sent.text) beside \(other)" }
                underWay[sent.link] = sent.number
                for earlier in 1..<max(1, sent.number) where !over[sent.link, default: []].contains(earlier) {
                    return "\(sent.text) before \(earlier)"
                }
            case .answered(let sent, let status):
                underWay[sent.link] = nil
                attempts[sent.text, default: 0] += 1
                if status == 204 || attempts[sent.text] == 10 { over[sent.link, default: []].insert(sent.number) }
            }
        }
        return nil
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `a link's messages keep their order`(seed: UInt64) async throws
    {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.created", "link.updated")
        let random = Mutex(SplitMix64(seed: seed))
        fixture.receiver.answer = { sent in
            // The second link fails always, the third never.
            guard sent.link > 3 else { return (sent.link == 2 ? 500 : 204, nil) }
            return switch random.withLock({ Int.random(in: 0..<20, using: &$0) }) {
            case 0..<5: (500, nil)
            case 5: (503, 7)
            case 6: (nil, nil)
            default: (204, nil)
            }
        }
        var counts: [Int64: Int] = [2: 1]
        try await fixture.publish(.linkUpdated, of: 2)
        var step = 0
        var isOver = false
        while !isOver, step < 500 {
            // A success in each step, so that the endpoint stays enabled.
            let links = (0..<(step < 40 ? 6 : 0)).map { _ in
                random.withLock { Int64.random(in: 4...9, using: &$0) }
            }
            for link in [3] + links {
                counts[link, default: 0] += 1
                try await fixture.publish(.linkUpdated, of: link, number: counts[link, default: 1])
            }
            for _ in 1...3 {
                _ = await fixture.dispatcher.turn()
                await fixture.settle()
                fixture.clock.advance(seconds: 8)
            }
            if random.withLock({ Bool.random(using: &$0) }) { fixture.restart() }
            fixture.clock.advance(seconds: random.withLock { .random(in: 1...50_000, using: &$0) })
            step += 1
            let waiting = try await fixture.store.webhooks.waitingDeliveries(limit: 1)
            isOver = step > 40 && waiting == 0
        }
        let log = fixture.receiver.log
        #expect(Self.disorder(in: log) == nil)
        var statuses: [String: [Int?]] = [:]
        for case .answered(let sent, let status) in log { statuses[sent.text, default: []].append(status) }
        for (link, count) in counts {
            for number in 1...count {
                let all = statuses["link.updated \(link) \(number)", default: []]
                // Delivered by the last attempt, or given up after ten.
                #expect((all.firstIndex(of: 204) ?? 9) == all.count - 1, "\(link) \(number): \(all)")
            }
        }
    }

    @Test func `a link that always fails delays no other`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.answer = { ($0.link == 2 ? 500 : 204, nil) }
        for number in 1...600 { try await fixture.publish(.linkUpdated, of: 2, number: number) }
        for link in 3...40 as ClosedRange<Int64> { try await fixture.publish(.linkCreated, of: link) }
        try await fixture.turn(until: 39)
        #expect(fixture.receiver.sent.count { $0.link == 2 } == 1)
        #expect(Set(fixture.receiver.sent.map(\.link)).count == 39)
    }

    @Test func `a message that is under way holds its link alone`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.hangs = { $0.link == 2 }
        for number in 1...2 { try await fixture.publish(.linkUpdated, of: 2, number: number) }
        for link in 3...30 as ClosedRange<Int64> { try await fixture.publish(.linkUpdated, of: link) }
        try await fixture.turn(untilBegun: 29)
        #expect(fixture.receiver.begun.count { $0.link == 2 } == 1)
        #expect(fixture.receiver.sent.count == 28)
        fixture.receiver.release()
        try await fixture.turn(until: 30)
        #expect(fixture.receiver.sent.filter { $0.link == 2 }.map(\.number) == [1, 2])
    }

    @Test func `a restart keeps links on hold`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.answer = { _ in (500, nil) }
        for number in 1...2 { try await fixture.publish(.linkUpdated, of: 2, number: number) }
        try await fixture.turn(until: 1)
        fixture.restart()
        fixture.receiver.answer = { _ in (204, nil) }
        try await fixture.publish(.linkUpdated, of: 3)
        try await fixture.turn(until: 2)
        #expect(fixture.receiver.sent.map(\.link) == [2, 3])
        fixture.clock.advance(seconds: 6)
        try await fixture.turn(until: 4)
        #expect(fixture.receiver.sent.suffix(2).map(\.number) == [1, 2])
    }

    @Test func `a request under way at a restart is repeated alone`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.hangs = { _ in true }
        for number in 1...2 { try await fixture.publish(.linkUpdated, of: 2, number: number) }
        try await fixture.turn(untilBegun: 1)
        await fixture.dispatcher.stop()
        fixture.restart()
        try await fixture.turn(untilBegun: 2)
        fixture.receiver.release()
        try await fixture.turn(until: 3)
        #expect(fixture.receiver.begun.map(\.number) == [1, 1, 2])
        #expect(try await fixture.store.webhooks.waitingDeliveries(limit: 1) == 0)
    }

    @Test func `each lane has a request when all places are taken`() async throws {
        let fixture = try await WebhookFixture(places: 0)
        _ = try await fixture.add("link.*")
        fixture.receiver.hangs = { _ in true }
        for link in 2...4 as ClosedRange<Int64> { try await fixture.publish(.linkUpdated, of: link) }
        for _ in 1...3 { try await fixture.publish(.linkClicked) }
        try await fixture.turn(untilBegun: 2)
        #expect(fixture.receiver.begun.map(\.text).sorted() == ["link.clicked", "link.updated 2 1"])
        fixture.receiver.release()
        try await fixture.turn(until: 6)
    }

    @Test func `a webhook that fails gets clicks and changes in turn`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("link.*")
        try await fixture.store.webhooks.record(
            [], of: id, at: "https://receiver.example.com/hook", failingSince: fixture.clock.now)
        fixture.receiver.answer = { _ in (500, nil) }
        for link in 2...9 as ClosedRange<Int64> { try await fixture.publish(.linkUpdated, of: link) }
        for _ in 1...3 { try await fixture.publish(.linkClicked) }
        try await fixture.turn(until: 6)
        let areClicks = fixture.receiver.sent.prefix(6).map { $0.text == "link.clicked" }
        #expect(areClicks == [false, true, false, true, false, true])
    }

    @Test func `an event of no link waits for no other`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("audit.recorded", "key.created")
        fixture.receiver.hangs = { _ in true }
        for type in [.auditRecorded, .keyCreated, .auditRecorded] as [EventType] {
            try await fixture.store.webhooks.publish([OutboxEvent(type, of: nil, at: fixture.clock.now)])
        }
        try await fixture.turn(untilBegun: 3)
        #expect(fixture.receiver.begun.count == 3)
        fixture.receiver.release()
        await fixture.settle()
    }

    @Test func `an answer of an earlier URL says nothing of the endpoint`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("link.*")
        fixture.receiver.hangs = { _ in true }
        fixture.receiver.answer = { ($0.url.contains("receiver") ? 410 : 204, nil) }
        try await fixture.publish(.linkUpdated, of: 2)
        try await fixture.turn(untilBegun: 1)
        var change = WebhookService.Change()
        change.url = "https://new.example.com/"
        _ = try await fixture.service.change(id, change)
        fixture.receiver.release()
        await fixture.settle()
        let webhook = try await fixture.service.find(id, for: .all)
        #expect(webhook?.disabled == nil && webhook?.failingSince == nil)
        fixture.clock.advance(seconds: 6)
        try await fixture.turn(until: 2)
        #expect(fixture.receiver.sent.map(\.url).last == "https://new.example.com/")
    }

    @Test func `clicks that hang leave changes a request`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.hangs = { $0.text == "link.clicked" }
        for _ in 1...40 { try await fixture.publish(.linkClicked) }
        try await fixture.turn(untilBegun: 12)
        #expect(fixture.receiver.begun.count == 12)
        for link in 2...9 as ClosedRange<Int64> { try await fixture.publish(.linkUpdated, of: link) }
        try await fixture.turn(untilBegun: 20)
        #expect(fixture.receiver.sent.count == 8)
        fixture.receiver.release()
        try await fixture.turn(until: 48)
    }

    @Test func `the longer of two pauses holds`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.hangs = { _ in true }
        fixture.receiver.answer = { (429, $0.link == 2 ? 60 : 10) }
        for link in 2...3 as ClosedRange<Int64> { try await fixture.publish(.linkUpdated, of: link) }
        try await fixture.turn(untilBegun: 2)
        fixture.receiver.release()
        await fixture.settle()
        fixture.clock.advance(seconds: 55)
        _ = await fixture.dispatcher.turn()
        await fixture.settle()
        #expect(fixture.receiver.begun.count == 2)
        fixture.receiver.answer = { _ in (204, nil) }
        fixture.clock.advance(seconds: 6)
        try await fixture.turn(until: 4)
    }

    @Test func `a receiver that hangs gets few requests`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.hangs = { _ in true }
        fixture.receiver.answer = { _ in (nil, nil) }
        for link in 2...400 as ClosedRange<Int64> { try await fixture.publish(.linkUpdated, of: link) }
        try await fixture.turn(untilBegun: 16)
        #expect(fixture.receiver.begun.count == 16)
        fixture.receiver.release()
        await fixture.settle()
        // It has failed: one at a time.
        fixture.receiver.hangs = { _ in true }
        fixture.clock.advance(seconds: 2)
        try await fixture.turn(untilBegun: 17)
        #expect(fixture.receiver.begun.count == 17)
        fixture.receiver.release()
        await fixture.settle()
    }

    @Test func `the backlog of an endpoint is bounded`() async throws {
        let fixture = try await WebhookFixture(backlog: 30)
        let id = try await fixture.add("link.*")
        fixture.receiver.hangs = { _ in true }
        for link in 2...21 as ClosedRange<Int64> { try await fixture.publish(.linkUpdated, of: link) }
        for _ in 1...50 { try await fixture.publish(.linkClicked) }
        try await fixture.turn(untilBegun: 16)
        fixture.clock.advance(seconds: 10)
        _ = await fixture.dispatcher.turn()
        #expect(fixture.dispatcher.metrics.dropped.load(ordering: .relaxed) == 40)
        let waiting = try await fixture.service.deliveries(to: id, before: nil, state: .waiting, limit: 99)
        #expect(waiting.count { $0.type == .linkUpdated } == 20)
        // The newest clicks are left.
        #expect(waiting.filter { $0.type == .linkClicked }.map(\.number) == (61...70).reversed())
        fixture.receiver.release()
        await fixture.settle()
    }

    @Test func `a local receiver gets each link's messages in order`() async throws {
        let service = try FakeService { _, number in .json("", status: number % 10 == 3 ? 500 : 204) }
        let fixture = try await WebhookFixture(client: HTTPClient())
        let id = try await fixture.add("link.*", url: service.url)
        for number in 1...5 {
            for link in 2...21 as ClosedRange<Int64> {
                try await fixture.publish(.linkUpdated, of: link, number: number)
            }
        }
        repeat {
            _ = await fixture.dispatcher.turn()
            await fixture.settle()
            fixture.clock.advance(seconds: 301)
        } while try await fixture.store.webhooks.waitingDeliveries(limit: 1) > 0
        let deliveries = try await fixture.service.deliveries(to: id, before: nil, state: .delivered, limit: 200)
        #expect(deliveries.count == 100)
        var last: [String: Int] = [:]
        for request in service.requests {
            let words = request.split(separator: " ").suffix(2).map(String.init)
            let number = try #require(Int(words[1]))
            // The next one, or the same again.
            #expect([0, 1].contains(number - last[words[0], default: 0]))
            last[words[0]] = number
        }
        #expect(last.count == 20 && last.values.allSatisfy { $0 == 5 })
    }
}

/// The same numbers for the same seed (splitmix64).
private struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
