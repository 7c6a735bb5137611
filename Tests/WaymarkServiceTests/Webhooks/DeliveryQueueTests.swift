import Testing
import WaymarkStores

@testable import WaymarkService

@Suite struct DeliveryQueueTests {
    private static func due(_ numbers: ClosedRange<Int64>) -> [DueDelivery] {
        numbers.map { DueDelivery(number: $0, orderKey: $0, messageID: "", body: [], attempts: [], round: 0) }
    }

    /// With so many deliveries of changes and clicks that are ready, and as many requests for them as may begin.
    private static func filled(changes: Int64, clicks: Int64) -> (queue: DeliveryQueue, begun: [DeliveryLane: Int]) {
        var queue = DeliveryQueue()
        var begun: [DeliveryLane: Int] = [:]
        if changes > 0 { _ = queue.add(due(1...changes), to: .changes, limit: 1_000) }
        if clicks > 0 { _ = queue.add(due(1_001...1_000 + clicks), to: .clicks, limit: 1_000) }
        while let lane = queue.nextLanes(limit: DeliveryQueue.requests).first {
            _ = queue.begin(in: lane)
            begun[lane, default: 0] += 1
        }
        return (queue, begun)
    }

    @Test(
        arguments: [
            (0, 0, 0, 0), (3, 0, 3, 0), (99, 0, 16, 0), (0, 99, 0, 12), (99, 99, 14, 2), (3, 99, 3, 12), (99, 1, 15, 1),
        ] as [(Int64, Int64, Int, Int)])
    func `lanes share the requests`(changes: Int64, clicks: Int64, forChanges: Int, forClicks: Int) {
        let begun = Self.filled(changes: changes, clicks: clicks).begun
        #expect(begun[.changes, default: 0] == forChanges && begun[.clicks, default: 0] == forClicks)
    }

    @Test func `a change begins at once beside clicks`() {
        var (queue, _) = Self.filled(changes: 0, clicks: 99)
        _ = queue.add(Self.due(1...9), to: .changes, limit: 100)
        for _ in 1...4 {
            #expect(queue.nextLanes(limit: DeliveryQueue.requests).first == .changes)
            _ = queue.begin(in: .changes)
        }
        #expect(queue.nextLanes(limit: DeliveryQueue.requests).first == nil)
        // Clicks give theirs up to changes, but for two.
        for _ in 1...5 {
            queue.end(in: .clicks)
            #expect(queue.nextLanes(limit: DeliveryQueue.requests).first == .changes)
            _ = queue.begin(in: .changes)
        }
        #expect(queue.requestCount(in: .clicks) == 7)
    }

    @Test func `clicks get requests that changes end`() {
        var (queue, _) = Self.filled(changes: 99, clicks: 0)
        _ = queue.add(Self.due(1_001...1_009), to: .clicks, limit: 100)
        for lane in [.clicks, .clicks, .changes] as [DeliveryLane] {
            queue.end(in: .changes)
            #expect(queue.nextLanes(limit: DeliveryQueue.requests).first == lane)
            _ = queue.begin(in: lane)
        }
        #expect(queue.requestCount(in: .clicks) == 2)
    }

    @Test func `lanes take turns with one request`() {
        var queue = DeliveryQueue()
        _ = queue.add(Self.due(1...3), to: .changes, limit: 100)
        _ = queue.add(Self.due(1_001...1_002), to: .clicks, limit: 100)
        var lanes: [DeliveryLane] = []
        while let lane = queue.nextLanes(limit: 1).first {
            _ = queue.begin(in: lane)
            #expect(queue.nextLanes(limit: 1).isEmpty)
            queue.end(in: lane)
            lanes.append(lane)
        }
        #expect(lanes == [.changes, .clicks, .changes, .clicks, .changes])
    }

    @Test func `reads what is not taken, and no more than a page`() {
        var queue = DeliveryQueue()
        #expect(queue.limit(for: .changes, page: 100) == 100)
        #expect(queue.add(Self.due(1...100), to: .changes, limit: 100) == 100)
        #expect(queue.limit(for: .changes, page: 100) == nil)
        for _ in 1...50 { _ = queue.begin(in: .changes) }
        // 100 are taken, 50 of them ready.
        #expect(queue.limit(for: .changes, page: 100) == 150)
        #expect(queue.add(Self.due(1...120), to: .changes, limit: 150) == 20)
        for _ in 1...70 { _ = queue.begin(in: .changes) }
        // All were read until there is news.
        #expect(queue.limit(for: .changes, page: 100) == nil)
        queue.forget(7)
        #expect(queue.limit(for: .changes, page: 100) == 219)
        #expect(queue.limit(for: .clicks, page: 32) == 32)
    }
}
