internal import WaymarkAPI
internal import WaymarkJSON
package import WaymarkLinks

/// One entry of the audit: what somebody changed, or a sign-in. Never changed after it is written, and independent of what it names,
/// which may be renamed or deleted later. Has no metadata and no secret.
package struct AuditEntry: Sendable, Equatable {
    package var at: Timestamp
    /// One of `AuditAction`, or one of a later version.
    package var action: String
    /// Nil: of no single application.
    package var application: ApplicationID?
    /// The ID of the person who acted; nil if none did.
    package var person: String?
    /// The ID of the key that acted.
    package var key: String?
    /// The entry as the API shows it: one JSON object.
    package var json: [UInt8]

    package init(
        at: Timestamp, action: String, application: ApplicationID?, person: String?, key: String?, json: [UInt8]
    ) {
        self.at = at
        self.action = action
        self.application = application
        self.person = person
        self.key = key
        self.json = json
    }

    /// - Parameters:
    ///   - before: and `after`: bounded JSON objects; nil where there is nothing, as before a creation.
    package init(
        _ action: AuditAction, _ object: AuditObject, of application: ApplicationID?, by call: AuditCall,
        before: [UInt8]? = nil, after: [UInt8]? = nil
    ) {
        let actor = call.actor
        self.init(
            at: call.at, action: action.rawValue, application: application, person: actor.person?.id,
            key: actor.key?.id,
            json: JSONWriter.text(capacity: 512 + (before?.count ?? 0) + (after?.count ?? 0)) { writer in
                writer.beginObject()
                writer.member("id", Self.newID())
                writer.member("at", call.at.rfc3339)
                writer.name("by")
                actor.write(to: &writer)
                writer.member("action", action.rawValue)
                writer.name("object")
                writer.beginObject()
                writer.member("type", object.type.rawValue)
                writer.member("id", object.id)
                writer.endObject()
                writer.member("app", application?.text)
                writer.member("before", json: before)
                writer.member("after", json: after)
                writer.member("address", call.address?.rawValue)
                writer.endObject()
            })
    }

    /// Nil for what is no entry.
    package init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), value.object != nil,
            let at = value["at"]?.string.flatMap({ Timestamp(rfc3339: $0) }), let action = value["action"]?.string
        else { return nil }
        self.init(
            at: at, action: action, application: value["app"]?.string.flatMap { ApplicationID($0) },
            person: value["by"]?["person"]?["id"]?.string, key: value["by"]?["key"]?["id"]?.string, json: json)
    }

    /// Random: a number of the database would be known only after the event about the entry is written.
    private static func newID() -> String {
        let text = String(UInt64.random(in: .min ... .max), radix: 16)
        return "aud_" + String(repeating: "0", count: 16 - text.utf8.count) + text
    }

    /// The event that reports it.
    package var event: OutboxEvent {
        OutboxEvent(
            .auditRecorded, of: application, at: at, [.init("entry", String(decoding: json, as: UTF8.self))])
    }
}

/// What was done. Names of the API, which never change.
package enum AuditAction: String, Sendable, CaseIterable {
    case linkCreated = "link.created"
    case linkChanged = "link.changed"
    case linkRenamed = "link.renamed"
    case linkDeleted = "link.deleted"
    case installationForgotten = "installation.forgotten"
    case changeConfirmed = "change.confirmed"
    case routeRegistered = "route.registered"
    case importStarted = "import.started"
    case importStopped = "import.stopped"
    case importEnded = "import.ended"
    case applicationCreated = "application.created"
    case applicationChanged = "application.changed"
    case applicationDeleted = "application.deleted"
    case certificateRevoked = "certificate.revoked"
    case keyCreated = "key.created"
    case keyRevoked = "key.revoked"
    case webhookCreated = "webhook.created"
    case webhookChanged = "webhook.changed"
    case webhookDeleted = "webhook.deleted"
    case webhookRotated = "webhook.rotated"
    case webhookTested = "webhook.tested"
    case webhookReplayed = "webhook.replayed"
    case personCreated = "person.created"
    case personChanged = "person.changed"
    case personDeleted = "person.deleted"
    case personInvited = "person.invited"
    case passkeyAdded = "passkey.added"
    case programAllowed = "program.allowed"
    case programEnded = "program.ended"
    case reportShared = "report.shared"
    case reportEnded = "report.ended"
    case sessionStarted = "session.started"
    case sessionEnded = "session.ended"
    case sessionRefused = "session.refused"
    case signInLinkCreated = "signInLink.created"
}

/// What an action was done to.
package struct AuditObject: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// Its id is domain and slug, `go.example.com/spring`.
        case link
        /// Several links, without an id.
        case links
        /// Never with an id.
        case installation
        case route, `import`, application, domain, key, webhook, person, program, report, session
    }

    package var type: Kind
    package var id: String?

    package init(_ type: Kind, _ id: String?) {
        self.type = type
        self.id = id
    }

    package static func link(_ link: Link) -> AuditObject {
        AuditObject(.link, link.domain.text + "/" + link.slug.text)
    }
}

extension AuditActor {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("via", way?.rawValue)
        for (name, party) in [("person", person), ("key", key)] as [(StaticString, AuditActor.Party?)] {
            writer.name(name)
            guard let party else {
                writer.null()
                continue
            }
            writer.beginObject()
            writer.member("id", party.id)
            writer.member("name", party.name)
            writer.endObject()
        }
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, json: [UInt8]?) {
        self.name(name)
        if let json { raw(json) } else { null() }
    }
}
