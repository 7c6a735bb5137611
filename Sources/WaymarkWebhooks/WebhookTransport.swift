package import WaymarkLinks

/// Sends messages to endpoints over HTTP.
package protocol WebhookTransport: Sendable {
    /// Posts messages one after the other, in their order. Follows no redirect, and connects only to allowed addresses.
    ///
    /// - Returns: The answers to the first messages, at least one; it may stop early, so that results can be stored.
    func post(_ messages: [WebhookMessage], to url: String) async -> [WebhookAnswer]
    /// Why no message may be sent to a URL; nil if it may.
    func problem(with url: String) async -> String?
}

package struct WebhookMessage: Sendable {
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
}

package struct WebhookAnswer: Sendable {
    /// Nil without an answer.
    package var status: Int?
    /// Why there was none.
    package var error: String?
    /// In seconds.
    package var retryAfter: Int?
    /// The beginning of the body.
    package var body: [UInt8]
    package var at: Timestamp
    package var milliseconds: Int

    package init(
        status: Int?, error: String?, retryAfter: Int? = nil, body: [UInt8] = [], at: Timestamp, milliseconds: Int
    ) {
        self.status = status
        self.error = error
        self.retryAfter = retryAfter
        self.body = body
        self.at = at
        self.milliseconds = milliseconds
    }

    package var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }

    /// Why the attempt failed; nil for success.
    var failure: String? {
        guard !isSuccess else { return nil }
        guard let status else { return error ?? "no answer" }
        return (300..<400).contains(status) ? "answered \(status); redirects are not followed" : "answered \(status)"
    }

    /// Whether the endpoint asks for fewer requests.
    var isOverload: Bool { status.map { [429, 502, 503, 504].contains($0) } ?? false }
}

/// Of a server that sends no webhooks.
package struct NoWebhookTransport: WebhookTransport {
    package init() {}

    package func post(_ messages: [WebhookMessage], to url: String) async -> [WebhookAnswer] {
        [
            WebhookAnswer(
                status: nil, error: "this server sends no webhooks", at: Timestamp(rawValue: 0), milliseconds: 0)
        ]
    }

    package func problem(with url: String) async -> String? { "can't be used: this server sends no webhooks" }
}
