import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@testable import WaymarkService

/// What leaves the server of clicks at each level of detail.
@Suite(.timeLimit(.minutes(5))) struct ClickDetailTests {
    private typealias Level = (detail: ClickDetail, visitors: Int, records: Int)

    private static let levels: [Level] = [(.full, 2, 3), (.noVisitors, 0, 3), (.countOnly, 0, 0)]

    @Test(arguments: levels) func `ClickHouse and webhooks get what is recorded`(
        detail: ClickDetail, visitors: Int, records: Int
    ) async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("sale")
        let webhooks = WebhookService(
            store: fixture.store.webhooks, client: WebhookReceiver(), metadataKeys: MetadataKeyRing(),
            now: { fixture.service.clock.now }, randomBytes: { Array(repeating: 7, count: $0) }, wake: { _ in })
        _ = try await webhooks.create(
            url: "https://receiver.example.com/hook", events: ["link.clicked"], name: nil, application: nil)
        let service = fixture.service.service
        for subscriber: UInt64 in [1, 1, 2] {
            service.clicks.record(
                .person(link.id, at: fixture.service.clock.now, subscriber: subscriber, detail: detail))
        }
        try await service.flushRecords()
        try await service.clicks.flush()
        _ = await fixture.dispatcher.turn()
        let rows = fixture.clickHouse.rows
        #expect(rows.count == records)
        #expect(Set(rows.map(\.visitor)).subtracting([0]).count == visitors)
        let events = try await fixture.store.webhooks.outbox(limit: 100).map(\.event)
        #expect(events.flatMap(\.clicks).count == records)
        #expect(try await fixture.store.link(link.id)?.clicks == 3)
    }
}
