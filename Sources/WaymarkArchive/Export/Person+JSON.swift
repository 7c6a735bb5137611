import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks
internal import WaymarkStores

// Reads and writes a person in an export. Every field is in both halves.

extension Person {
    init?(_ fields: inout Fields) {
        guard let id = fields.text("id"), let name = fields.text("name"), let createdAt = fields.time("createdAt")
        else {
            return nil
        }
        self.init(
            id: id, name: name, email: fields.text("email"), isDisabled: fields.flag("disabled") ?? false,
            createdAt: createdAt, signedInAt: fields.time("signedInAt"))
        for value in fields.array("memberships") {
            var members = Fields(value.object ?? JSONObject())
            let application = members.text("app")
            guard let role = members.text("role").flatMap({ PersonRole(rawValue: $0) }), members.areRead else {
                return nil
            }
            let id = application.flatMap { ApplicationID($0) }
            guard application == nil || id != nil else { return nil }
            memberships.append(Membership(application: id, role: role))
        }
        for value in fields.array("identities") {
            var members = Fields(value.object ?? JSONObject())
            guard let issuer = members.text("issuer"), let subject = members.text("subject"), members.areRead else {
                return nil
            }
            identities.append(PersonIdentity(issuer: issuer, subject: subject))
        }
        for value in fields.array("passkeys") {
            var members = Fields(value.object ?? JSONObject())
            guard let id = members.base64("id"), let key = members.base64("publicKey"),
                let count = UInt32(exactly: members.number("signCount") ?? 0), let createdAt = members.time("createdAt")
            else { return nil }
            passkeys.append(
                Passkey(
                    id: id, publicKey: key, signCount: count, createdAt: createdAt, usedAt: members.time("usedAt")))
            guard members.areRead else { return nil }
        }
    }
}

extension JSONWriter {
    mutating func write(_ person: Person) {
        member("id", person.id)
        member("name", person.name)
        given("email", person.email)
        if person.isDisabled { member("disabled", true) }
        list("memberships", person.memberships) { writer, membership in
            writer.given("app", membership.application?.text)
            writer.member("role", membership.role.rawValue)
        }
        list("identities", person.identities) { writer, identity in
            writer.member("issuer", identity.issuer)
            writer.member("subject", identity.subject)
        }
        // A public key is no secret.
        list("passkeys", person.passkeys) { writer, passkey in
            writer.member("id", Base64.text(passkey.id))
            writer.member("publicKey", Base64.text(passkey.publicKey))
            writer.number("signCount", Int(passkey.signCount))
            writer.time("createdAt", passkey.createdAt)
            writer.time("usedAt", passkey.usedAt)
        }
        time("createdAt", person.createdAt)
        time("signedInAt", person.signedInAt)
    }

    private mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.name(name)
        beginArray()
        for element in elements {
            beginObject()
            write(&self, element)
            endObject()
        }
        endArray()
    }
}
