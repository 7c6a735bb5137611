import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks
package import WaymarkStores

extension ArchiveEntry {
    /// Nil if the value is not an entry, or has members unknown to this version: nothing is ignored.
    init?(_ value: JSONValue) {
        guard let members = value.object?.members, members.count == 1, let member = members.first else { return nil }
        var fields = Fields(member.value.object ?? JSONObject())
        switch member.name {
        case "application":
            guard let id = fields.text("id").flatMap({ ApplicationID($0) }), let version = fields.number("version"),
                let document = fields.bytes("document")
            else { return nil }
            var domains: [HostName] = []
            for name in fields.texts("domains") {
                guard let domain = HostName(name) else { return nil }
                domains.append(domain)
            }
            var application = StoredApplication(id: id, domains: domains, document: document, version: version)
            let longLinks = StoredApplication.longLinks(fields.text("longLinks"))
            guard let longLinks, longLinks.values.allSatisfy(\.isOfLongLinks) else { return nil }
            application.longLinks = longLinks
            self = .application(application)
        case "extra":
            guard let application = fields.text("app").flatMap({ ApplicationID($0) }), let name = fields.text("name"),
                let version = fields.number("version"), let content = fields.base64("content")
            else { return nil }
            self = .extra(
                ApplicationExtra(application: application, name: name, version: version, content: content))
        case "applicationChange":
            guard let application = fields.text("app").flatMap({ ApplicationID($0) }),
                let version = fields.number("version"), let time = fields.time("at")
            else { return nil }
            let change = ApplicationChange(version: version, at: time, former: fields.bytes("document"))
            self = .applicationChange(ArchivedApplicationChange(application: application, change: change))
        case "person":
            guard let person = Person(&fields) else { return nil }
            self = .person(person)
        case "key":
            guard let key = StoredKey(&fields) else { return nil }
            self = .key(key)
        case "route":
            guard let route = ArchivedRoute(&fields) else { return nil }
            self = .route(route)
        case "secret":
            guard let name = fields.text("name"), let bytes = fields.hexadecimal("value") else { return nil }
            self = .secret(StoredSecret(name: name, value: bytes))
        case "webhook":
            guard let webhook = Webhook(&fields) else { return nil }
            self = .webhook(webhook)
        case "conversions":
            guard let conversions = ArchivedConversions(&fields) else { return nil }
            self = .conversions(conversions)
        case "record":
            guard let scope = fields.hexadecimal("scope"), let fingerprint = fields.hexadecimal("fingerprint"),
                let end = fields.time("expiresAt"), let kind = fields.number("kind"),
                let answer = fields.hexadecimal("answer")
            else { return nil }
            self = .record(
                ArchivedRecord(
                    scope: scope, fingerprint: fingerprint, expiresAt: end, kind: Int64(kind), answer: answer))
        case "audit":
            guard let entry = AuditEntry(json: member.value.bytes()) else { return nil }
            self = .audit(entry)
            return
        case "lastID":
            guard let id = member.value.integer, id >= 0 else { return nil }
            self = .lastID(Int64(id))
            return
        case "clicks":
            guard let link = fields.number("link"), let day = fields.number("day"),
                let number = fields.number("number"),
                let bytes = fields.base64("bytes"), number > .min, ClickBlock.days.contains(day)
            else { return nil }
            self = .clicks(
                ClickBlock(
                    key: ClickBlock.Key(link: LinkID(rawValue: Int64(link)), day: day, number: Int64(number)),
                    bytes: bytes))
        case "activity":
            guard let activity = DailyActivity(&fields) else { return nil }
            self = .activity(activity)
        case "total":
            guard let application = fields.text("app").flatMap({ ApplicationID($0) }),
                let quarter = fields.number("quarter"), ClickBlock.days.contains(ClickTotal.day(ofQuarter: quarter)),
                let bytes = fields.base64("bytes"), (try? ClickTotal(encoded: bytes)) != nil
            else { return nil }
            self = .total(
                ArchivedTotal(key: ArchivedTotal.Key(application: application, quarter: quarter), bytes: bytes))
        case "linkTotals":
            guard let day = fields.number("day"), ClickBlock.days.contains(day), let page = fields.number("page"),
                let bytes = fields.base64("bytes"), (try? LinkTotals(encoded: bytes)) != nil
            else { return nil }
            self = .linkTotals(
                LinkTotalsRow(key: TotalsChange.PageKey(day: day, page: Int64(page)), bytes: bytes))
        case "totalsStart":
            guard let day = member.value.integer else { return nil }
            self = .totalsStart(day)
            return
        case "link":
            guard let link = ArchivedLink(&fields) else { return nil }
            self = .link(link)
        default: return nil
        }
        guard fields.areRead else { return nil }
    }
}

