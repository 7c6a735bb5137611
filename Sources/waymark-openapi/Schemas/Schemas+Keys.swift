import WaymarkAPI
import WaymarkJSON
import WaymarkStores

extension Schemas {
    static let keys: [NamedSchema] = [
        NamedSchema("Scope", .choice(of: KeyScope.self)),
        NamedSchema(
            "KeyBody",
            KeyRequest.members.body([
                Field("name", .text(1...200), "What the key is for: 1 to 200 bytes."),
                Field("app"),
                Field("scopes", .list(of: .named("Scope"), 1...16)),
                Field("expiresAt", .time),
                Field(
                    "key", .text(20...255).pattern("^[!-~]+$"),
                    """
                    The key's text, for callers that have one already; null: the server makes one that nobody \
                    can guess.
                    """),
                Field("platform", .keyPlatform, "Where the app runs that gets the key. HOKO's API needs it."),
            ]),
            example: #"{"name": "iOS app", "app": "shop", "scopes": ["resolve"]}"#),
        NamedSchema(
            "Key",
            .answer([
                Field("id", .text),
                Field(optional: "key", .text, "Only in the answer that makes it."),
                Field("name", .text),
                Field("app", .text.orNull),
                Field("scopes", .list(of: .named("Scope"))),
                Field("createdAt", .time),
                Field("expiresAt", .time.orNull),
                Field("lastUsedAt", .time.orNull, "Right within an hour; null: never used."),
                Field(
                    "platform", .keyPlatform.orNull,
                    "Where the app runs that has the key; null: it is for no platform."),
                Field("person", .text.orNull, "Whom the key belongs to, and with whom it ends; null: the service."),
            ])),
        NamedSchema("KeyList", .answer([Field("keys", .list(of: .named("Key")))])),
        NamedSchema(
            "Session",
            .answer([
                Field("name", .text),
                Field("app", .text.orNull, "Null: all applications."),
                Field("scopes", .list(of: .text)),
                Field("expiresAt", .time),
                Field(optional: "demo", .flag, "There, and true, where the server shows a demonstration."),
            ])),
        NamedSchema(
            "SignInBody",
            .object([
                Field("key", .text, "An API key."),
                Field("token", .text, "The token of a sign-in link, instead of a key."),
                Field(
                    "credential", .anyObject,
                    "The answer of a passkey to `POST /_/session/options`, as a browser's `toJSON()` writes it."),
                Field(
                    "link", .flag.usually(false),
                    "Whether to make a sign-in link for the key instead of a session."),
                Field(
                    "look", .flag.usually(false),
                    "Whether to describe the session that `token` would start, instead of starting it."),
            ]),
            "Either `key`, `token` or `credential`."),
        NamedSchema("PasskeySignInOptions", .anyObject),
        NamedSchema("PasskeyOptions", .anyObject),
        NamedSchema(
            "PasskeyOptionsBody",
            .object([
                Field("invitation", .text, "The token of an invitation. Default: the person of the session.")
            ])),
        NamedSchema(
            "PasskeyBody",
            .object([
                Field(
                    required: "credential", .anyObject, "The new credential, as a browser's `toJSON()` writes it."),
                Field("invitation", .text, "As for the options."),
            ])),
        NamedSchema(
            "SignedOut",
            .answer([Field("logoutURL", .text, "Where the browser signs out at the provider as well.")])),
        NamedSchema(
            "SignInLink",
            .answer([
                Field(
                    "link", .text.examples("/_/#sign-in=wm_4fGk…"),
                    "Path and fragment, on the origin of the request."),
                Field("expiresAt", .time),
            ])),
    ]
}
