import Synchronization
import WaymarkClient
import WaymarkLinks
import WaymarkStores

/// Sends the deliveries of one endpoint, up to `DeliveryQueue.requests` at once: a receiver that hangs delays only its
/// own.
///
/// One task reads what is due, starts requests, and stores their results. A delivery is read only if no earlier one of
/// its link waits, and it waits until its result is stored: so a link's messages keep their order whatever happens to
/// this task or this server.
final class EndpointSender: Sendable {
    /// Deliveries to have ready in a lane. Those of clicks are larger.
    private static let pages: [DeliveryLane: Int] = [.changes: 100, .clicks: 32]
    /// The least time for a delivery that is read: at most 2,500 messages a second. The database, which others need,
    /// too, rests for as long as it took.
    private static let timePerDelivery = Duration.microseconds(400)
    /// After a failure of the store, in milliseconds.
    private static let pauseAfterFailure: Int64 = 5_000
    /// Between looks for what has become due while requests are under way.
    private static let lookInterval = Duration.seconds(1)
    /// Time limit of an attempt, in seconds, and the bytes that are read of its answer.
    private static let timeout = 15
    private static let bodyLimit = 65_536
    /// Requests over one connection: a new one resolves the host's name again.
    private static let requestsPerConnection = 100

    struct Context: Sendable {
        let store: any WebhookStore
        let client: any HTTPSending
        let signature: WebhookSignature
        let metrics: WebhookMetrics
        let now: @Sendable () -> Timestamp
        let metadataKeys: MetadataKeyRing
        let limit: RequestLimit
    }

    private let id: String
    private let context: Context
    private let bell = WakeBell()
    private let state = Mutex(State())

    private struct State {
        var task: Task<Void, Never>?
        var isStopping = false
        /// Until when no request is sent to the URL.
        var pause: (url: String, end: Timestamp)?
        /// Nil: no request begins.
        var target: EndpointTarget?
        var queue = DeliveryQueue()
        /// Their results are not stored yet.
        var ended: [EndedAttempt] = []
        /// When the task last looked for what is due; nil if it has to at once.
        var lastLook: ContinuousClock.Instant?
        /// Whether the task has begun a request.
        var hasBegun = false

        func isPaused(_ url: String, at now: Timestamp) -> Bool { pause.map { $0.url == url && now < $0.end } ?? false }
    }

    init(id: String, context: Context) {
        self.id = id
        self.context = context
    }

    /// Sends what is due: starts the task, or lets it look again.
    ///
    /// - Parameters:
    ///   - hasNews: Whether there are new messages. Else what is due may just be under way.
    ///   - onEnd: Whether anything was sent; with the store's error, if there was one.
    func start(_ webhook: Webhook, hasNews: Bool, onEnd: @escaping @Sendable (Bool, StoreError?) -> Void) {
        let now = context.now()
        state.withLock { state in
            guard !state.isStopping, !state.isPaused(webhook.url, at: now) else { return }
            let sinceLook = state.lastLook.map { ContinuousClock.now - $0 } ?? Self.lookInterval
            guard state.task == nil || hasNews || sinceLook >= Self.lookInterval else { return }
            state.lastLook = .now
            for lane in DeliveryLane.allCases { state.queue.noteDue(in: lane) }
            guard state.task == nil else {
                // Else the end of a request wakes it.
                if let target = state.target, state.queue.requestCount < target.requests { bell.ring() }
                return
            }
            state.hasBegun = false
            state.task = Task(priority: .utility) {
                var failure: StoreError?
                var hasSent = true
                do throws(StoreError) {
                    hasSent = try await self.run()
                } catch {
                    failure = error
                    // The results are stored by the next task, but not at once.
                    self.pause(webhook.url, milliseconds: Self.pauseAfterFailure)
                    self.state.withLock { state in
                        state.target = nil
                        state.queue.removeReady()
                        state.task = nil
                    }
                }
                onEnd(hasSent, failure)
            }
        }
    }

