import WaymarkLinks

/// What `shortLinks` and `managedShortLinks:create` are sent: the parameters, where the link is to stand, and its suffix.
struct FirebaseLinkRequest {
    enum Option { case unguessable, short, custom(String) }

    var parameters: FirebaseParameters
    var warnings: [FirebaseWarning] = []
    let host: HostName
    /// As it was sent, for messages.
    let domainText: String
    /// Empty, or up to three segments with a slash behind each.
    let prefix: String
    var option: Option
    /// Of managed links.
    var name: String?

    static let options = ["OPTION_UNSPECIFIED", "UNGUESSABLE", "SHORT", "CUSTOM"]
    /// Bytes of a long link.
    private static let longest = 16_384

    init(_ body: FirebaseObject) throws(FirebaseError) {
        let info = body.object("dynamicLinkInfo")
        let domain: String
        if let longLink = body.text("longDynamicLink") {
            guard !body.has("dynamicLinkInfo") else { throw Self.expectingOne }
            guard longLink.utf8.count <= Self.longest, let mark = longLink.firstIndex(of: "?") else {
                throw FirebaseError(.invalidArgument, "Long dynamic link is not valid: it has no parameter link.")
            }
            let query = FirebaseQuery(String(longLink[longLink.index(after: mark)...].prefix { $0 != "#" }))
            parameters = query.parameters
            warnings = query.warnings
            domain = String(longLink[..<mark])
        } else {
            guard body.has("dynamicLinkInfo") else { throw Self.expectingOne }
            parameters = FirebaseParameters(info)
            let prefix = info.text("domainUriPrefix")
            let bare = info.text("dynamicLinkDomain")
            guard (prefix == nil) != (bare == nil) else {
                throw FirebaseError(
                    .invalidArgument,
                    "Invalid Dynamic Link domain: '\(bare ?? "")' or Domain Uri Prefix: '\(prefix ?? "")'. Expecting exactly one."
                )
            }
            // Clients of either field have been seen to give both forms.
            let given = prefix ?? bare ?? ""
            domain = given.contains("://") ? given : "https://" + given
        }
        guard let url = WebURL(domain), let host = url.host, url.query == nil, url.fragment == nil,
            let path = Self.prefix(url.path)
        else { throw Self.notOwned(domain) }
        self.host = host
        self.prefix = path
        domainText = domain
        option = try Self.option(body.object("suffix"))
        name = body.text("name")
    }

    static func notOwned(_ domain: String) -> FirebaseError {
        let shown = String(
            domain.unicodeScalars.prefix(300).filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
        return FirebaseError(.invalidArgument, "Your project does not own Dynamic Links domain: \(shown)")
    }

    private static let expectingOne = FirebaseError(
        .invalidArgument, "Expecting exactly one of longDynamicLink and dynamicLinkInfo.")

    private static func prefix(_ path: String) -> String? {
        let segments = path.split(separator: "/")
        guard segments.count <= 3 else { return nil }
        let prefix = segments.map { $0 + "/" }.joined()
        let isPossible = Slug(prefix + "a").map(SlugRules.reserveCompatibility.permit) ?? false
        return prefix.isEmpty || isPossible ? prefix : nil
    }

    private static func option(_ suffix: FirebaseObject) throws(FirebaseError) -> Option {
        guard suffix.has("option") else {
            return suffix.text("customSuffix").map { .custom($0) } ?? .unguessable
        }
        switch suffix.name("option", of: options) {
        case "OPTION_UNSPECIFIED", "UNGUESSABLE": return .unguessable
        case "SHORT": return .short
        case "CUSTOM": return .custom(suffix.text("customSuffix") ?? "")
        default: throw FirebaseError(.invalidArgument, "Invalid value for suffix.option.")
        }
    }
}

extension FirebaseParameters {
    /// Member of `dynamicLinkInfo` → parameter, with the objects on the way.
    static let members: [(path: [String], name: FirebaseParameter)] = [
        (["link"], .link),
        (["androidInfo", "androidPackageName"], .apn), (["androidInfo", "androidFallbackLink"], .afl),
        (["androidInfo", "androidMinPackageVersionCode"], .amv), (["androidInfo", "androidLink"], .al),
        (["iosInfo", "iosBundleId"], .ibi), (["iosInfo", "iosFallbackLink"], .ifl),
        (["iosInfo", "iosCustomScheme"], .ius), (["iosInfo", "iosIpadFallbackLink"], .ipfl),
        (["iosInfo", "iosIpadBundleId"], .ipbi), (["iosInfo", "iosAppStoreId"], .isi),
        (["iosInfo", "iosMinimumVersion"], .imv), (["desktopInfo", "desktopFallbackLink"], .ofl),
        (["navigationInfo", "enableForcedRedirect"], .efr),
        (["analyticsInfo", "googlePlayAnalytics", "utmSource"], .utmSource),
        (["analyticsInfo", "googlePlayAnalytics", "utmMedium"], .utmMedium),
        (["analyticsInfo", "googlePlayAnalytics", "utmCampaign"], .utmCampaign),
        (["analyticsInfo", "googlePlayAnalytics", "utmTerm"], .utmTerm),
        (["analyticsInfo", "googlePlayAnalytics", "utmContent"], .utmContent),
        (["analyticsInfo", "googlePlayAnalytics", "gclid"], .gclid),
        (["analyticsInfo", "itunesConnectAnalytics", "at"], .at),
        (["analyticsInfo", "itunesConnectAnalytics", "ct"], .ct),
        (["analyticsInfo", "itunesConnectAnalytics", "mt"], .mt),
        (["analyticsInfo", "itunesConnectAnalytics", "pt"], .pt),
        (["socialMetaTagInfo", "socialTitle"], .st), (["socialMetaTagInfo", "socialDescription"], .sd),
        (["socialMetaTagInfo", "socialImageLink"], .si),
    ]

    init(_ info: FirebaseObject) {
        var values: [FirebaseParameter: String] = [:]
        for (path, name) in Self.members {
            let parent = path.dropLast().reduce(info) { $0.object($1) }
            values[name] = path.last.flatMap(parent.text)
        }
        self.init(values)
    }
}