extension DailyActivity {
    fileprivate init?(_ fields: inout Fields) {
        guard let link = fields.number("link"), let day = fields.number("day") else { return nil }
        let counts = Self.countNames.map { fields.number(String(describing: $0)) ?? 0 }
        self.init(link: LinkID(rawValue: Int64(link)), day: day, counts: LinkActivity(values: counts))
        guard isReadable else { return nil }
    }
}

extension StoredKey {
    fileprivate init?(_ fields: inout Fields) {
        guard let id = fields.text("id"), let name = fields.text("name"), let digest = fields.hexadecimal("sha256"),
            let createdAt = fields.time("createdAt")
        else { return nil }
        var application: ApplicationID?
        if let name = fields.text("app") {
            guard let id = ApplicationID(name) else { return nil }
            application = id
        }
        var scopes: Set<KeyScope> = []
        for name in fields.texts("scopes") {
            guard let scope = KeyScope(rawValue: name) else { return nil }
            scopes.insert(scope)
        }
        self.init(
            id: id, name: name, digest: digest, application: application, scopes: scopes, createdAt: createdAt,
            expiresAt: fields.time("expiresAt"), lastUsedAt: fields.time("lastUsedAt"), platform: fields.platform(),
            person: fields.text("person"))
    }
}

extension ArchivedRoute {
    fileprivate init?(_ fields: inout Fields) {
        guard let application = fields.text("app").flatMap({ ApplicationID($0) }),
            let path = fields.text("path").flatMap({ Route($0) }), let registeredAt = fields.time("registeredAt")
        else { return nil }
        self.init(
            application: application,
            route: RegisteredRoute(
                path: path, platform: fields.platform(), device: fields.text("device"), build: fields.text("build"),
                version: fields.text("version"), urlSchemes: fields.texts("urlSchemes"), registeredAt: registeredAt))
    }
}

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
                writer.given("longLinks", application.longLinkList)
            }
        case .extra(let extra):
            writer.object("extra") { writer in
                writer.member("app", extra.application.text)
                writer.member("name", extra.name)
                writer.member("version", extra.version)
                writer.member("content", Base64.text(extra.content))
            }
        case .applicationChange(let archived):
            writer.object("applicationChange") { writer in
                writer.member("app", archived.application.text)
                writer.member("version", archived.change.version)
                writer.time("at", archived.change.at)
                if let former = archived.change.former { writer.bytes("document", former) }
            }
        case .person(let person): writer.object("person") { $0.write(person) }
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
                writer.given("person", key.person)
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
        case .webhook(let webhook): writer.object("webhook") { $0.write(webhook) }
        case .conversions(let conversions): writer.object("conversions") { $0.write(conversions) }
        case .record(let record):
            writer.object("record") { writer in
                writer.member("scope", Hexadecimal.text(record.scope))
                writer.member("fingerprint", Hexadecimal.text(record.fingerprint))
                writer.time("expiresAt", record.expiresAt)
                writer.member("kind", Int(record.kind))
                writer.member("answer", Hexadecimal.text(record.answer))
            }
        case .audit(let entry): writer.member("audit", raw: entry.json)
        case .lastID(let id): writer.member("lastID", Int(id))
        case .link(let archived): writer.object("link") { $0.write(archived) }
        case .clicks(let block):
            writer.object("clicks") { writer in
                writer.member("link", Int(block.key.link.rawValue))
                writer.member("day", block.key.day)
                writer.member("number", Int(block.key.number))
                writer.member("bytes", Base64.text(block.bytes))
            }
        case .total(let total):
            writer.object("total") { writer in
                writer.member("app", total.key.application.text)
                writer.member("quarter", total.key.quarter)
                writer.member("bytes", Base64.text(total.bytes))
            }
        case .linkTotals(let row):
            writer.object("linkTotals") { writer in
                writer.member("day", row.key.day)
                writer.member("page", Int(row.key.page))
                writer.member("bytes", Base64.text(row.bytes))
            }
        case .totalsStart(let day): writer.member("totalsStart", day)
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
