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

    static func strings(atMost limit: Int) -> JSONShape { .array(.scalar, atMost: limit) }

    static let urls = JSONShape.map(names(["link", "fallback"]), atMost: BodyMaximum.names)

    static let rules: JSONShape = {
        let values = strings(atMost: BodyMaximum.ruleValues)
        let when = names(
            ["after", "before", "percentage"],
            [
                "platform": values, "device": values, "browser": values, "inApp": values, "store": values,
                "language": values,
                "country": values, "referrerHost": values, "query": .map(values, atMost: BodyMaximum.names),
            ])
        return .array(.object(["when": when, "to": urls]), atMost: BodyMaximum.rules)
    }()

    fileprivate static let application: JSONShape = {
        let query = JSONShape.map(.scalar, atMost: BodyMaximum.names)
        let component = names(["/", "#", "exclude", "caseSensitive", "percentEncoded", "comment"], ["?": query])
        let details: [String: JSONShape] = [
            "appIDs": strings(atMost: BodyMaximum.appIDs),
            "components": .array(component, atMost: BodyMaximum.components),
            "paths": strings(atMost: BodyMaximum.components),
        ]
        var ios = details
        ios["details"] = .array(.object(details), atMost: BodyMaximum.appleDetails)
        ios["appClips"] = strings(atMost: BodyMaximum.appIDs)
        ios["webCredentials"] = strings(atMost: BodyMaximum.appIDs)
        let fingerprints = strings(atMost: BodyMaximum.fingerprints)
        let dynamicRules = JSONShape.array(component, atMost: BodyMaximum.components)
        let app = names(["package"], ["sha256CertFingerprints": fingerprints, "components": dynamicRules])
        let hosts = strings(atMost: BodyMaximum.hostPatterns)
        return names(
            [
                "id", "name", "baseURL", "redirectStatus", "onExpired", "onUnknown", "onRoot", "openHost",
                "forwardQuery", "queryOverride", "extraPath", "slugCase",
            ],
            [
                "appearance": names(["iconURL", "accentColor"]),
                "firebase": names(
                    ["enabled", "longLinks"], ["apiKeys": strings(atMost: BodyMaximum.firebaseKeys)]),
                "domains": strings(atMost: BodyMaximum.domains),
                "ios": names(["urlScheme", "appStoreID", "minimumVersion"], ios),
                "android": names(
                    ["package", "urlScheme", "minimumVersion", "appGallery", "galaxy", "amazon"],
                    [
                        "sha256CertFingerprints": fingerprints, "components": dynamicRules,
                        "apps": .array(app, atMost: BodyMaximum.androidApps),
                    ]),
                "windows": names(["microsoft"]), "web": names(["baseURL"]),
                "hoko": names(["enabled", "lazy"]), "branch": names(["enabled"]),
                "templates": .array(names(["name", "route"], ["urls": urls]), atMost: BodyMaximum.templates),
                "schemes": strings(atMost: BodyMaximum.schemes), "rules": rules,
                "destinations": .object(["allowedHosts": hosts, "blockedHosts": hosts]),
                "cors": .object(["origins": strings(atMost: BodyMaximum.origins)]),
            ])
    }()
}

extension ApplicationRequest {
    package static let shape = JSONShape.application
    /// The shape of an applications file.
    package static let fileShape = JSONShape.array(.application, atMost: 10_000)
}

extension KeyRequest {
    package static let shape = JSONShape.names(
        ["name", "app", "key", "expiresAt", "platform"], ["scopes": .array(.scalar, atMost: BodyMaximum.scopes)])
}

extension SessionRequest {
    package static let shape = JSONShape.names(["key", "token", "link", "look"])
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
        ["url", "ip", "at"], ["headers": .map(.scalar, atMost: BodyMaximum.headers)])
}

extension AssociationSubject {
    package static let shape = JSONShape.names(["document", "application", "kind"])
}

extension AssociationSimulateRequest {
    package static let shape = JSONShape.names(
        ["document", "application", "kind", "url", "app", "platform", "context"],
        ["domains": .array(.scalar, atMost: BodyMaximum.entitlements)])
}
