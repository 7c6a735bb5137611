import WaymarkJSON
import WaymarkStores

/// A message that webhooks receive. Its operation is named after the type: `linkCreated` for `link.created`.
struct WebhookMessage: Sendable {
    let type: EventType
    let summary: String
    /// The name of the body's schema.
    let body: String

    var json: JSONObject {
        let operation: JSONObject = [
            "operationId": JSONValue("\(type)"), "summary": JSONValue(summary), "tags": ["Webhooks"],
            "requestBody": [
                "required": true,
                "content": ["application/json": ["schema": JSONValue(Schema.named(body).json)]],
            ],
            "responses": [
                "2XX": [
                    "description":
                        "The message was received. 410 disables the webhook; any other answer is attempted again."
                ]
            ],
        ]
        return ["post": JSONValue(operation)]
    }

    static let all: [WebhookMessage] = EventType.allCases.map { type in
        switch type {
        case .linkCreated: WebhookMessage(type, "A link was made", "LinkEvent")
        case .linkUpdated: WebhookMessage(type, "A link was changed", "LinkUpdatedEvent")
        case .linkDeleted: WebhookMessage(type, "A link was deleted, which is as it was before", "LinkEvent")
        case .linkExpired: WebhookMessage(type, "A link's expiresAt has passed", "LinkEvent")
        case .linkExhausted: WebhookMessage(type, "The last click that maxClicks allows was assigned", "LinkEvent")
        case .linkRedeemed: WebhookMessage(type, "Metadata was given out under the redeem limit", "LinkEvent")
        case .linkClicked: WebhookMessage(type, "Clicks of at most a second, at most 100", "LinkClickedEvent")
        case .appOpened: WebhookMessage(type, "An app reported that it was opened by a link", "LinkEvent")
        case .appInstalled: WebhookMessage(type, "An app reported that it was installed by a link", "LinkEvent")
        case .deferredClaimed: WebhookMessage(type, "An installation claimed a click", "DeferredClaimedEvent")
        case .conversionRecorded: WebhookMessage(type, "A conversion was counted", "ConversionRecordedEvent")
        case .importFinished:
            WebhookMessage(type, "An import ended; dry runs are not reported", "ImportFinishedEvent")
        case .webhookDisabled: WebhookMessage(type, "A webhook was disabled because it failed", "WebhookDisabledEvent")
        case .keyCreated: WebhookMessage(type, "An API key was made", "KeyEvent")
        case .keyRevoked: WebhookMessage(type, "An API key was revoked", "KeyEvent")
        case .weeklyReport:
            WebhookMessage(type, "The clicks of the last week, from Monday to Monday in UTC", "WeeklyReportEvent")
        case .linkBroken: WebhookMessage(type, "Two walks found the same fault of a link", "LinkVerifiedEvent")
        case .linkMended: WebhookMessage(type, "A walk found a broken link good", "LinkVerifiedEvent")
        case .webhookTest: WebhookMessage(type, "A test was requested", "WebhookTestEvent")
        case .auditRecorded: WebhookMessage(type, "The audit got an entry", "AuditRecordedEvent")
        }
    }

    private init(_ type: EventType, _ summary: String, _ body: String) {
        self.type = type
        self.summary = summary
        self.body = body
    }
}
