import Logging
import SealingTestSupport
import Synchronization
import Testing
import WaymarkClient
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores
import WaymarkTLS

@testable import WaymarkService

/// The dispatcher over an SQLite store in memory, with receivers that answer as the test says.
@Suite(.timeLimit(.minutes(5))) struct WebhookDispatcherTests {
    @Test func `sends events in their order with one id each`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.add("link.*")
        try await fixture.publish(.linkCreated, .linkUpdated, .keyCreated, .linkDeleted)
        try await fixture.turn(until: 3)
        let sent = fixture.receiver.sent
        #expect(sent.map(\.text) == ["link.created", "link.updated", "link.deleted"])
        #expect(Set(sent.map { $0["webhook-id"] }).count == 3)
        #expect(sent.allSatisfy { $0["webhook-timestamp"] == "\(Fixture.start.seconds)" })
        let deliveries = try await fixture.service.deliveries(to: id, before: nil, state: nil, limit: 9)
        #expect(deliveries.map(\.state) == [.delivered, .delivered, .delivered])
        #expect(deliveries[0].attempts.map(\.status) == [204])
    }

    @Test func `attempts a failed delivery again with the same id`() async throws {
        let fixture = try await Fixture()
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
        let fixture = try await Fixture()
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
        let fixture = try await Fixture()
        let id = try await fixture.add("link.created")
        _ = try await fixture.add("webhook.disabled", url: "https://other.example.com/")
        fixture.receiver.answer = { url in (url.contains("other") ? 200 : 410, nil) }
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 2)
        #expect(fixture.receiver.sent.map(\.text) == ["link.created", "webhook.disabled"])
        #expect(try await fixture.service.find(id, for: .all)?.disabled == .gone)
        try await fixture.publish(.linkCreated)
        try await fixture.turn(until: 2)
        #expect(fixture.receiver.sent.count == 2)
    }

    @Test func `disables an endpoint after five days of failures`() async throws {
        let fixture = try await Fixture()
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
        let fixture = try await Fixture()
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
        let fixture = try await Fixture()
        _ = try await fixture.add("*", url: "https://slow.example.com/")
        _ = try await fixture.add("*", url: "https://fast.example.com/")
        fixture.receiver.hanging = "slow"
        try await fixture.publish(.linkCreated, .linkUpdated, .linkDeleted)
        try await fixture.turn(until: 3, settling: false)
        #expect(fixture.receiver.sent.map(\.url).allSatisfy { $0.contains("fast") })
        fixture.receiver.release()
        try await fixture.turn(until: 6)
    }

    @Test func `signs with both secrets for a day`() async throws {
        let fixture = try await Fixture()
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
        let fixture = try await Fixture()
        let id = try await fixture.add("*")
        try await fixture.publish(.linkCreated, .linkUpdated)
        #expect(try await fixture.service.delete(id))
        try await fixture.turn(until: 0)
        #expect(fixture.receiver.sent.isEmpty)
    }

    @Test func `seals secrets and signs with them`() async throws {
        let keys = try SealingKeys.ring("a", "b")
        let fixture = try await Fixture(keys: keys)
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

    @Test(arguments: [0, 1, 255] as [UInt8]) func `keeps secrets that begin with any byte`(first: UInt8) throws {
        let key = [first] + [UInt8](repeating: 7, count: 31)
        for keys in [MetadataKeys.none, try SealingKeys.keys(["a"])] {
            let secret = Webhook.Secret(key: key, of: "wh_1", sealedWith: keys)
            #expect(try secret.key(of: "wh_1", keys) == key)
        }
    }

    @Test func `counts pending deliveries`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.add("link.*")
        fixture.receiver.answer = { _ in (500, nil) }
        try await fixture.publish(.linkCreated, .linkUpdated)
        try await fixture.turn(until: 1)
        fixture.clock.advance(seconds: 10)
        _ = await fixture.dispatcher.turn()
        #expect(fixture.dispatcher.metrics.waiting.load(ordering: .relaxed) == 2)
    }

    @Test func `sends a test whatever is subscribed to`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.add("key.*")
        let sent = try await fixture.service.test(id) { _ in Array("webhook.test".utf8) }
        try await fixture.turn(until: 1)
        #expect(fixture.receiver.sent.map { $0["webhook-id"] } == [sent])
        #expect(try await fixture.service.test("none") { _ in [] } == nil)
    }
}

