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
    /// Whose files describe it, as `waymark apply` sets it: others leave it alone.
    public var managedBy: String?

    public init(
        url: String, app: String? = nil, events: [String], name: String? = nil, managedBy: String? = nil
    ) {
        self.url = url
        self.app = app
        self.events = events
        self.name = name
        self.managedBy = managedBy
    }

    package static let members = MemberTable<WebhookRequest>(missingFirst: true) {
        Member("url", .text, required: \.url)
        Member("app", .text, \.app)
        Member("events", .texts(atMost: BodyMaximum.eventPatterns), required: \.events)
        Member("name", .text, \.name)
        Member("managedBy", .text, \.managedBy)
    }

    package static var shape: JSONShape { members.shape }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: WebhookRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var request = WebhookRequest(url: "", events: [])
            members.read(&reader, into: &request)
            return request
        }
    }

    public var json: [UInt8] { JSONWriter.text { Self.members.write(self, to: &$0) } }
}

/// The body of `PATCH /api/v1/webhooks/{id}`, a merge patch (RFC 7396).
package struct WebhookPatch: Sendable {
    package var url: String?
    package var events: [String]?
    /// `.some(nil)` removes it.
    package var name: String??
    /// `.some(nil)` removes it.
    package var managedBy: String??
    package var disabled: Bool?

    package static let members = MemberTable<WebhookPatch> {
        Member("url", .text, \.url, .isKept)
        Member("events", .texts(atMost: BodyMaximum.eventPatterns), \.events, .isKept)
        Member("disabled", .flag, \.disabled, .isKept)
        Member("name", .removableText, \.name)
        Member("managedBy", .removableText, \.managedBy)
    }

    package static var shape: JSONShape { members.shape }

    package static func attempt(_ document: JSONDocument) -> (body: WebhookPatch?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var patch = WebhookPatch()
            members.read(&reader, into: &patch)
            for member in members.members where member.traits.contains(.isKept) && reader.isNull(member.name) {
                reader.reject(member.name, "can't be removed")
            }
            return patch
        }
    }
}

/// The body of `POST /api/v1/webhooks/{id}/deliveries:replay`: one of the two.
package struct ReplayRequest: Sendable {
    /// RFC 3339.
    package var since: String?
    package var ids: [String]?

    package init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.members.shape) { reader in
            var request = ReplayRequest()
            Self.members.read(&reader, into: &request)
            if reader.value("since") == nil, reader.value("ids") == nil {
                reader.reject("since", "is missing; give since or ids")
            } else if reader.value("since") != nil, reader.value("ids") != nil {
                reader.reject("ids", "can't be given together with since")
            }
            return request
        }
    }

    private init() {}

    package static let members = MemberTable<ReplayRequest> {
        Member("since", .text, \.since)
        Member("ids", .texts(atMost: BodyMaximum.replayedMessages), \.ids)
    }
}
