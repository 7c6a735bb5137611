internal import WaymarkJSON
package import WaymarkLinks

extension ArchiveEntry {
    var isLink: Bool { if case .link = self { true } else { false } }

    /// The entry as one line of JSON, without its end. What is not given, empty, zero or false is left out.
    package var line: [UInt8] {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        switch self {
        case .application(let application):
            writer.object("application") { writer in
                writer.member("id", application.id.text)
                writer.member("version", application.version)
                writer.strings("domains", application.domains.map(\.text))
                // As text in a text, because entity tags and signatures may depend on each of its bytes.
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

extension JSONWriter {
    fileprivate mutating func write(_ archived: ArchivedLink) {
        let link = archived.link
        let content = link.content
        member("id", Int(link.id.rawValue))
        member("app", link.application.text)
        member("domain", link.domain.text)
        member("slug", link.slug.text)
        given("route", content.route?.text)
        texts("routeParameters", content.routeParameters)
        texts("queryParameters", content.queryParameters)
        if !content.urls.isEmpty {
            object("urls") { writer in
                for platform in Platform.allCases {
                    guard let entry = content.urls[platform] else { continue }
                    writer.name(given: platform.rawValue)
                    writer.beginObject()
                    writer.member("link", entry.link.text)
                    writer.given("fallback", entry.fallback?.text)
                    writer.endObject()
                }
            }
        }
        number("redeemLimit", content.redeemLimit)
        time("validFrom", content.validFrom)
        time("expiresAt", content.expiresAt)
        if let most = content.maxClicks { member("maxClicks", most) }
        if let social = content.social {
            object("social") { writer in
                writer.given("title", social.title)
                writer.given("description", social.description)
                writer.given("imageURL", social.imageURL?.text)
            }
        }
        if let campaign = content.campaign {
            object("campaign") { writer in
                writer.given("source", campaign.source)
                writer.given("medium", campaign.medium)
                writer.given("name", campaign.name)
                writer.given("term", campaign.term)
                writer.given("content", campaign.content)
            }
        }
        strings("tags", content.tags)
        strings("rules", content.rules.map { Hexadecimal.text($0.stored) })
        if let forwardQuery = content.forwardQuery { member("forwardQuery", forwardQuery) }
        if content.disabled { member("disabled", true) }
        if let versions = content.minimumVersions {
            object("minimumVersion") { writer in
                writer.given("ios", versions.ios?.text)
                writer.given("android", versions.android?.text)
            }
        }
        if let metadata = archived.metadata {
            if SealedMetadata.isSealed(metadata) {
                member("sealedMetadata", Hexadecimal.text(metadata))
            } else {
                bytes("metadata", metadata)
            }
        }
        number("redeemed", link.redeemed)
        number("clicks", link.clicks)
        number("reservedClicks", link.reservedClicks)
        number("opens", archived.events.opens)
        number("installs", archived.events.installs)
        if let identity = archived.identity { member("identity", Hexadecimal.text(identity)) }
        time("createdAt", link.createdAt)
        time("updatedAt", link.updatedAt)
        member("version", link.version)
    }

    fileprivate mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        beginObject()
        write(&self)
        endObject()
    }

    fileprivate mutating func given(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    fileprivate mutating func number(_ name: StaticString, _ number: Int) {
        if number != 0 { member(name, number) }
    }

    fileprivate mutating func strings(_ name: StaticString, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        self.name(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    fileprivate mutating func texts(_ name: StaticString, _ texts: [String: String]) {
        guard !texts.isEmpty else { return }
        object(name) { writer in
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) { writer.member(given: name, text) }
        }
    }

    /// RFC 3339, or milliseconds since 1970 for what that can't say.
    fileprivate mutating func time(_ name: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        let text = time.rfc3339
        if Timestamp(rfc3339: text) == time { member(name, text) } else { member(name, Int(time.rawValue)) }
    }

    /// As text where the bytes are some, else under `…Bytes` in hexadecimal digits.
    fileprivate mutating func bytes(_ name: StaticString, _ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            member(name, text)
        } else {
            member(given: "\(name)Bytes", Hexadecimal.text(bytes))
        }
    }
}

extension Fallback {
    fileprivate var text: String {
        switch self {
        case .store: "store"
        case .web: "web"
        case .url(let url): url.text
        }
    }
}
