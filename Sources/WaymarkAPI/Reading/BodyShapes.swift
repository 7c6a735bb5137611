package import WaymarkJSON

/// The limits of request bodies, all in one place.
enum BodyMaximum {
    static let rules = 50
    static let tags = 16
    /// Values of one member of a rule's `when`.
    static let ruleValues = 250
    /// Parameters and other members with names chosen by the client. A merge patch may remove some and add others, so
    /// this is more than a link can have.
    static let names = 200
    /// Maximum size of metadata that is parsed. A link has at most 16 KiB, but a patch that removes members may need
    /// more.
    static let metadata = 64 * 1024
    static let domains = 100
    static let schemes = 50
    static let origins = 100
    static let firebaseKeys = 20
    static let templates = 500
    /// Patterns of one list in `destinations`.
    static let hostPatterns = 200
    static let appleDetails = 50
    static let appIDs = 100
    /// Components or paths of one entry; the association file's limit of 128 KiB allows fewer.
    static let components = 10_000
    static let androidApps = 100
    static let fingerprints = 50
    static let scopes = 16
    static let memberships = 1_000
    static let identities = 20
    static let passkeys = 20
    /// Domains of a simulated entitlement.
    static let entitlements = 100
    static let headers = 100
    /// Patterns of event types of a webhook.
    static let eventPatterns = 32
    /// Messages that are sent again by one request.
    static let replayedMessages = 1_000
}

extension JSONShape {
    static func names(_ names: [String], _ others: [String: JSONShape] = [:]) -> JSONShape {
        var members = others
        for name in names { members[name] = .scalar }
        return .object(members)
    }

    /// A credential of WebAuthn; larger ones are refused as bodies.
    static let credential = JSONShape.bytes(atMost: 65_536)

    static func strings(atMost limit: Int) -> JSONShape { .array(.scalar, atMost: limit) }

    static let urls = JSONShape.map(names(["link", "fallback"]), atMost: BodyMaximum.names)
    static let namedURLs = JSONShape.map(names(["name", "link", "fallback"]), atMost: BodyMaximum.names)

    /// One association of Apple's file. An object that has one of its own, and one for each of `details`.
    static let appleEntry: KeyValuePairs<StaticString, JSONShape> = [
        "appIDs": strings(atMost: BodyMaximum.appIDs), "components": components,
        "paths": strings(atMost: BodyMaximum.components),
    ]

    static let appleDetails = JSONShape.array(
        .object(Dictionary(uniqueKeysWithValues: appleEntry.map { (String(describing: $0), $1) })),
        atMost: BodyMaximum.appleDetails)

    static let components: JSONShape = {
        let component = names(
            ["/", "#", "exclude", "caseSensitive", "percentEncoded", "comment"],
            ["?": .map(.scalar, atMost: BodyMaximum.names)])
        return .array(component, atMost: BodyMaximum.components)
    }()

    static let fingerprints = strings(atMost: BodyMaximum.fingerprints)

    static let androidApps = JSONShape.array(
        names(["package"], ["sha256CertFingerprints": fingerprints, "components": components]),
        atMost: BodyMaximum.androidApps)
}

extension SessionRequest {
    package static let shape = JSONShape.names(["key", "token", "link", "look", "proxy"], ["credential": .credential])
}

extension PasskeyRequest {
    package static let shape = JSONShape.names(["invitation"], ["credential": .credential])
}

extension ResolveRequest {
    package static let shape = JSONShape.names(["smartlink", "clickID", "platform", "redeem", "appVersion"])
}

extension ClaimRequest {
    package static let shape = JSONShape.names(
        ["app", "platform", "installID", "referrer", "clipboard", "appVersion"])
}

extension EventsRequest {
    package static let shape = JSONShape.object([
        "events": .array(
            .names(["id", "type", "clickID", "smartlink", "platform", "at"]), atMost: EventsRequest.limit)
    ])
}

extension ExplainRequest {
    package static let shape = JSONShape.names(
        ["url", "ip", "at", "country", "variant"], ["headers": .map(.scalar, atMost: BodyMaximum.headers)])
    /// Of `ExplainDifferenceRequest`.
    static let differenceShape = JSONShape.names(
        ["url", "ip", "country", "from", "to"], ["headers": .map(.scalar, atMost: BodyMaximum.headers)])
}

extension AssociationSubject {
    package static let shape = JSONShape.names(["document", "application", "kind"])
}

extension AssociationSimulateRequest {
    package static let shape = JSONShape.names(
        ["document", "application", "kind", "url", "app", "platform", "context", "at"],
        ["domains": .array(.scalar, atMost: BodyMaximum.entitlements)])
}
