import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkSQLite

/// Lanes and holds of deliveries that are wrong; PostgreSQL's are in `EarlierDeliveryTests`.
@Suite struct DeliveryRepairTests {
    private static let now = Timestamp(rawValue: 1_000)

    @Test(arguments: ["held = 0 WHERE lane = 0", "held = 1 WHERE lane = 0", "lane = 0, order_key = 0, held = 0"])
    func wrongHoldsAreRepaired(change: String) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        let webhooks = store.webhooks
        let webhook = Webhook(
            id: "wh", application: nil, url: "https://example.com/", name: nil, events: ["*"], secrets: [],
            createdAt: Self.now)
        #expect(try await webhooks.insert(webhook, limit: 9))
        let types: [EventType] = [.linkClicked, .linkCreated, .linkUpdated, .linkClicked, .linkDeleted]
        try await webhooks.publish(types.map { OutboxEvent($0, of: nil, at: Self.now) })
        let messages = try await webhooks.outbox(limit: 9).map { number, event in
            OutgoingMessage(
                number: number, id: OutgoingMessage.id(number, dispatcher: 7), type: event.type, at: Self.now,
                orderKey: 1, body: [], webhooks: ["wh"])
        }
        try await webhooks.distribute(messages, at: Self.now)
        try await store.write { session in try session.database.run("UPDATE webhook_delivery SET " + change) }
        var place: DeliveryPlace? = .first
        while let last = place { place = try await webhooks.arrangeDeliveries(to: "wh", after: last, limit: 2) }
        #expect(try await numbers(.changes, in: store) == [2])
        #expect(try await numbers(.clicks, in: store) == [1, 4])
        let held = try await webhooks.deliveries(to: "wh", before: nil, state: .waiting, limit: 9)
            .filter { $0.nextAttempt == nil }
        #expect(held.map(\.number) == [5, 3])
        await store.close()
    }

    private func numbers(_ lane: DeliveryLane, in store: SQLiteLinkStore) async throws -> [Int64] {
        try await store.webhooks.dueDeliveries(to: "wh", in: lane, at: Self.now, limit: 9).map(\.number)
    }
}
