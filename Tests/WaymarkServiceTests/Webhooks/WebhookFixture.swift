import Logging
import Synchronization
import Testing
import WaymarkClient
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores
import WaymarkTLS

@testable import WaymarkService

/// A store with one application, a dispatcher, and a receiver.
final class WebhookFixture: Sendable {
    static let start = Timestamp(rawValue: 1_763_000_000_000)

    let store: SQLiteLinkStore
    let clock = WebhookClock()
    let receiver = WebhookReceiver()
    let service: WebhookService
    private let environment: WebhookDispatcher.Environment
    private let running: Mutex<WebhookDispatcher>

    /// - Parameters:
    ///   - client: Nil: the receiver.
    ///   - places: For requests beyond the first of each lane.
    init(
        keys: MetadataKeyRing = MetadataKeyRing(), client: (any HTTPSending)? = nil, backlog: Int = 1_000_000,
        places: Int = 128
    ) async throws {
        let clock = clock
        store = try SQLiteLinkStore(path: ":memory:")
        var environment = WebhookDispatcher.Environment(
            client: client ?? receiver, body: Self.body, flushClicks: {}, sha256: { SHA256.digest(of: $0) },
            now: { clock.now }, metadataKeys: keys)
        environment.backlog = backlog
        environment.furtherRequests = places
        self.environment = environment
        running = Mutex(Self.dispatcher(store, environment))
        service = WebhookService(
            store: store.webhooks, client: receiver, metadataKeys: keys, now: { clock.now },
            randomBytes: { count in (0..<count).map { _ in .random(in: 0...255) } }, wake: { _ in })
    }

    var dispatcher: WebhookDispatcher { running.withLock { $0 } }

    private static func dispatcher(
        _ store: SQLiteLinkStore, _ environment: WebhookDispatcher.Environment
    ) -> WebhookDispatcher {
        WebhookDispatcher(
            store: store.webhooks, environment: environment,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The type; of links other than the first also the link and the number of its event.
    private static func body(_ event: OutboxEvent) -> [UInt8] {
        guard let link = event.link, link.id.rawValue > 1 else { return Array(event.type.name.utf8) }
        return Array("\(event.type.name) \(link.id.rawValue) \(link.version)".utf8)
    }

    /// Another process takes over: what this one has in memory is lost.
    func restart() { running.withLock { $0 = Self.dispatcher(store, environment) } }

    func add(_ events: String..., url: String = "https://receiver.example.com/hook") async throws -> String {
        try #require(try await service.create(url: url, events: events, name: nil, application: nil)).webhook.id
    }

    /// Events of the first link.
    func publish(_ types: EventType...) async throws {
        for type in types { try await publish(type, of: 1) }
    }

    /// - Parameter number: Of the event among those of the link.
    func publish(_ type: EventType, of link: Int64, number: Int = 1) async throws {
        var event = OutboxEvent(type, of: ApplicationID("shop"), at: clock.now)
        if type != .linkClicked {
            event.link = Link(
                id: LinkID(rawValue: link), application: try #require(ApplicationID("shop")),
                domain: try #require(HostName("go.example.com")), slug: try #require(Slug("a")),
                content: LinkContent(), createdAt: Self.start, updatedAt: Self.start)
            event.link?.version = number
        }
        try await store.webhooks.publish([event])
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
        if settling { await settle() }
    }

    /// Takes turns until so many requests have begun.
    func turn(untilBegun count: Int) async throws {
        while receiver.begun.count < count { _ = await dispatcher.turn() }
        for _ in 0..<3 {
            _ = await dispatcher.turn()
            for _ in 0..<200 { await Task.yield() }
        }
    }

    /// Waits until all results are stored.
    func settle() async {
        while dispatcher.isSending { await Task.yield() }
    }

    func succeedOnce(_ id: String) async throws {
        try await store.webhooks.record([], of: id, at: "https://receiver.example.com/hook", failingSince: nil)
    }
}

final class WebhookClock: Sendable {
    private let time = Mutex(WebhookFixture.start)
    var now: Timestamp { time.withLock { $0 } }
    func advance(seconds: Int64) { time.withLock { $0 = $0.advanced(byMilliseconds: seconds * 1_000) } }
}

/// Answers as the test says.
final class WebhookReceiver: HTTPSending {
    struct Sent: Sendable {
        var url: String
        var fields: [(name: String, value: String)]
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
        /// 1 unless the body names another.
        var link: Int64 { words.count > 1 ? Int64(words[1]) ?? 1 : 1 }
        /// Of the event among those of its link.
        var number: Int { words.count > 2 ? Int(words[2]) ?? 1 : 1 }
        private var words: [Substring] { text.split(separator: " ") }
        subscript(name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    }

    typealias Answer = (status: Int?, retryAfter: Int?)

    /// A request has come, or was answered.
    enum Entry: Sendable {
        case begun(Sent)
        case answered(Sent, status: Int?)
    }

    private struct State {
        var log: [Entry] = []
        var answer: @Sendable (Sent) -> Answer = { _ in (204, nil) }
        var hangs: @Sendable (Sent) -> Bool = { _ in false }
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var log: [Entry] { state.withLock { $0.log } }
    /// Those that came.
    var begun: [Sent] {
        log.compactMap { entry in
            if case .begun(let sent) = entry { sent } else { nil }
        }
    }
    /// Those that were answered.
    var sent: [Sent] {
        log.compactMap { entry in
            if case .answered(let sent, _) = entry { sent } else { nil }
        }
    }
    var answer: @Sendable (Sent) -> Answer {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }
    /// The requests that are not answered until `release`.
    var hangs: @Sendable (Sent) -> Bool {
        get { state.withLock { $0.hangs } }
        set { state.withLock { $0.hangs = newValue } }
    }

    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.hangs = { _ in false }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        var outcomes: [HTTPOutcome] = []
        for request in requests {
            let sent = Sent(url: request.url, fields: request.fields, body: request.body ?? [])
            state.withLock { $0.log.append(.begun(sent)) }
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.hangs(sent) else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
            let (status, retryAfter) = state.withLock { state in
                let answer = state.answer(sent)
                state.log.append(.answered(sent, status: answer.status))
                return answer
            }
            let fields = retryAfter.map { [(name: "Retry-After", value: "\($0)")] } ?? []
            let outcome = HTTPOutcome(
                status.map { .success(HTTPResponse(status: $0, fields: fields)) }
                    ?? .failure(.connection(.unreachable, host: request.url)))
            outcomes.append(outcome)
            guard goesOn(outcome) else { break }
        }
        return outcomes
    }

    func obstacle(to url: String) async -> HTTPFailure? { nil }
}
