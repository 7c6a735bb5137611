import Synchronization
import WaymarkLinks
import WaymarkStores

/// Sends the deliveries of one endpoint in their order, one at a time: a receiver that hangs delays only its own.
final class EndpointSender: Sendable {
    /// Deliveries in memory.
    private static let page = 100
    /// The least time for a whole page: at most 2,500 messages a second. A page that takes longer, because others need the
    /// processor or the database, is followed by a pause of the same length.
    private static let pageTime = Duration.milliseconds(40)

    struct Context: Sendable {
        let store: any WebhookStore
        let transport: any WebhookTransport
        let signature: WebhookSignature
        let metrics: WebhookMetrics
        let now: @Sendable () -> Timestamp
        let userAgent: String
    }

    private let id: String
    private let context: Context
    private let state = Mutex(State())

    private struct State {
        var isRunning = false
        /// Until when the endpoint has asked for no request.
        var pausedUntil: Timestamp?
    }

    init(id: String, context: Context) {
        self.id = id
        self.context = context
    }

    /// Starts a task that sends what is due, unless one is running.
    func start(_ webhook: Webhook, onEnd: @escaping @Sendable () -> Void) {
        let now = context.now()
        let starts = state.withLock { state in
            guard !state.isRunning, state.pausedUntil.map({ $0 <= now }) ?? true else { return false }
            state.isRunning = true
            return true
        }
        guard starts else { return }
        Task(priority: .utility) {
            // What could not be read or stored is due again.
            try? await run(webhook)
            state.withLock { $0.isRunning = false }
            onEnd()
        }
    }

    /// Whether a task is sending. For tests.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    private func run(_ webhook: Webhook) async throws {
        var webhook = webhook
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let due = try await context.store.dueDeliveries(to: id, at: context.now(), limit: Self.page)
            guard !due.isEmpty else { return }
            let answers = await context.transport.post(due.map { message($0, webhook) }, to: webhook.url)
            guard try await record(Array(zip(due, answers)), of: &webhook) else { return }
            guard due.count == Self.page else { continue }
            let taken = ContinuousClock.now - start
            try await Task.sleep(for: taken > Self.pageTime ? taken : Self.pageTime - taken)
        }
    }

    private func message(_ delivery: DueDelivery, _ webhook: Webhook) -> WebhookMessage {
        let now = context.now()
        let signature = context.signature.field(
            id: delivery.messageID, second: now.seconds, body: delivery.body, keys: webhook.keys(at: now))
        return WebhookMessage(
            fields: [
                ("Content-Type", "application/json"), ("User-Agent", context.userAgent),
                ("webhook-id", delivery.messageID), ("webhook-timestamp", "\(now.seconds)"),
                ("webhook-signature", signature),
            ], body: delivery.body)
    }

    /// - Returns: Whether to go on.
    private func record(_ answers: [(DueDelivery, WebhookAnswer)], of webhook: inout Webhook) async throws -> Bool {
        var results: [DeliveryResult] = []
        var disabled: Webhook.DisabledReason?
        var pause: Int64?
        for (delivery, answer) in answers {
            results.append(result(delivery, answer))
            context.metrics.count(results[results.count - 1].state, answer)
            guard !answer.isSuccess else {
                webhook.failingSince = nil
                continue
            }
            let since = webhook.failingSince ?? answer.at
            webhook.failingSince = since
            if answer.status == 410 { disabled = .gone }
            if answer.at.rawValue - since.rawValue >= RetrySchedule.patience { disabled = disabled ?? .failures }
            if answer.isOverload || answer.retryAfter != nil {
                pause = RetrySchedule.pause(seconds: answer.retryAfter ?? 5)
            }
        }
        try await context.store.record(results, of: id, failingSince: webhook.failingSince)
        if let disabled {
            try await disable(webhook, disabled)
            return false
        }
        guard let pause, pause > 0 else { return true }
        let end = context.now().advanced(byMilliseconds: pause)
        state.withLock { $0.pausedUntil = end }
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
        let changed = try await context.store.updateWebhook(webhook.id, event: event) { webhook in
            guard webhook.disabled == nil else { return false }
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