/// A store with one application, and a receiver.
private struct Fixture {
    static let start = Timestamp(rawValue: 1_763_000_000_000)

    let store: SQLiteLinkStore
    let clock = Clock()
    let receiver: Receiver
    let dispatcher: WebhookDispatcher
    let service: WebhookService
    let link: Link

    init(keys: MetadataKeyRing = MetadataKeyRing()) async throws {
        let clock = clock
        store = try SQLiteLinkStore(path: ":memory:")
        let receiver = Receiver()
        self.receiver = receiver
        dispatcher = WebhookDispatcher(
            store: store.webhooks,
            environment: .init(
                client: receiver, body: { Array($0.type.name.utf8) }, flushClicks: {},
                sha256: { SHA256.digest(of: $0) }, now: { clock.now }, metadataKeys: keys),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        service = WebhookService(
            store: store.webhooks, client: receiver, metadataKeys: keys, now: { clock.now },
            randomBytes: { count in (0..<count).map { _ in .random(in: 0...255) } }, wake: { _ in })
        link = Link(
            id: LinkID(rawValue: 1), application: try #require(ApplicationID("shop")),
            domain: try #require(HostName("go.example.com")), slug: try #require(Slug("a")), content: LinkContent(),
            createdAt: Self.start, updatedAt: Self.start)
    }

    func add(_ events: String..., url: String = "https://receiver.example.com/hook") async throws -> String {
        try #require(try await service.create(url: url, events: events, name: nil, application: nil)).webhook.id
    }

    func publish(_ types: EventType...) async throws {
        try await store.webhooks.publish(types.map { OutboxEvent($0, link, at: clock.now) })
    }

    /// Takes turns until so many messages were sent and their results are stored.
    func turn(until count: Int, settling: Bool = true) async throws {
        var isOver = false
        while !isOver {
            _ = await dispatcher.turn()
            for _ in 0..<200 { await Task.yield() }
            let waiting = try await store.webhooks.outbox(limit: 1)
            isOver = receiver.sent.count >= count && waiting.isEmpty
        }
        // The sender stores what it was answered before it reads on.
        while settling, dispatcher.isSending { await Task.yield() }
    }

    func succeedOnce(_ id: String) async throws {
        try await store.webhooks.record([], of: id, failingSince: nil)
    }
}

private final class Clock: Sendable {
    private let time = Mutex(Fixture.start)
    var now: Timestamp { time.withLock { $0 } }
    func advance(seconds: Int64) { time.withLock { $0 = $0.advanced(byMilliseconds: seconds * 1_000) } }
}

private final class Receiver: HTTPSending {
    struct Sent: Sendable {
        var url: String
        var fields: [(name: String, value: String)]
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
        subscript(name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    }

    private struct State {
        var sent: [Sent] = []
        var answer: @Sendable (_ url: String) -> (status: Int?, retryAfter: Int?) = { _ in (204, nil) }
        var hanging: String?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var sent: [Sent] { state.withLock { $0.sent } }
    var answer: @Sendable (_ url: String) -> (status: Int?, retryAfter: Int?) {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }
    /// A part of the URLs that do not answer until `release`.
    var hanging: String? {
        get { state.withLock { $0.hanging } }
        set { state.withLock { $0.hanging = newValue } }
    }

    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.hanging = nil
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        let url = requests.first?.url ?? ""
        if let hanging, url.contains(hanging) {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.hanging != nil else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
        var outcomes: [HTTPOutcome] = []
        for request in requests {
            let (status, retryAfter) = state.withLock { state in
                state.sent.append(Sent(url: url, fields: request.fields, body: request.body ?? []))
                return state.answer(url)
            }
            let fields = retryAfter.map { [(name: "Retry-After", value: "\($0)")] } ?? []
            let outcome = HTTPOutcome(
                status.map { .success(HTTPResponse(status: $0, fields: fields)) }
                    ?? .failure(.connection(.unreachable, host: url)))
            outcomes.append(outcome)
            guard goesOn(outcome) else { break }
        }
        return outcomes
    }

    func obstacle(to url: String) async -> HTTPFailure? { nil }
}
