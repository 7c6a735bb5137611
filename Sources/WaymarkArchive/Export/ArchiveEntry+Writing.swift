import WaymarkBytes
internal import WaymarkJSON
import WaymarkLinks
package import WaymarkStores

extension ArchiveEntry {
    var isLink: Bool { if case .link = self { true } else { false } }

    /// The entry as one line of JSON without its newline. Members that are missing, empty, zero or false are omitted.
    package var line: [UInt8] {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        switch self {
        case .application(let application):
            writer.object("application") { writer in
                writer.member("id", application.id.text)
                writer.member("version", application.version)
                writer.strings("domains", application.domains.map(\.text))
                // As a JSON string, because entity tags and signatures may depend on every byte.
                writer.bytes("document", application.document)
            }
        case .key(let key):
            writer.object("key") { writer in
                writer.member("id", key.id)
                writer.member("name", key.name)
                writer.member("sha256", Hexadecimal.text(key.digest))
                writer.given("app", key.application?.text)
                writer.strings("scopes", KeyScope.allCases.filter(key.scopes.contains).map(\.rawValue))
                writer.time("createdAt", key.createdAt)
                writer.time("expiresAt", key.expiresAt)
                writer.time("lastUsedAt", key.lastUsedAt)
                writer.given("platform", key.platform?.rawValue)
            }
        case .route(let archived):
            let route = archived.route
            writer.object("route") { writer in
                writer.member("app", archived.application.text)
                writer.member("path", route.path.text)
                writer.given("platform", route.platform?.rawValue)
                writer.given("device", route.device)
                writer.given("build", route.build)
                writer.given("version", route.version)
                writer.strings("urlSchemes", route.urlSchemes)
                writer.time("registeredAt", route.registeredAt)
            }
        case .secret(let secret):
            writer.object("secret") { writer in
                writer.member("name", secret.name)
                writer.member("value", Hexadecimal.text(secret.value))
            }
        case .record(let record):
            writer.object("record") { writer in
                writer.member("scope", Hexadecimal.text(record.scope))
                writer.member("fingerprint", Hexadecimal.text(record.fingerprint))
                writer.time("expiresAt", record.expiresAt)
                writer.member("kind", Int(record.kind))
                writer.member("answer", Hexadecimal.text(record.answer))
            }
        case .lastID(let id): writer.member("lastID", Int(id))
        case .link(let archived): writer.object("link") { $0.write(archived) }
        case .clicks(let block):
            writer.object("clicks") { writer in
                writer.member("link", Int(block.key.link.rawValue))
                writer.member("day", block.key.day)
                writer.member("number", Int(block.key.number))
                writer.member("bytes", Base64.text(block.bytes))
            }
        case .activity(let activity):
            writer.object("activity") { writer in
                writer.member("link", Int(activity.link.rawValue))
                writer.member("day", activity.day)
                for (name, count) in zip(DailyActivity.countNames, activity.counts.values) {
                    writer.number(name, count)
                }
            }
        }
        writer.endObject()
        return writer.bytes
    }
}
