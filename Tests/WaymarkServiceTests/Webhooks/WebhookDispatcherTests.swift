import SealingTestSupport
import Synchronization
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTLS

@testable import WaymarkService

/// The dispatcher over an SQLite store in memory, with receivers that answer as the test says.
@Suite(.timeLimit(.minutes(5))) struct WebhookDispatcherTests {
    @Test func `sends events in their order with one id each`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("link.*")
        try await fixture.publish(.linkCreated, .linkUpdated, .keyCreated, .linkDeleted)
        try await fixture.turn(until: 3)
        let sent = fixture.receiver.sent
        #expect(sent.map(\.text) == ["link.created", "link.updated", "link.deleted"])
        #expect(Set(sent.map { $0["webhook-id"] }).count == 3)
        #expect(sent.allSatisfy { $0["webhook-timestamp"] == "\(WebhookFixture.start.seconds)" })
        let deliveries = try await fixture.service.deliveries(to: id, before: nil, state: nil, limit: 9)
        #expect(deliveries.map(\.state) == [.delivered, .delivered, .delivered])
        #expect(deliveries[0].attempts.map(\.status) == [204])
    }

    @Test func `attempts a failed delivery again with the same id`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("*")
        fixture.receiver.answer = { _ in (500, nil) }
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 1)
        fixture.clock.advance(seconds: 4)
        try await fixture.turn(until: 1)
        fixture.receiver.answer = { _ in (200, nil) }
        fixture.clock.advance(seconds: 2)
        try await fixture.turn(until: 2)
        let sent = fixture.receiver.sent
        #expect(sent.count == 2)
        #expect(sent[0]["webhook-id"] == sent[1]["webhook-id"])
        #expect(sent[0]["webhook-timestamp"] != sent[1]["webhook-timestamp"])
        #expect(sent[0].body == sent[1].body)
        let delivery = try #require(
            try await fixture.service.deliveries(to: id, before: nil, state: nil, limit: 9).first)
        #expect(delivery.state == .delivered)
        #expect(delivery.attempts.map(\.error) == ["answered 500", nil])
    }

    @Test func `gives up after ten attempts`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("*")
        fixture.receiver.answer = { _ in (nil, nil) }
        try await fixture.publish(.linkCreated)
        for attempt in 1...10 {
            try await fixture.turn(until: attempt)
            fixture.clock.advance(seconds: 27 * 3_600)
            // A success in between, so that the endpoint stays enabled.
            try await fixture.succeedOnce(id)
        }
        let deliveries = try await fixture.service.deliveries(to: id, before: nil, state: .failed, limit: 9)
        #expect(deliveries.map(\.attempts.count) == [10])
        #expect(fixture.dispatcher.metrics.givenUp.load(ordering: .relaxed) == 1)
    }

    @Test func `disables an endpoint that is gone, and reports it to others`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("link.created")
        _ = try await fixture.add("webhook.disabled", url: "https://other.example.com/")
        fixture.receiver.answer = { sent in (sent.url.contains("other") ? 200 : 410, nil) }
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 2)
        #expect(fixture.receiver.sent.map(\.text) == ["link.created", "webhook.disabled"])
        #expect(try await fixture.service.find(id, for: .all)?.disabled == .gone)
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 2)
        #expect(fixture.receiver.sent.count == 2)
    }

    @Test func `disables an endpoint after five days of failures`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("*")
        fixture.receiver.answer = { _ in (500, nil) }
        for day in 0...5 {
            #expect(try await fixture.service.find(id, for: .all)?.disabled == nil)
            try await fixture.publish(.linkCreated)
            let count = fixture.receiver.sent.count
            try await fixture.turn(until: count + 1)
            if day < 5 { fixture.clock.advance(seconds: 24 * 3_600) }
        }
        #expect(try await fixture.service.find(id, for: .all)?.disabled == .failures)
        var change = WebhookService.Change()
        change.disabled = false
        #expect(try await fixture.service.change(id, change)?.failingSince == nil)
    }

    @Test func `leaves an endpoint alone for as long as it asks`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("*")
        fixture.receiver.answer = { _ in (429, 60) }
        try await fixture.publish(.linkCreated, .linkUpdated)
        try await fixture.turn(until: 1)
        for _ in 0..<5 {
            fixture.clock.advance(seconds: 10)
            try await fixture.turn(until: 1)
        }
        #expect(fixture.receiver.sent.count == 1)
        fixture.receiver.answer = { _ in (200, nil) }
        fixture.clock.advance(seconds: 11)
        try await fixture.turn(until: 3)
        #expect(Set(fixture.receiver.sent.map(\.text)) == ["link.created", "link.updated"])
    }

    @Test func `a receiver that hangs delays no other`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("*", url: "https://slow.example.com/")
        _ = try await fixture.add("*", url: "https://fast.example.com/")
        fixture.receiver.hangs = { $0.url.contains("slow") }
        try await fixture.publish(.linkCreated, .linkUpdated, .linkDeleted)
        try await fixture.turn(until: 3, settling: false)
        #expect(fixture.receiver.sent.map(\.url).allSatisfy { $0.contains("fast") })
        fixture.receiver.release()
        try await fixture.turn(until: 6)
    }

    @Test func `signs with both secrets for a day`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("*")
        let secret = try #require(try await fixture.service.rotate(id))
        let key = try #require(WebhookSignature.key(secret))
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 1)
        fixture.clock.advance(seconds: 24 * 3_600)
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 2)
        let signatures = fixture.receiver.sent.map { $0["webhook-signature"].split(separator: " ") }
        #expect(signatures.map(\.count) == [2, 1])
        let last = fixture.receiver.sent[1]
        #expect(
            last["webhook-signature"]
                == WebhookSignature { SHA256.digest(of: $0) }.field(
                    id: last["webhook-id"], second: fixture.clock.now.seconds, body: last.body, keys: [key]))
    }

    @Test func `drops events whose endpoint is gone`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("*")
        try await fixture.publish(.linkCreated, .linkUpdated)
        #expect(try await fixture.service.delete(id))
        try await fixture.turn(until: 0)
        #expect(fixture.receiver.sent.isEmpty)
    }

    @Test func `seals secrets and signs with them`() async throws {
        let keys = try SealingKeys.ring("a", "b")
        let fixture = try await WebhookFixture(keys: keys)
        let (webhook, secret) = try #require(
            try await fixture.service.create(
                url: "https://receiver.example.com/", events: ["*"], name: nil, application: nil))
        let key = try #require(WebhookSignature.key(secret))
        let stored = try #require(try await fixture.store.webhooks.endpoint(webhook.id)).secrets[0].stored
        #expect(SealedMetadata.isSealed(stored) && !stored.contains(key))
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 1)
        let sent = fixture.receiver.sent[0]
        let expected = WebhookSignature(sha256: { SHA256.digest(of: $0) }).field(
            id: sent["webhook-id"], second: try #require(Int64(sent["webhook-timestamp"])), body: sent.body, keys: [key]
        )
        #expect(sent["webhook-signature"] == expected)
        // Of another endpoint, or without the key, it is useless.
        #expect(throws: StoreError.self) { try webhook.secrets[0].key(of: "other", keys.current) }
        #expect(throws: StoreError.self) { try webhook.secrets[0].key(of: webhook.id, .none) }
    }

    @Test func `reads endpoints of the first form`() throws {
        let key = [UInt8](repeating: 7, count: 32)
        // Form, URL, no name, one event, one secret without end, enabled, created at 2, not failing.
        let bytes: [UInt8] = [1, 1, 0x61, 0, 0, 1, 1, 0x2A, 1, 32] + key + [0, 0, 4, 0]
        let webhook = try Webhook(id: "wh_1", application: nil, encoded: bytes)
        #expect(webhook.url == "a" && webhook.events == ["*"] && webhook.createdAt.rawValue == 2)
        #expect(try webhook.secrets[0].key(of: "wh_1", .none) == key)
        #expect(try Webhook(id: "wh_1", application: nil, encoded: webhook.encoded) == webhook)
    }

    @Test func `endpoints without a manager have the earlier form`() throws {
        var webhook = Webhook(
            id: "wh_1", application: nil, url: "a", name: nil, events: ["*"], secrets: [],
            createdAt: Timestamp(rawValue: 2))
        #expect(webhook.encoded.first == 2 && webhook.need == nil)
        webhook.managedBy = "links"
        #expect(webhook.encoded.first == 3 && webhook.need != nil)
        #expect(try Webhook(id: "wh_1", application: nil, encoded: webhook.encoded) == webhook)
        for bytes in [webhook.encoded.dropLast(), webhook.encoded + [0], [2] + webhook.encoded.dropFirst()] {
            #expect(throws: StoreError.self) { try Webhook(id: "wh_1", application: nil, encoded: Array(bytes)) }
        }
    }

    @Test(arguments: [0, 1, 255] as [UInt8]) func `keeps secrets that begin with any byte`(first: UInt8) throws {
        let key = [first] + [UInt8](repeating: 7, count: 31)
        for keys in [MetadataKeys.none, try SealingKeys.keys(["a"])] {
            let secret = Webhook.Secret(key: key, of: "wh_1", sealedWith: keys)
            #expect(try secret.key(of: "wh_1", keys) == key)
        }
    }

    @Test func `counts pending deliveries`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.answer = { _ in (500, nil) }
        try await fixture.publish(.linkCreated, .linkUpdated)
        try await fixture.turn(until: 1)
        fixture.clock.advance(seconds: 10)
        _ = await fixture.dispatcher.turn()
        #expect(fixture.dispatcher.metrics.waiting.load(ordering: .relaxed) == 2)
    }

    @Test func `sends a test whatever is subscribed to`() async throws {
        let fixture = try await WebhookFixture()
        let id = try await fixture.add("key.*")
        let sent = try await fixture.service.test(id) { _ in Array("webhook.test".utf8) }
        try await fixture.turn(until: 1)
        #expect(fixture.receiver.sent.map { $0["webhook-id"] } == [sent])
        #expect(try await fixture.service.test("none") { _ in [] } == nil)
    }
}