    /// No request begins any more. Those that are under way are waited for by `isRunning`.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.target = nil
        }
        bell.ring()
    }

    func resume() {
        state.withLock { state in
            state.pause = nil
            state.lastLook = nil
        }
        bell.ring()
    }

    /// Whether requests are under way, or their results are being stored.
    var isRunning: Bool { state.withLock { $0.task != nil || $0.queue.requestCount > 0 } }

    private func pause(_ url: String, milliseconds: Int64) {
        let end = context.now().advanced(byMilliseconds: milliseconds)
        state.withLock { state in
            if let pause = state.pause, pause.url == url, pause.end > end { return }
            state.pause = (url, end)
        }
    }

    /// - Returns: Whether it sent anything.
    private func run() async throws(StoreError) -> Bool {
        while true {
            let start = ContinuousClock.now
            // Read each time, because it may have been changed, and another server may be the dispatcher by now.
            let webhook = try await context.store.endpoint(id)
            let target = try await store(state.withLock { $0.ended }, of: webhook)
            // Unless an attempt has failed meanwhile.
            state.withLock { $0.target = $0.ended.allSatisfy(\.isSuccess) && !$0.isStopping ? target : nil }
            var count = 0
            if let target { count = try await read(for: target) }
            while let attempt = begin() { send(attempt) }
            if let hasSent = endsTask(hasTarget: target != nil) { return hasSent }
            let taken = ContinuousClock.now - start
            await bell.wait()
            try? await Task.sleep(for: max(taken, Self.timePerDelivery * count - taken))
        }
    }

    /// - Returns: Nil unless nothing is left to do until something is due; whether the task has sent anything.
    private func endsTask(hasTarget: Bool) -> Bool? {
        state.withLock { state in
            if !hasTarget { state.queue.removeReady() }
            guard state.queue.isEmpty else { return nil }
            state.task = nil
            return state.hasBegun
        }
    }

    // MARK: Requests

    /// Fills the queue.
    ///
    /// - Returns: How many deliveries were added.
    private func read(for target: EndpointTarget) async throws(StoreError) -> Int {
        var count = 0
        for lane in DeliveryLane.allCases {
            let page = target.requests == 1 ? 1 : Self.pages[lane] ?? 1
            guard let limit = state.withLock({ $0.queue.limit(for: lane, page: page) }) else { continue }
            let due = try await context.store.dueDeliveries(to: id, in: lane, at: context.now(), limit: limit)
            count += state.withLock { $0.queue.add(due, to: lane, limit: limit) }
        }
        return count
    }

    /// The next attempt; nil if none may begin.
    private func begin() -> DeliveryAttempt? {
        let now = context.now()
        return state.withLock { state in
            guard let target = state.target, !state.isPaused(target.url, at: now) else { return nil }
            for lane in state.queue.nextLanes(limit: target.requests) {
                let needsPlace = state.queue.requestCount(in: lane) > 0
                guard !needsPlace || context.limit.take() else { continue }
                state.hasBegun = true
                return DeliveryAttempt(
                    delivery: state.queue.begin(in: lane), lane: lane, target: target, at: now, hasPlace: needsPlace)
            }
            return nil
        }
    }

    /// Sends an attempt, and others over the same connection as long as there are any.
    private func send(_ first: DeliveryAttempt) {
        let current = Mutex((attempt: first, count: 0))
        Task(priority: .utility) {
            await context.client.send { [self] outcome in
                let (attempt, count) = current.withLock { $0 }
                if let outcome {
                    end(EndedAttempt(attempt: attempt, outcome: outcome))
                    guard count < Self.requestsPerConnection, let next = begin() else { return nil }
                    current.withLock { $0 = (next, count + 1) }
                    return request(next)
                }
                return request(attempt)
            }
        }
    }

    private func end(_ ended: EndedAttempt) {
        state.withLock { state in
            state.queue.end(in: ended.attempt.lane)
            state.ended.append(ended)
            // What failed is stored first: it may pause or disable the endpoint.
            if !ended.isSuccess { state.target = nil }
        }
        if ended.attempt.hasPlace { context.limit.giveBack() }
        bell.ring()
    }

    private func request(_ attempt: DeliveryAttempt) -> HTTPRequest {
        let (delivery, second) = (attempt.delivery, attempt.at.seconds)
        let signature = context.signature.field(
            id: delivery.messageID, second: second, body: delivery.body, keys: attempt.target.keys)
        return HTTPRequest(
            attempt.target.url, method: "POST",
            fields: [
                ("Content-Type", "application/json"), ("webhook-id", delivery.messageID),
                ("webhook-timestamp", "\(second)"), ("webhook-signature", signature),
            ], body: delivery.body, timeout: Self.timeout, bodyLimit: Self.bodyLimit)
    }

    // MARK: Results

    /// Stores the results of attempts.
    ///
    /// - Returns: Where further requests go; nil if none are to be sent.
    private func store(_ ended: [EndedAttempt], of webhook: Webhook?) async throws(StoreError) -> EndpointTarget? {
        var failingSince = webhook?.failingSince
        var isDisabled = webhook == nil || webhook?.disabled != nil
        for (url, attempts) in Dictionary(grouping: ended, by: \.url) {
            let verdict = EndpointVerdict(attempts, failingSince: webhook?.failingSince)
            let results = attempts.map(\.result)
            try await context.store.record(results, of: id, at: url, failingSince: verdict.failingSince)
            for result in results { context.metrics.count(result.state) }
            // An address that the endpoint had before says nothing of it.
            guard let webhook, webhook.url == url else { continue }
            failingSince = verdict.failingSince
            if let pause = verdict.pause { self.pause(url, milliseconds: pause) }
            if let reason = verdict.disabled {
                try await disable(webhook, reason)
                isDisabled = true
            }
        }
        state.withLock { state in
            state.ended.removeFirst(ended.count)
            for attempt in ended { state.queue.forget(attempt.attempt.delivery.number) }
        }
        guard let webhook, !isDisabled, webhook.unreadable == nil, try await context.store.holdsDispatch(),
            !state.withLock({ $0.isStopping || $0.isPaused(webhook.url, at: context.now()) })
        else { return nil }
        // An endpoint that fails gets one message at a time.
        return EndpointTarget(
            url: webhook.url, keys: try webhook.keys(at: context.now(), context.metadataKeys.current),
            requests: failingSince == nil ? DeliveryQueue.requests : 1)
    }

    private func disable(_ webhook: Webhook, _ reason: Webhook.DisabledReason) async throws(StoreError) {
        let event = OutboxEvent(
            .webhookDisabled, of: webhook.application, at: context.now(),
            [.init("id", webhook.id), .init("name", webhook.name), .init("reason", reason.name)])
        let url = webhook.url
        let changed = try await context.store.updateWebhook(webhook.id, event: event) { webhook in
            guard webhook.disabled == nil, webhook.url == url else { return false }
            webhook.disabled = reason
            return true
        }
        if changed != nil { context.metrics.disabled.add(1, ordering: .relaxed) }
    }
}

extension WebhookMetrics {
    fileprivate func count(_ state: WebhookDelivery.State) {
        if state == .delivered {
            delivered.add(1, ordering: .relaxed)
        } else {
            failedAttempts.add(1, ordering: .relaxed)
            if state == .failed { givenUp.add(1, ordering: .relaxed) }
        }
    }
}

extension Webhook.DisabledReason {
    package var name: String {
        switch self {
        case .manual: "manual"
        case .failures: "failures"
        case .gone: "gone"
        }
    }
}
