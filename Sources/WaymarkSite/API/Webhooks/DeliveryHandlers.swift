import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/webhooks/{id}/deliveries`: the newest first.
enum DeliveryListHandler {
    static let parameters = ["state", "limit", "cursor"]
    private static let limit = 50

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let webhook = try await WebhookFields.webhook(call, site)
        var problems: [FieldProblem] = []
        func one<Value>(_ name: String, _ problem: String, _ read: (String) -> Value?) -> Value? {
            let values = call.query.all(name)
            if values.count > 1 { problems.append(FieldProblem(field: name, problem: "is given more than once")) }
            guard let text = values.first, !text.isEmpty else { return nil }
            let value = read(text)
            if value == nil { problems.append(FieldProblem(field: name, problem: problem)) }
            return value
        }
        let limit = one("limit", "must be a whole number from 1 to 200") { text in
            Int(text).flatMap { (1...200).contains($0) ? $0 : nil }
        }
        let cursor = one("cursor", "must be a cursor that a page was answered with") { text in
            Int64(text).flatMap { $0 > 0 ? $0 : nil }
        }
        let state = one("state", "must be one of delivered, waiting, failed") { text in
            WebhookDelivery.State.allCases.first { $0.name == text }
        }
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        let size = limit ?? Self.limit
        let page = try await site.webhooks.deliveries(to: webhook.id, before: cursor, state: state, limit: size)
        return .json(
            .ok,
            DeliveryResponse.list(
                page.map { DeliveryResponse($0) }, cursor: page.count == size ? page.last.map { "\($0.number)" } : nil))
    }
}

/// `POST /api/v1/webhooks/{id}/deliveries:replay`: sends messages again, with their ids.
enum ReplayHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let webhook = try await WebhookFields.webhook(call, site)
        let request = try ReplayRequest(json: call.body)
        let count: Int
        if let ids = request.ids {
            count = try await site.webhooks.replay(webhook.id, messages: ids)
        } else {
            guard let since = request.since.flatMap({ Timestamp(rfc3339: $0) }) else {
                throw Problem(invalid: [FieldProblem(field: "since", problem: "must be an RFC 3339 time")])
            }
            count = try await site.webhooks.replay(webhook.id, since: since)
        }
        return .json(
            .accepted,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.member("replayed", count)
                writer.endObject()
            })
    }
}

extension WebhookDelivery.State {
    fileprivate var name: String {
        switch self {
        case .waiting: "waiting"
        case .delivered: "delivered"
        case .failed: "failed"
        }
    }
}

extension DeliveryResponse {
    fileprivate init(_ delivery: WebhookDelivery) {
        self.init(
            id: delivery.messageID, type: delivery.type.name, at: delivery.at.rfc3339, state: delivery.state.name,
            nextAttemptAt: delivery.nextAttempt?.rfc3339,
            attempts: delivery.attempts.map { attempt in
                Attempt(
                    at: attempt.at.rfc3339, status: attempt.status, error: attempt.error,
                    milliseconds: attempt.milliseconds, answer: String(decoding: attempt.answer, as: UTF8.self))
            })
    }
}
