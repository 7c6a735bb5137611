package import WaymarkAPI
import WaymarkBytes

/// A link converted from Firebase's parameters: the draft, and what had to be omitted.
package struct FirebaseLinkDraft: Sendable, Equatable {
    /// Has no domain and slug.
    package private(set) var draft = LinkRequest()
    package private(set) var warnings: [FirebaseWarning] = []
    /// Why the link can't be created, by parameter: `link` is missing or not a web URL, or a URL leads to a host that
    /// this caller must not use.
    package private(set) var problems: [FieldProblem] = []

    /// The parameters that took effect.
    package var origin: LinkOrigin { LinkOrigin(firebase: values) }
    private var values: FirebaseParameters
    private let application: Application
    private let settings: FirebaseSettings
    private let onlyOwnHosts: Bool

    package static func == (one: Self, other: Self) -> Bool {
        one.draft == other.draft && one.values == other.values && one.warnings == other.warnings
            && one.problems == other.problems
    }

    /// - Parameters:
    ///   - onlyOwnHosts: whether URLs must be on `Application.isOwnDestination` hosts: required for long links, which
    ///     anybody can write, and for links created with keys in apps. An image on another host is dropped.
    ///   - identities: the apps that parameters may name, if the application does not serve Firebase Dynamic Links itself.
    package init(
        _ parameters: FirebaseParameters, for application: Application, onlyOwnHosts: Bool,
        identities: FirebaseSettings? = nil
    ) {
        values = parameters
        self.application = application
        settings = application.firebase ?? identities ?? FirebaseSettings(isEnabled: false)
        self.onlyOwnHosts = onlyOwnHosts
        guard let link = readLink() else { return }
        readTexts()
        let android = readAndroid(link)
        let iOS = readIOS(link)
        let desktop = webURL(.ofl, .unrecognizedParam, .unrecognizedParam)
        readSocial()
        draft.urls = ["web": URLEntryRequest(Self.literal(desktop ?? link))]
        if let android { draft.urls["android"] = android }
        draft.urls["ios"] = iOS.phone
        draft.urls["ipad"] = iOS.pad
        // Visitors without the app get the page for phones rather than the one for desktops.
        if desktop != nil {
            let page = URLEntryRequest(Self.literal(link))
            for platform in ["android", "ios"] where draft.urls[platform] == nil { draft.urls[platform] = page }
        }
    }

    // MARK: Parameters

    private mutating func warn(_ code: FirebaseWarning.Code, _ message: String) {
        warnings.append(FirebaseWarning(code, message))
    }

    private mutating func drop(_ name: FirebaseParameter, _ code: FirebaseWarning.Code, _ message: String) {
        values[name] = nil
        warn(code, "Parameter \(name.rawValue) \(message)")
    }

    private mutating func readLink() -> String? {
        guard let text = values[.link] else {
            problems.append(FieldProblem(field: "link", problem: "is missing"))
            return nil
        }
        switch WebURL.check(text) {
        case .problem(let problem):
            problems.append(FieldProblem(field: "link", problem: problem))
            return nil
        case .valid(let url):
            guard permits(url, .link) else { return nil }
            if let host = url.host, application.domains.contains(host), let query = url.query,
                FirebaseQuery.isLongLink(query)
            {
                problems.append(FieldProblem(field: "link", problem: "is a Dynamic Link itself"))
                return nil
            }
            if url.fragment != nil { warn(.linkWithFragments, "Parameter link has a fragment.") }
            if text.utf8.count > Self.longestLink {
                warn(.linkLengthTooLong, "Parameter link has more than \(Self.longestLink) bytes.")
            }
            return url.text
        }
    }

    /// Longer ones fail in some in-app browsers.
    private static let longestLink = 2_048

    private mutating func readTexts() {
        if let text = values[.efr] {
            values[.efr] = ["1", "true"].contains(text.lowercased()) ? "1" : nil
        }
        if values[.gclid] != nil { warn(.deprecatedParam, "Parameter gclid is deprecated.") }
        let limits: [(FirebaseParameter, Int)] = [
            (.utmSource, LinkLimits.campaign), (.utmMedium, LinkLimits.campaign), (.utmCampaign, LinkLimits.campaign),
            (.utmTerm, LinkLimits.campaign), (.utmContent, LinkLimits.campaign), (.gclid, LinkLimits.campaign),
            (.at, LinkLimits.campaign), (.ct, LinkLimits.campaign), (.mt, LinkLimits.campaign),
            (.pt, LinkLimits.campaign), (.st, LinkLimits.title), (.sd, LinkLimits.description),
        ]
        for (name, limit) in limits {
            guard let text = values[name] else { continue }
            if text.utf8.count > limit {
                drop(name, .tooLongParam, "has more than \(limit) bytes and was ignored.")
            } else if text.holdsControlCharacters {
                values[name] = text.onOneLine
                guard values[name]?.holdsControlCharacters == true else { continue }
                drop(name, .unrecognizedParam, "holds control characters and was ignored.")
            }
        }
        let campaign = CampaignRequest(
            source: values[.utmSource], medium: values[.utmMedium], name: values[.utmCampaign],
            term: values[.utmTerm], content: values[.utmContent])
        if !campaign.parameters.isEmpty { draft.campaign = campaign }
    }

    private mutating func readAndroid(_ link: String) -> URLEntryRequest? {
        if let package = values[.apn], !settings.packages.contains(package) {
            drop(.apn, .notInProjectAndroidPackageName, "is not a package of this application and was ignored.")
        }
        if let version = values[.amv] {
            if values[.apn] == nil {
                drop(.amv, .unnecessaryAndroidPackageMinVersion, "is not needed without apn.")
            } else if !version.utf8.allSatisfy(\.isDigit) || AppVersion(version) == nil {
                drop(.amv, .notIntegerAndroidPackageMinVersion, "is not an integer and was ignored.")
            } else {
                draft.minimumVersion = MinimumVersionRequest(android: version)
            }
        }
        let fallback = webURL(.afl, .notURIAndroidFallbackLink, .badURISchemeAndroidFallbackLink)
        let own = readAndroidLink(link)
        guard values[.apn] != nil else { return nil }
        return URLEntryRequest(Self.literal(own ?? link), fallback: fallback ?? "store")
    }

    /// `al`, which may use a scheme of the application.
    private mutating func readAndroidLink(_ link: String) -> String? {
        guard let text = values[.al] else { return nil }
        guard let url = uri(text, .al, .notURIAndroidLink) else { return nil }
        if text == link || values[.apn] == nil {
            warn(.unnecessaryAndroidLink, "Parameter al is not needed: it equals link, or there is no apn.")
        }
        if let web = WebURL(text) { return permits(web, .al) ? web.text : nil }
        guard application.allowedSchemes.contains(where: { $0.text == url.schemeText }) else {
            drop(.al, .notURIAndroidLink, "has a scheme that is not this application's and was ignored.")
            return nil
        }
        return url.text
    }

    private mutating func readIOS(_ link: String) -> (phone: URLEntryRequest?, pad: URLEntryRequest?) {
        if let bundle = values[.ibi], !settings.bundleIDs.contains(bundle) {
            drop(.ibi, .notInProjectIOSBundleID, "is not a bundle ID of this application and was ignored.")
        }
        if let bundle = values[.ipbi], !settings.bundleIDs.contains(bundle) {
            drop(.ipbi, .notInProjectIPadBundleID, "is not a bundle ID of this application and was ignored.")
        }
        let hasApp = values[.ibi] != nil || values[.ipbi] != nil
        readIOSIdentity(hasApp: hasApp)
        if let version = values[.imv] {
            if AppVersion(version) == nil {
                drop(.imv, .unrecognizedParam, "is not a version and was ignored.")
            } else {
                draft.minimumVersion = MinimumVersionRequest(ios: version, android: draft.minimumVersion?.android)
            }
        }
        let phone = webURL(.ifl, .notURIIOSFallbackLink, .badURISchemeIOSFallbackLink)
        let pad = webURL(.ipfl, .notURIIPadFallbackLink, .badURISchemeIPadFallbackLink) ?? phone
        let phoneEntry = values[.ibi].map { entry(link, bundle: $0, fallback: phone) }
        guard values[.ipbi] != nil || values[.ipfl] != nil else { return (phoneEntry, nil) }
        let padEntry = (values[.ipbi] ?? values[.ibi]).map { entry(link, bundle: $0, fallback: pad) }
        return (phoneEntry, padEntry)
    }

    private mutating func readIOSIdentity(hasApp: Bool) {
        if let scheme = values[.ius] {
            if !hasApp {
                drop(.ius, .unnecessaryIOSURLScheme, "is not needed without ibi or ipbi.")
            } else if !isAllowed(scheme: scheme) {
                drop(.ius, .unrecognizedParam, "is not a scheme of this application and was ignored.")
            }
        }
        if let store = values[.isi] {
            if store.utf8.count > 20 || !store.utf8.allSatisfy(\.isDigit) {
                drop(.isi, .notNumericIOSAppStoreID, "is not a number and was ignored.")
            } else if !hasApp {
                drop(.isi, .unnecessaryIOSAppStoreID, "is not needed without ibi or ipbi.")
            } else if store != application.ios?.appStoreID {
                drop(.isi, .notMatchingIOSBundleIDAndStoreID, "is not this application's and was ignored.")
            }
        }
    }

    /// The URL that opens the app as Firebase's SDK expects: `<scheme>://google/link/?deep_link_id=<link>`.
    ///
    /// Without `ius` the SDK knows the bundle ID alone as a scheme. The app's other scheme is for bundle IDs that can't be one,
    /// and for applications that serve no Firebase.
    private func entry(_ link: String, bundle: String, fallback: String?) -> URLEntryRequest {
        var scheme = values[.ius] ?? bundle
        if values[.ius] == nil, let other = application.ios?.urlScheme, !isAllowed(scheme: bundle) {
            scheme = other.text
        }
        return URLEntryRequest(
            FirebaseDeepLink.url(scheme: scheme, link: link),
            fallback: fallback ?? (application.ios?.appStoreID == nil ? link : "store"))
    }

    private func isAllowed(scheme: String) -> Bool {
        let scheme = scheme.asciiLowercased
        return application.allowedSchemes.contains { $0.text == scheme }
    }

    private mutating func readSocial() {
        var image = webURL(.si, .notURISocialImageLink, .badURISchemeSocialImageLink, isDestination: false)
        // Previews show it with the brand's name.
        if onlyOwnHosts, let host = image.flatMap({ WebURL($0) })?.host, !application.isOwnDestination(host) {
            image = nil
            drop(
                .si, .unrecognizedParam,
                "is on a host that is not in the application's destinations, web.baseURL or templates and was ignored.")
        }
        guard values[.st] != nil || values[.sd] != nil || image != nil else { return }
        draft.social = SocialRequest(title: values[.st], description: values[.sd], imageURL: image)
    }

    // MARK: URLs

    private mutating func webURL(
        _ name: FirebaseParameter, _ notURI: FirebaseWarning.Code, _ badScheme: FirebaseWarning.Code,
        isDestination: Bool = true
    ) -> String? {
        guard let text = values[name] else { return nil }
        if let url = WebURL(text) { return !isDestination || permits(url, name) ? url.text : nil }
        if uri(text, name, notURI) != nil { drop(name, badScheme, "is not an http or https URL and was ignored.") }
        return nil
    }

    /// Drops what is not a URI, or is one that is too long.
    private mutating func uri(
        _ text: String, _ name: FirebaseParameter, _ notURI: FirebaseWarning.Code
    ) -> URLText? {
        switch URLText.check(text) {
        case .valid(let url): return url
        case .problem(let problem) where problem.hasPrefix("is longer"):
            drop(name, .tooLongParam, "\(problem) and was ignored.")
        case .problem: drop(name, notURI, "is not a URI and was ignored.")
        }
        return nil
    }

    private mutating func permits(_ url: WebURL, _ name: FirebaseParameter) -> Bool {
        guard onlyOwnHosts, url.host.map(application.isOwnDestination) != true else { return true }
        problems.append(
            FieldProblem(
                field: name.rawValue,
                problem: "leads to a host that is not in the application's destinations, web.baseURL or templates"))
        return false
    }

    /// The URL as a pattern without variables: a colon that would begin one is encoded.
    package static func literal(_ url: String) -> String {
        // Checked first, because it is rare and the pattern is expensive to read.
        guard holdsVariableColon(url), URLPattern.check(url).value?.slots.isEmpty != true else { return url }
        var bytes: [UInt8] = []
        for byte in url.utf8 {
            if byte == UInt8(ascii: ":"), let last = bytes.last, isSeparator(last) {
                PercentEncoding.append(escaped: byte, to: &bytes)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a colon follows a separator.
    private static func holdsVariableColon(_ url: String) -> Bool {
        var last: UInt8 = 0
        for byte in url.utf8 {
            if byte == UInt8(ascii: ":"), isSeparator(last) { return true }
            last = byte
        }
        return false
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "#"): true
        default: false
        }
    }
}
