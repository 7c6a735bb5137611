import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks
internal import WaymarkStores

// Reads and writes an endpoint, and conversions, in an export. Every field is in both halves.

extension Webhook {
    init?(_ fields: inout Fields) {
        guard let id = fields.text("id"), let url = fields.text("url"), let createdAt = fields.time("createdAt") else {
            return nil
        }
        var application: ApplicationID?
        if let name = fields.text("app") {
            guard let id = ApplicationID(name) else { return nil }
            application = id
        }
        var secrets: [Secret] = []
        for value in fields.array("secrets") {
            var members = Fields(value.object ?? JSONObject())
            guard let stored = members.hexadecimal("stored") else { return nil }
            secrets.append(Secret(stored: stored, expiresAt: members.time("expiresAt")))
            guard members.areRead else { return nil }
        }
        var disabled: DisabledReason?
        if let reason = fields.number("disabled") {
            guard let known = UInt8(exactly: reason).flatMap({ DisabledReason(rawValue: $0) }) else { return nil }
            disabled = known
        }
        self.init(
            id: id, application: application, url: url, name: fields.text("name"), events: fields.texts("events"),
            secrets: secrets, createdAt: createdAt, disabled: disabled, failingSince: fields.time("failingSince"),
            managedBy: fields.text("managedBy"))
    }
}

extension ArchivedConversions {
    init?(_ fields: inout Fields) {
        guard let application = fields.text("app").flatMap({ ApplicationID($0) }), let day = fields.number("day"),
            let link = fields.number("link"), let name = fields.text("name")
        else { return nil }
        self.init(
            key: ConversionKey(
                application: application, day: day, link: LinkID(rawValue: Int64(link)),
                campaign: fields.text("campaign") ?? "", name: name, currency: fields.text("currency") ?? ""),
            total: ConversionTotal(
                count: fields.number("count") ?? 0,
                sum: Money(
                    whole: Int64(fields.number("whole") ?? 0), micros: Int64(fields.number("micros") ?? 0),
                    scale: fields.number("scale") ?? 0)))
        guard total.count >= 0, total.sum.micros >= 0, (0...6).contains(total.sum.scale) else { return nil }
    }
}

extension JSONWriter {
    mutating func write(_ webhook: Webhook) {
        member("id", webhook.id)
        given("app", webhook.application?.text)
        member("url", webhook.url)
        given("name", webhook.name)
        given("managedBy", webhook.managedBy)
        strings("events", webhook.events)
        name("secrets")
        beginArray()
        for secret in webhook.secrets {
            beginObject()
            member("stored", Hexadecimal.text(secret.stored))
            time("expiresAt", secret.expiresAt)
            endObject()
        }
        endArray()
        number("disabled", Int(webhook.disabled?.rawValue ?? 0))
        time("createdAt", webhook.createdAt)
        time("failingSince", webhook.failingSince)
    }

    mutating func write(_ conversions: ArchivedConversions) {
        let key = conversions.key
        let total = conversions.total
        member("app", key.application.text)
        member("day", key.day)
        member("link", Int(key.link.rawValue))
        given("campaign", key.campaign.isEmpty ? nil : key.campaign)
        member("name", key.name)
        given("currency", key.currency.isEmpty ? nil : key.currency)
        number("count", total.count)
        number("whole", Int(total.sum.whole))
        number("micros", Int(total.sum.micros))
        number("scale", total.sum.scale)
    }
}
