import WaymarkClient
import WaymarkLinks
import WaymarkStores

/// Where requests go.
struct EndpointTarget: Sendable {
    var url: String
    /// That sign.
    var keys: [[UInt8]]
    /// Requests at once.
    var requests: Int
}

/// A request to an endpoint.
struct DeliveryAttempt: Sendable {
    let delivery: DueDelivery
    let lane: DeliveryLane
    /// The endpoint as it was when the request began.
    let target: EndpointTarget
    /// When it began, by which the next attempt is planned.
    let at: Timestamp
    /// Whether it has a place of `RequestLimit`.
    let hasPlace: Bool
}

/// An attempt that has ended.
struct EndedAttempt: Sendable {
    let attempt: DeliveryAttempt
    let outcome: HTTPOutcome

    var url: String { attempt.target.url }
    var status: Int? { outcome.response?.status }
    var isSuccess: Bool { outcome.response?.isSuccess ?? false }
    /// In seconds, as the receiver asked.
    var retryAfter: Int? { outcome.response?.retryAfter(now: attempt.at.seconds) }

    /// What is stored of it.
    var result: DeliveryResult {
        let delivery = attempt.delivery
        let stored = WebhookDelivery.Attempt(
            at: attempt.at, status: status, error: failure, milliseconds: Int(outcome.duration / .milliseconds(1)),
            answer: outcome.response?.body ?? [])
        let round = delivery.round + 1
        let delay =
            isSuccess
            ? nil : RetrySchedule.delay(after: round, retryAfter: retryAfter, jitter: .random(in: -1...1))
        return DeliveryResult(
            number: delivery.number, orderKey: delivery.orderKey,
            state: isSuccess ? .delivered : delay == nil ? .failed : .waiting,
            nextAttempt: delay.map { attempt.at.advanced(byMilliseconds: $0) },
            attempts: delivery.attempts.suffix(RetrySchedule.delays.count * 2) + [stored], round: round)
    }

    /// Why it failed; nil for success.
    private var failure: String? {
        switch outcome.result {
        case .success(let response) where response.isSuccess: nil
        case .success(let response) where (300..<400).contains(response.status):
            "answered \(response.status); redirects are not followed"
        case .success(let response): "answered \(response.status)"
        case .failure(let failure) where failure.isOfURL: "the URL \(failure.fieldProblem)"
        case .failure(let failure): failure.sentence
        }
    }
}

/// What attempts to one URL say of the endpoint, in the order in which they ended.
struct EndpointVerdict: Equatable {
    /// Milliseconds after an attempt without an answer.
    private static let pauseWithoutAnswer: Int64 = 1_000
    private static let secondsAfterOverload = 5

    var failingSince: Timestamp?
    var disabled: Webhook.DisabledReason?
    /// Milliseconds until the next request; nil for none.
    var pause: Int64?

    init(_ attempts: [EndedAttempt], failingSince known: Timestamp?) {
        // Where others succeed, a message fails, not the endpoint.
        let hasSuccess = attempts.contains(where: \.isSuccess)
        failingSince = hasSuccess ? nil : known
        for attempt in attempts where !attempt.isSuccess {
            let at = attempt.attempt.at
            if attempt.status == 410 { disabled = .gone }
            if !hasSuccess {
                let since = failingSince ?? at
                failingSince = since
                // Not by the first attempt after days without any event.
                let isOld = at.rawValue - since.rawValue >= RetrySchedule.patience
                if isOld, attempt.attempt.delivery.round > 0 { disabled = disabled ?? .failures }
            }
            if attempt.retryAfter != nil || [429, 502, 503, 504].contains(attempt.status) {
                let asked = RetrySchedule.pause(seconds: attempt.retryAfter ?? Self.secondsAfterOverload)
                pause = max(pause ?? 0, asked)
            } else if attempt.status == nil {
                pause = max(pause ?? 0, Self.pauseWithoutAnswer)
            }
        }
    }
}
