import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
package import WaymarkService
package import WaymarkStores

/// The body of an event's message: `{"type", "timestamp", "data"}` (Standard Webhooks 1.0.0).
package enum EventMessage {
    package static func body(_ event: OutboxEvent, _ directory: ApplicationDirectory) -> [UInt8] {
        JSONWriter.text(capacity: 1_024) { writer in
            writer.beginObject()
            writer.member("type", event.type.name)
            writer.member("timestamp", event.at.rfc3339)
            writer.name("data")
            if event.type == .auditRecorded, case .text(let entry)? = event.attributes.first?.value {
                writer.raw(entry.utf8)
                writer.endObject()
                return
            }
            writer.beginObject()
            writer.member("app", event.application?.text)
            if let link = event.link {
                writer.name("link")
                LinkResponse(link, application(link.application, directory), at: event.at).write(to: &writer)
            }
            if event.type == .linkClicked, let id = event.application {
                writer.array("clicks", event.clicks) { write($0, application(id, directory), to: &$1) }
            }
            write(event.attributes, in: event.type.subject, to: &writer)
            writer.endObject()
            writer.endObject()
        }
    }

    /// An application that is gone by now has no base URL.
    private static func application(_ id: ApplicationID, _ directory: ApplicationDirectory) -> Application {
        directory.application(id)?.application ?? Application(id: id, name: id.text)
    }

    private static func write(_ click: OutboxEvent.Click, _ application: Application, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", click.at.wholeSecond)
        writer.member("smartlink", application.address(on: click.domain) + "/" + click.slug.encoded)
        writer.member("domain", click.domain.text)
        writer.member("slug", click.slug.text)
        for field in ClickField.allCases {
            writer.name(given: field.name)
            if let value = click.profile[field] { writer.string(value) } else { writer.null() }
        }
        writer.endObject()
    }

    private static func write(
        _ attributes: [OutboxEvent.Attribute], in subject: StaticString?, to writer: inout JSONWriter
    ) {
        if let subject {
            writer.name(subject)
            writer.beginObject()
        }
        for attribute in attributes {
            writer.name(given: attribute.name)
            switch attribute.value {
            case .null: writer.null()
            case .text(let text): writer.string(text)
            case .number(let number): writer.integer(Int(number))
            case .list(let texts):
                writer.beginArray()
                for text in texts { writer.string(text) }
                writer.endArray()
            case .counts(let counts):
                writer.beginArray()
                for counted in counts {
                    writer.beginObject()
                    writer.member("value", counted.value)
                    writer.member("clicks", Int(counted.clicks))
                    writer.endObject()
                }
                writer.endArray()
            }
        }
        if subject != nil { writer.endObject() }
    }
}

extension EventType {
    /// The member of `data` with the event's attributes; nil: they are members themselves.
    fileprivate var subject: StaticString? {
        switch self {
        case .keyCreated, .keyRevoked: "key"
        case .webhookDisabled, .webhookTest: "webhook"
        case .importFinished: "import"
        case .conversionRecorded: "conversion"
        case .weeklyReport: "report"
        default: nil
        }
    }
}
