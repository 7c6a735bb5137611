import WaymarkBytes
package import WaymarkJSON

/// What a page gives to `navigator.credentials`, in WebAuthn's JSON forms (level 3, section 5.1.8 and 5.1.9; level 2 has the same
/// members in binary).
package enum PasskeyOptions {
    /// The person that a passkey is made for.
    package struct User: Sendable {
        /// 1 to 64 bytes that say nothing about the person; assertions return them as `userHandle`.
        package let id: [UInt8]
        /// An e-mail address or the like, which tells accounts apart.
        package let name: String
        package let displayName: String

        package init(id: [UInt8], name: String, displayName: String) {
            self.id = id
            self.name = name
            self.displayName = displayName
        }
    }

    /// Milliseconds for the person to act.
    package static let timeout = 300_000

    /// For `navigator.credentials.create`.
    ///
    /// - Parameter existing: the ids of the person's passkeys; their authenticators are not used a second time.
    package static func creation(
        _ challenge: PasskeyChallenge, _ site: PasskeySite, for user: User, existing: [[UInt8]]
    ) -> JSONValue {
        let algorithms = COSEKey.algorithms.map { algorithm in
            object([("type", JSONValue("public-key")), ("alg", JSONValue(algorithm.identifier))])
        }
        return object([
            ("challenge", JSONValue(challenge.text)),
            ("rp", object([("id", JSONValue(site.id)), ("name", JSONValue(site.name))])),
            (
                "user",
                object([
                    ("id", JSONValue(Base64.urlText(user.id))), ("name", JSONValue(user.name)),
                    ("displayName", JSONValue(user.displayName)),
                ])
            ),
            ("pubKeyCredParams", JSONValue(algorithms)),
            ("timeout", JSONValue(timeout)),
            ("excludeCredentials", JSONValue(existing.map(descriptor))),
            (
                "authenticatorSelection",
                object([
                    ("residentKey", JSONValue("required")), ("requireResidentKey", JSONValue(true)),
                    ("userVerification", JSONValue("required")),
                ])
            ),
            ("attestation", JSONValue("none")),
        ])
    }

    /// For `navigator.credentials.get`. The authenticator offers the passkeys that it has for the site.
    package static func request(_ challenge: PasskeyChallenge, _ site: PasskeySite) -> JSONValue {
        object([
            ("challenge", JSONValue(challenge.text)),
            ("rpId", JSONValue(site.id)),
            ("timeout", JSONValue(timeout)),
            ("userVerification", JSONValue("required")),
            ("allowCredentials", JSONValue([JSONValue]())),
        ])
    }

    private static func descriptor(_ id: [UInt8]) -> JSONValue {
        object([("type", JSONValue("public-key")), ("id", JSONValue(Base64.urlText(id)))])
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        return JSONValue(object)
    }
}
