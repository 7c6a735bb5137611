import WaymarkAPI
import WaymarkJSON
import WaymarkStores

extension Schemas {
    private static let role = Schema.choice(of: PersonRole.self)

    static let people: [NamedSchema] = [
        NamedSchema(
            "Membership",
            .object([
                Field("app", .text.orNull, "Null: all applications, also later ones."),
                Field(required: "role", role, "As the scopes `read`, `links` and `admin` of keys."),
            ])),
        NamedSchema(
            "PersonIdentity",
            .object([
                Field(
                    required: "issuer", .text(1...1_000).examples("https://id.example.com"),
                    "The provider's URL, or `proxy`."),
                Field(required: "subject", .text(1...255), "The account at that provider; never an e-mail address."),
            ])),
        NamedSchema(
            "Passkey",
            .object([
                Field(required: "id", .text, "The credential's id in base64url."),
                Field(optional: "createdAt", .time.orNull),
                Field(optional: "usedAt", .time.orNull, "Null: never since it was made."),
            ])),
        NamedSchema(
            "PersonBody",
            PersonRequest.members.body([
                Field("name", .text(1...200)),
                Field("email", .text(1...254), "To reach the person; it identifies nobody."),
                Field("memberships", .list(of: .named("Membership"), 0...1_000)),
                Field(
                    "identities", .list(of: .named("PersonIdentity"), 0...20),
                    "Accounts that sign the person in. Only for administrators of all applications."),
            ]),
            example: #"{"name": "Ana", "memberships": [{"app": "shop", "role": "editor"}]}"#),
        NamedSchema(
            "PersonPatch",
            PersonPatchRequest.members.body([
                Field("name", .text(1...200)),
                Field("email", .text(1...254)),
                Field("disabled", .flag, "True ends sessions, invitations and keys for good."),
                Field("memberships", .list(of: .named("Membership"), 0...1_000)),
                Field("identities", .list(of: .named("PersonIdentity"), 0...20)),
                Field("passkeys", .list(of: .named("Passkey"), 0...20), "Those to keep, by their `id`."),
            ]),
            example: #"{"disabled": true}"#),
        NamedSchema(
            "InvitationBody",
            InvitationRequest.members.body([
                Field("role", role),
                Field("app", .text, "Null: all applications, or the only one that the caller administers."),
                Field("name", .text(1...200)),
                Field("email", .text(1...254)),
                Field("person", .text, "The id of somebody who exists, instead of the rest."),
            ]),
            example: #"{"role": "editor", "app": "shop", "name": "Ana"}"#),
        NamedSchema(
            "Person",
            .answer([
                Field("id", .text),
                Field("name", .text),
                Field("email", .text.orNull),
                Field("disabled", .flag),
                Field("memberships", .list(of: .named("Membership")), "Those that the caller may see."),
                Field("identities", .list(of: .named("PersonIdentity"))),
                Field("passkeys", .list(of: .named("Passkey"))),
                Field("createdAt", .time),
                Field("signedInAt", .time.orNull, "Null: the person has never signed in."),
            ])),
        NamedSchema("PeopleList", .answer([Field("people", .list(of: .named("Person")))])),
        NamedSchema(
            "Invitation",
            .answer([
                Field(
                    "link", .text.examples("/_/#invitation=wm_4fGk…"),
                    "Path and fragment, on the origin of the request."),
                Field("expiresAt", .time),
                Field("person", .named("Person")),
            ])),
        NamedSchema(
            "Program",
            .answer([
                Field("id", .text),
                Field("name", .text, "As the program calls itself."),
                Field("scopes", .list(of: .text), "As they were allowed; the person's roles cut them at each use."),
                Field(
                    "apps", .list(of: .text).orNull,
                    "The applications in which it may do some of that now. Null: all."),
                Field("allowedAt", .time),
                Field("lastUsedAt", .time, "When it last got an access token, which holds for an hour."),
                Field("expiresAt", .time, "When it ends unless it is used before."),
                Field("endsAt", .time, "When it ends however it is used: 180 days after it was allowed."),
            ])),
        NamedSchema("ProgramList", .answer([Field("programs", .list(of: .named("Program")))])),
        NamedSchema(
            "AuditParty",
            .answer([Field("id", .text), Field("name", .text, "As it was then.")])),
        NamedSchema(
            "AuditEntry",
            .answer([
                Field("id", .text),
                Field("at", .time),
                Field(
                    "by",
                    .answer([
                        Field(
                            "via", .choice(["key", "session", "signIn", "commandLine", "googleKey"]).orNull,
                            "How the caller is known. `commandLine`: by the right to open the database."),
                        Field("person", .named("AuditParty").orNull),
                        Field("key", .named("AuditParty").orNull),
                    ])),
                Field("action", .text.examples("link.created")),
                Field(
                    "object",
                    .answer([
                        Field("type", .text.examples("link")),
                        Field("id", .text.orNull, "Of a link domain and slug. Null: several."),
                    ])),
                Field("app", .text.orNull, "Null: of no single application."),
                Field("before", .anyObject.orNull, "The fields that differ; of what is deleted all. Null: it was not."),
                Field("after", .anyObject.orNull, "The fields that differ; of what is new all. Null: it is not."),
                Field("address", .choice(["loopback", "private", "public"]).orNull, "Where the call came from."),
            ])),
        NamedSchema(
            "AuditList",
            .answer([
                Field("entries", .list(of: .named("AuditEntry"))),
                Field("cursor", .text.orNull, "Of the next page; null behind the last one."),
            ])),
        NamedSchema(
            "AuditRecordedEvent",
            .answer([
                Field("type", .text), Field("timestamp", .time, "When the event happened."),
                Field("data", .named("AuditEntry")),
            ])),
    ]
}
