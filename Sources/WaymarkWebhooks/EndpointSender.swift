import Synchronization
import WaymarkLinks
import WaymarkStores

/// Sends the deliveries of one endpoint in their order, one at a time: a receiver that hangs delays only its own.
final class EndpointSender: Sendable {
    /// Deliveries in memory.
    private static let page = 100
    /// The least time for a whole page: at most 2,500 messages a second. A page also pauses for as long as the database took,
    /// which others need, too.
    private static let pageTime = Duration.milliseconds(40)
    /// In milliseconds: after a failure of the store, and after an attempt without an answer.
    private static let pauseAfterFailure: Int64 = 5_000
    private static let pauseWithoutAnswer: Int64 = 1_000

    struct Context: Sendable {
        let store: any WebhookStore
        let transport: any WebhookTransport
        let signature: WebhookSignature
        let metrics: WebhookMetrics
        let now: @Sendable () -> Timestamp
        let userAgent: String
        let metadataKeys: MetadataKeyRing
    }

    private let id: String
    private let context: Context
    private let state = Mutex(State())

    private struct State {
        var task: Task<Void, Never>?
        /// Until when no request is sent to the URL.
        var pause: (url: String, end: Timestamp)?
    }

    init(id: String, context: Context) {
        self.id = id
        self.context = context
    }

    /// Starts a task that sends what is due, unless one is running.
    ///
    /// - Parameter onEnd: With the store's error, if there was one.
    func start(_ webhook: Webhook, onEnd: @escaping @Sendable (StoreError?) -> Void) {
        let now = context.now()
        state.withLock { state in
            guard state.task == nil else { return }
            if let pause = state.pause, pause.url == webhook.url, now < pause.end { return }
            state.task = Task(priority: .utility) {
                var failure: StoreError?
                do {
                    try await self.run()
                } catch {
                    // What could not be stored is sent again, but not at once.
                    failure = error as? StoreError
                    self.pause(webhook.url, milliseconds: Self.pauseAfterFailure)
                }
                self.state.withLock { $0.task = nil }
                onEnd(failure)
            }
        }
    }

    func cancel() { state.withLock { $0.task }?.cancel() }

    func resume() { state.withLock { $0.pause = nil } }

    /// Whether a task is sending.
    var isRunning: Bool { state.withLock { $0.task != nil } }

    private func pause(_ url: String, milliseconds: Int64) {
        let end = context.now().advanced(byMilliseconds: milliseconds)
        state.withLock { $0.pause = (url, end) }
    }

    private func run() async throws {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            // Read for each page, because it may have been changed, and another server may be the dispatcher by now.
            guard try await context.store.holdsDispatch(),
                let webhook = try await context.store.endpoint(id), webhook.disabled == nil
            else { return }
            // An endpoint that fails gets one message at a time.
            let limit = webhook.failingSince == nil ? Self.page : 1
            let due = try await context.store.dueDeliveries(to: id, at: context.now(), limit: limit)
            guard !due.isEmpty else { return }
            let posted = ContinuousClock.now
            let keys = try webhook.keys(at: context.now(), context.metadataKeys.current)
            let answers = await context.transport.post(due.map { message($0, signedWith: keys) }, to: webhook.url)
            let waited = ContinuousClock.now - posted
            guard try await record(Array(zip(due, answers)), of: webhook) else { return }
            guard due.count == Self.page else { continue }
            let taken = ContinuousClock.now - start
            try await Task.sleep(for: max(taken - waited, Self.pageTime - taken, .zero))
        }
    }

    private func message(_ delivery: DueDelivery, signedWith keys: [[UInt8]]) -> WebhookMessage {
        let now = context.now()
        let signature = context.signature.field(
            id: delivery.messageID, second: now.seconds, body: delivery.body, keys: keys)
        return WebhookMessage(
            fields: [
                ("Content-Type", "application/json"), ("User-Agent", context.userAgent),
                ("webhook-id", delivery.messageID), ("webhook-timestamp", "\(now.seconds)"),
                ("webhook-signature", signature),
            ], body: delivery.body)
    }

    /// - Returns: Whether to go on.
    private func record(_ answers: [(DueDelivery, WebhookAnswer)], of webhook: Webhook) async throws -> Bool {
        var results: [DeliveryResult] = []
        var failingSince = webhook.failingSince
        var disabled: Webhook.DisabledReason?
        var pause: Int64?
        for (delivery, answer) in answers {
            results.append(result(delivery, answer))
            context.metrics.count(results[results.count - 1].state, answer)
            guard !answer.isSuccess else {
                failingSince = nil
                continue
            }
            let since = failingSince ?? answer.at
            failingSince = since
            if answer.status == 410 { disabled = .gone }
            // Not by the first attempt after days without any event.
            let isOld = answer.at.rawValue - since.rawValue >= RetrySchedule.patience
            if isOld, delivery.round > 0 { disabled = disabled ?? .failures }
            if answer.isOverload || answer.retryAfter != nil {
                pause = RetrySchedule.pause(seconds: answer.retryAfter ?? 5)
            } else if answer.status == nil {
                pause = pause ?? Self.pauseWithoutAnswer
            }
        }
        try await context.store.record(results, of: id, failingSince: failingSince)
        if let disabled {
            try await disable(webhook, disabled)
            return false
        }
        guard let pause, pause > 0 else { return true }
        self.pause(webhook.url, milliseconds: pause)
        return false
    }

    private func result(_ delivery: DueDelivery, _ answer: WebhookAnswer) -> DeliveryResult {
        let attempt = WebhookDelivery.Attempt(
            at: answer.at, status: answer.status, error: answer.failure, milliseconds: answer.milliseconds,
            answer: answer.body)
        let round = delivery.round + 1
        let delay =
            answer.isSuccess
            ? nil
            : RetrySchedule.delay(after: round, retryAfter: answer.retryAfter, jitter: .random(in: -1...1))
        return DeliveryResult(
            number: delivery.number, state: answer.isSuccess ? .delivered : delay == nil ? .failed : .waiting,
            nextAttempt: delay.map { answer.at.advanced(byMilliseconds: $0) },
            attempts: delivery.attempts.suffix(RetrySchedule.delays.count * 2) + [attempt], round: round)
    }

    private func disable(_ webhook: Webhook, _ reason: Webhook.DisabledReason) async throws {
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
    fileprivate func count(_ state: WebhookDelivery.State, _ answer: WebhookAnswer) {
        if answer.isSuccess {
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
