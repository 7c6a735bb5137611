import Synchronization
import WaymarkClient
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
    /// Time limit of an attempt, in seconds, and the bytes that are read of its answer.
    private static let timeout = 15
    private static let bodyLimit = 65_536
    /// After this time the results so far are stored.
    private static let sendingTime = Duration.seconds(1)

    struct Context: Sendable {
        let store: any WebhookStore
        let client: any HTTPSending
        let signature: WebhookSignature
        let metrics: WebhookMetrics
        let now: @Sendable () -> Timestamp
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
            var at = context.now()
            let requests = due.map { request($0, to: webhook.url, signedWith: keys) }
            // A failed endpoint is left alone for a moment, so that what failed is stored first.
            let outcomes = await context.client.outcomes(of: requests) { outcome in
                outcome.isSuccess && ContinuousClock.now - posted < Self.sendingTime
            }
            let waited = ContinuousClock.now - posted
            let attempts = zip(due, outcomes).map { delivery, outcome in
                defer { at = at.advanced(byMilliseconds: outcome.milliseconds) }
                return Attempt(delivery: delivery, outcome: outcome, at: at)
            }
            guard try await record(attempts, of: webhook) else { return }
            guard due.count == Self.page else { continue }
            let taken = ContinuousClock.now - start
            try await Task.sleep(for: max(taken - waited, Self.pageTime - taken, .zero))
        }
    }

    private func request(_ delivery: DueDelivery, to url: String, signedWith keys: [[UInt8]]) -> HTTPRequest {
        let now = context.now()
        let signature = context.signature.field(
            id: delivery.messageID, second: now.seconds, body: delivery.body, keys: keys)
        return HTTPRequest(
            url, method: "POST",
            fields: [
                ("Content-Type", "application/json"), ("webhook-id", delivery.messageID),
                ("webhook-timestamp", "\(now.seconds)"), ("webhook-signature", signature),
            ], body: delivery.body, timeout: Self.timeout, bodyLimit: Self.bodyLimit)
    }

    private struct Attempt {
        let delivery: DueDelivery
        let outcome: HTTPOutcome
        let at: Timestamp
        var retryAfter: Int? { outcome.response?.retryAfter(now: at.seconds) }
    }

    /// - Returns: Whether to go on.
    private func record(_ attempts: [Attempt], of webhook: Webhook) async throws -> Bool {
        var results: [DeliveryResult] = []
        var failingSince = webhook.failingSince
        var disabled: Webhook.DisabledReason?
        var pause: Int64?
        for attempt in attempts {
            let result = result(attempt)
            results.append(result)
            context.metrics.count(result.state)
            guard !attempt.outcome.isSuccess else {
                failingSince = nil
                continue
            }
            let since = failingSince ?? attempt.at
            failingSince = since
            let status = attempt.outcome.response?.status
            if status == 410 { disabled = .gone }
            // Not by the first attempt after days without any event.
            let isOld = attempt.at.rawValue - since.rawValue >= RetrySchedule.patience
            if isOld, attempt.delivery.round > 0 { disabled = disabled ?? .failures }
            if attempt.retryAfter != nil || [429, 502, 503, 504].contains(status) {
                pause = RetrySchedule.pause(seconds: attempt.retryAfter ?? 5)
            } else if status == nil {
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

    private func result(_ attempt: Attempt) -> DeliveryResult {
        let (delivery, outcome) = (attempt.delivery, attempt.outcome)
        let stored = WebhookDelivery.Attempt(
            at: attempt.at, status: outcome.response?.status, error: outcome.failure,
            milliseconds: Int(outcome.milliseconds), answer: outcome.response?.body ?? [])
        let round = delivery.round + 1
        let delay =
            outcome.isSuccess
            ? nil
            : RetrySchedule.delay(after: round, retryAfter: attempt.retryAfter, jitter: .random(in: -1...1))
        return DeliveryResult(
            number: delivery.number, state: outcome.isSuccess ? .delivered : delay == nil ? .failed : .waiting,
            nextAttempt: delay.map { attempt.at.advanced(byMilliseconds: $0) },
            attempts: delivery.attempts.suffix(RetrySchedule.delays.count * 2) + [stored], round: round)
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
    fileprivate func count(_ state: WebhookDelivery.State) {
        if state == .delivered {
            delivered.add(1, ordering: .relaxed)
        } else {
            failedAttempts.add(1, ordering: .relaxed)
            if state == .failed { givenUp.add(1, ordering: .relaxed) }
        }
    }
}

extension HTTPOutcome {
    fileprivate var isSuccess: Bool { response?.isSuccess ?? false }
    fileprivate var milliseconds: Int64 { Int64(duration / .milliseconds(1)) }

    /// Why the attempt failed; nil for success.
    fileprivate var failure: String? {
        switch result {
        case .success(let response) where response.isSuccess: nil
        case .success(let response) where (300..<400).contains(response.status):
            "answered \(response.status); redirects are not followed"
        case .success(let response): "answered \(response.status)"
        case .failure(let failure) where failure.isOfURL: "the URL \(failure.fieldProblem)"
        case .failure(let failure): failure.sentence
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
