package import WaymarkJSON

/// An endpoint of webhooks as returned by the server.
public struct WebhookResponse: Sendable, Hashable {
    public var id: String
    /// `whsec_…`; only in the response that creates the endpoint.
    public var secret: String?
    public var url: String
    /// Nil: events of all applications.
    public var app: String?
    public var events: [String]
    public var name: String?
    /// Whose files describe it; nil: nobody's.
    public var managedBy: String?
    /// `manual`, `failures` (none succeeded for five days), `gone` (the endpoint answered 410) or `unreadable` (what is stored
    /// is damaged, or of a later version); nil while it is enabled.
    public var disabledReason: String?
    /// RFC 3339.
    public var createdAt: String
    /// RFC 3339; nil if the last attempt succeeded.
    public var failingSince: String?

    public init(
        id: String, secret: String?, url: String, app: String?, events: [String], name: String?,
        managedBy: String? = nil, disabledReason: String?, createdAt: String, failingSince: String?
    ) {
        self.id = id
        self.secret = secret
        self.url = url
        self.app = app
        self.events = events
        self.name = name
        self.managedBy = managedBy
        self.disabledReason = disabledReason
        self.createdAt = createdAt
        self.failingSince = failingSince
    }

    public var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    /// The body of `GET /api/v1/webhooks`.
    public static func list(_ webhooks: [WebhookResponse]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("webhooks", webhooks) { $0.write(to: &$1) }
            writer.endObject()
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("secret", ifGiven: secret)
        writer.member("url", url)
        writer.member("app", app)
        writer.strings("events", events)
        writer.member("name", name)
        writer.member("managedBy", managedBy)
        writer.member("disabled", disabledReason != nil)
        writer.member("disabledReason", disabledReason)
        writer.member("createdAt", createdAt)
        writer.member("failingSince", failingSince)
        writer.endObject()
    }
}

/// One event on its way to one endpoint.
public struct DeliveryResponse: Sendable, Hashable {
    public struct Attempt: Sendable, Hashable {
        /// RFC 3339.
        public var at: String
        /// Of HTTP; nil without an answer.
        public var status: Int?
        /// Why it failed; nil for success.
        public var error: String?
        public var milliseconds: Int
        /// The first 1,024 bytes of the answer's body.
        public var answer: String

        public init(at: String, status: Int?, error: String?, milliseconds: Int, answer: String) {
            self.at = at
            self.status = status
            self.error = error
            self.milliseconds = milliseconds
            self.answer = answer
        }
    }

    /// The `webhook-id`.
    public var id: String
    public var type: String
    /// When the event happened; RFC 3339.
    public var at: String
    /// `delivered`, `waiting` or `failed`.
    public var state: String
    /// RFC 3339; nil unless it waits.
    public var nextAttemptAt: String?
    public var attempts: [Attempt]

    public init(
        id: String, type: String, at: String, state: String, nextAttemptAt: String?, attempts: [Attempt]
    ) {
        self.id = id
        self.type = type
        self.at = at
        self.state = state
        self.nextAttemptAt = nextAttemptAt
        self.attempts = attempts
    }

    /// The body of `GET /api/v1/webhooks/{id}/deliveries`.
    ///
    /// - Parameter cursor: Of the next page.
    public static func list(_ deliveries: [DeliveryResponse], cursor: String?) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("deliveries", deliveries) { $0.write(to: &$1) }
            writer.member("cursor", cursor)
            writer.endObject()
        }
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("type", type)
        writer.member("at", at)
        writer.member("state", state)
        writer.member("nextAttemptAt", nextAttemptAt)
        writer.array("attempts", attempts) { attempt, writer in
            writer.beginObject()
            writer.member("at", attempt.at)
            if let status = attempt.status { writer.member("status", status) } else { writer.memberNull("status") }
            writer.member("error", attempt.error)
            writer.member("milliseconds", attempt.milliseconds)
            writer.member("answer", attempt.answer)
            writer.endObject()
        }
        writer.endObject()
    }
}
