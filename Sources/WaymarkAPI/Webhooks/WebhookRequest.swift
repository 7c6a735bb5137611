package import WaymarkJSON

/// An endpoint to create: the body of `POST /api/v1/webhooks`.
public struct WebhookRequest: Sendable, Hashable {
    /// https; http only for networks that the operator allows.
    public var url: String
    /// Nil: events of all applications that the key reaches.
    public var app: String?
    /// Types (`link.created`), groups (`link.*`) or `*`; at least one.
    public var events: [String]
    public var name: String?

    public init(url: String, app: String? = nil, events: [String], name: String? = nil) {
        self.url = url
        self.app = app
        self.events = events
        self.name = name
    }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: WebhookRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            for name in ["url", "events"] where reader.value(name) == nil { reader.reject(name, "is missing") }
            return WebhookRequest(
                url: reader.string("url") ?? "", app: reader.string("app"), events: reader.strings("events") ?? [],
                name: reader.string("name"))
        }
    }

    package static let shape = JSONShape.names(
        ["url", "app", "name"], ["events": .strings(atMost: BodyMaximum.eventPatterns)])

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("url", url)
            writer.member("app", ifGiven: app)
            writer.strings("events", events)
            writer.member("name", ifGiven: name)
            writer.endObject()
        }
    }
}

/// The body of `PATCH /api/v1/webhooks/{id}`, a merge patch (RFC 7396).
package struct WebhookPatch: Sendable {
    package var url: String?
    package var events: [String]?
    /// `.some(nil)` removes it.
    package var name: String??
    package var disabled: Bool?

    package static func attempt(_ document: JSONDocument) -> (body: WebhookPatch?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var patch = WebhookPatch()
            patch.url = reader.string("url")
            patch.events = reader.strings("events")
            patch.disabled = reader.bool("disabled")
            if let name = reader.string("name") {
                patch.name = .some(name)
            } else if document.root["name"]?.isNull == true {
                patch.name = .some(nil)
            }
            for name in ["url", "events", "disabled"] where document.root[name]?.isNull == true {
                reader.reject(name, "can't be removed")
            }
            return patch
        }
    }

    package static let shape = JSONShape.names(
        ["url", "name", "disabled"], ["events": .strings(atMost: BodyMaximum.eventPatterns)])
}

/// The body of `POST /api/v1/webhooks/{id}/deliveries:replay`: one of the two.
package struct ReplayRequest: Sendable {
    /// RFC 3339.
    package var since: String?
    package var ids: [String]?

    package init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            let request = ReplayRequest(since: reader.string("since"), ids: reader.strings("ids"))
            if reader.value("since") == nil, reader.value("ids") == nil {
                reader.reject("since", "is missing; give since or ids")
            } else if reader.value("since") != nil, reader.value("ids") != nil {
                reader.reject("ids", "can't be given together with since")
            }
            return request
        }
    }

    private init(since: String?, ids: [String]?) {
        self.since = since
        self.ids = ids
    }

    private static let shape = JSONShape.names(["since"], ["ids": .strings(atMost: BodyMaximum.replayedMessages)])
}
