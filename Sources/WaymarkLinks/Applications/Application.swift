import WaymarkBytes

/// An app with its iOS, Android and web identities, and the domains of its links.
///
/// Immutable and shared by all requests: most fields are references, and copying them would cost reference counting.
package final class Application: Sendable, Equatable {
    package let id: ApplicationID
    package let name: String
    /// The hosts that serve this application's links; empty means all hosts that no application names.
    package let domains: [HostName]
    /// The base URL of smart links: scheme, host, optional port, no path.
    package let baseURL: WebURL?
    package let ios: IOSIdentity?
    package let android: AndroidIdentity?
    package let windows: WindowsIdentity?
    package let webBaseURL: WebURL?
    package let templates: [Template]
    /// 301, 302, 307 or 308.
    package let redirectStatus: Int
    package let onExpired: WebURL?
    package let onUnknown: WebURL?
    /// The destination of visitors who open a domain without a slug; nil: `onUnknown`.
    package let onRoot: WebURL?
    /// A second host, in the app's associated domains; pages on it can open the app by universal link.
    package let openHost: HostName?
    package let forwardQuery: Bool
    /// Whether a parameter of the click replaces the link's own with the same name.
    package let queryOverride: Bool
    /// Whether a path behind a slug is appended to the destination; else such a path is unknown.
    package let appendsExtraPath: Bool
    /// How much of its links' clicks is stored.
    package let clickDetail: ClickDetail
    /// Whether the box that copies a link for after the installation is ticked from the start.
    package let continueTicked: Bool
    /// Whether slugs are looked up without regard to case.
    package let ignoresSlugCase: Bool
    /// Custom schemes that links may use, besides the apps' `urlScheme`s.
    package let schemes: [URLScheme]
    /// All custom schemes that links may use: `schemes` and the apps' own.
    package let allowedSchemes: Set<URLScheme>
    package let corsOrigins: [String]
    /// Rules for all links of the application, evaluated after the link's own.
    package let rules: [Rule]
    /// Nil: links may lead to any host.
    package let destinations: DestinationPolicy?
    package let appearance: Appearance
    /// Nil: Firebase Dynamic Links are not served.
    package let firebase: FirebaseSettings?
    package let hoko: HokoSettings
    /// Whether long links of Branch are served on its domains.
    package let servesBranch: Bool
    /// Whose files describe it; nil: nobody's.
    package let managedBy: String?
    /// The hosts of `web.baseURL` and of the templates.
    package let ownHosts: Set<HostName>
    /// The text before and after the host in the application's URLs: the scheme with `://`, and the port of `baseURL`
    /// with its colon, if any.
    private let beforeHost, behindHost: String

    package init(
        id: ApplicationID, name: String, domains: [HostName] = [], baseURL: WebURL? = nil, ios: IOSIdentity? = nil,
        android: AndroidIdentity? = nil, windows: WindowsIdentity? = nil, webBaseURL: WebURL? = nil,
        templates: [Template] = [],
        redirectStatus: Int = 302, onExpired: WebURL? = nil, onUnknown: WebURL? = nil, onRoot: WebURL? = nil,
        openHost: HostName? = nil, forwardQuery: Bool = true, queryOverride: Bool = false,
        appendsExtraPath: Bool = false, clickDetail: ClickDetail = .full, continueTicked: Bool = false,
        ignoresSlugCase: Bool = false, schemes: [URLScheme] = [],
        corsOrigins: [String] = [],
        rules: [Rule] = [], destinations: DestinationPolicy? = nil, appearance: Appearance = Appearance(),
        firebase: FirebaseSettings? = nil, hoko: HokoSettings = HokoSettings(), servesBranch: Bool = false,
        managedBy: String? = nil
    ) {
        self.id = id
        self.name = name
        self.domains = domains
        self.baseURL = baseURL
        beforeHost = (baseURL?.scheme ?? .https).text + "://"
        behindHost = baseURL?.port.map { ":\($0)" } ?? ""
        self.ios = ios
        self.android = android
        self.windows = windows
        self.webBaseURL = webBaseURL
        self.templates = templates
        self.redirectStatus = redirectStatus
        self.onExpired = onExpired
        self.onUnknown = onUnknown
        self.onRoot = onRoot
        self.openHost = openHost
        self.forwardQuery = forwardQuery
        self.queryOverride = queryOverride
        self.appendsExtraPath = appendsExtraPath
        self.clickDetail = clickDetail
        self.continueTicked = continueTicked
        self.ignoresSlugCase = ignoresSlugCase
        self.schemes = schemes
        allowedSchemes = Self.allowedSchemes(ios, android, schemes).union(firebase?.bundleSchemes ?? [])
        self.corsOrigins = corsOrigins
        self.rules = rules
        self.destinations = destinations
        self.appearance = appearance
        self.firebase = firebase
        ownHosts = Self.ownHosts(webBaseURL, templates)
        self.hoko = hoko
        self.servesBranch = servesBranch
        self.managedBy = managedBy
    }

    static func allowedSchemes(
        _ ios: IOSIdentity?, _ android: AndroidIdentity?, _ custom: [URLScheme]
    ) -> Set<URLScheme> {
        Set(custom).union([ios?.urlScheme, android?.urlScheme].compactMap { $0 })
    }

    package static func == (one: Application, other: Application) -> Bool {
        one.id == other.id && one.name == other.name && one.domains == other.domains && one.baseURL == other.baseURL
            && one.ios == other.ios && one.android == other.android && one.windows == other.windows
            && one.webBaseURL == other.webBaseURL
            && one.templates == other.templates && one.redirectStatus == other.redirectStatus
            && one.onExpired == other.onExpired && one.onUnknown == other.onUnknown
            && one.onRoot == other.onRoot && one.openHost == other.openHost
            && one.forwardQuery == other.forwardQuery && one.queryOverride == other.queryOverride
            && one.appendsExtraPath == other.appendsExtraPath && one.ignoresSlugCase == other.ignoresSlugCase
            && one.clickDetail == other.clickDetail && one.continueTicked == other.continueTicked
            && one.schemes == other.schemes
            && one.corsOrigins == other.corsOrigins && one.rules == other.rules
            && one.destinations == other.destinations && one.appearance == other.appearance
            && one.firebase == other.firebase
            && one.hoko == other.hoko && one.servesBranch == other.servesBranch && one.managedBy == other.managedBy
    }

    /// `scheme://host`, with the port of `baseURL` if it has one.
    package func address(on host: HostName) -> String {
        var text = beforeHost
        // Reserves space for a slug, which nearly always follows.
        text.reserveCapacity(beforeHost.utf8.count + host.text.utf8.count + behindHost.utf8.count + 24)
        text += host.text
        text += behindHost
        return text
    }

    /// The same application with these values replaced.
    func with(
        baseURL: WebURL?, onExpired: WebURL?, onUnknown: WebURL?, onRoot: WebURL?, destinations: DestinationPolicy?,
        rules: [Rule]? = nil
    ) -> Application {
        Application(
            id: id, name: name, domains: domains, baseURL: baseURL, ios: ios, android: android, windows: windows,
            webBaseURL: webBaseURL,
            templates: templates, redirectStatus: redirectStatus, onExpired: onExpired, onUnknown: onUnknown,
            onRoot: onRoot, openHost: openHost, forwardQuery: forwardQuery, queryOverride: queryOverride,
            appendsExtraPath: appendsExtraPath, clickDetail: clickDetail, continueTicked: continueTicked,
            ignoresSlugCase: ignoresSlugCase, schemes: schemes,
            corsOrigins: corsOrigins, rules: rules ?? self.rules, destinations: destinations, appearance: appearance,
            firebase: firebase, hoko: hoko, servesBranch: servesBranch, managedBy: managedBy)
    }

    func with(rules: [Rule]) -> Application {
        with(
            baseURL: baseURL, onExpired: onExpired, onUnknown: onUnknown, onRoot: onRoot, destinations: destinations,
            rules: rules)
    }

    package func with(baseURL: WebURL?) -> Application {
        with(
            baseURL: baseURL, onExpired: onExpired, onUnknown: onUnknown, onRoot: onRoot, destinations: destinations)
    }
}

package struct IOSIdentity: Sendable, Equatable {
    package var urlScheme: URLScheme?
    /// Digits only.
    package var appStoreID: String?
    /// The oldest version that supports its links; nil: any.
    package var minimumVersion: AppVersion?
    /// Of its App Clip; nil: none.
    package var appClipBundleID: String?
    /// Whether smart links open the app where it is installed, so that their pages are mostly seen by people without it.
    /// False as well where an `openHost` makes no difference between them.
    package var hasUniversalLinks: Bool

    package init(
        urlScheme: URLScheme? = nil, appStoreID: String? = nil, minimumVersion: AppVersion? = nil,
        appClipBundleID: String? = nil, hasUniversalLinks: Bool = false
    ) {
        self.urlScheme = urlScheme
        self.appStoreID = appStoreID
        self.minimumVersion = minimumVersion
        self.appClipBundleID = appClipBundleID
        self.hasUniversalLinks = hasUniversalLinks
    }
}

package struct AndroidIdentity: Sendable, Equatable {
    /// The package in `intent:` and Play URLs.
    package var package: String?
    package var urlScheme: URLScheme?
    /// The oldest version that supports its links; nil: any.
    package var minimumVersion: AppVersion?
    /// The app's ID in Huawei's AppGallery: `C` and digits.
    package var appGallery: String?
    /// The package in Samsung's Galaxy Store.
    package var galaxy: String?
    /// The package or ASIN in Amazon's Appstore.
    package var amazon: String?

    package init(
        package: String? = nil, urlScheme: URLScheme? = nil, minimumVersion: AppVersion? = nil,
        appGallery: String? = nil, galaxy: String? = nil, amazon: String? = nil
    ) {
        self.package = package
        self.urlScheme = urlScheme
        self.minimumVersion = minimumVersion
        self.appGallery = appGallery
        self.galaxy = galaxy
        self.amazon = amazon
    }
}

package struct WindowsIdentity: Sendable, Equatable {
    /// The product ID in Microsoft Store.
    package var microsoft: String?

    package init(microsoft: String? = nil) { self.microsoft = microsoft }
}

/// A route with one URL pattern per platform.
package struct Template: Sendable, Equatable {
    package var name: String
    package var route: Route
    package var urls: PlatformURLs

    package init(name: String, route: Route, urls: PlatformURLs) {
        self.name = name
        self.route = route
        self.urls = urls
    }
}

extension Application {
    /// Whether Samsung's devices get another store than the rest of Android.
    package var leadsToGalaxyStore: Bool { android?.galaxy != nil && android?.package == nil }

    /// The hosts, besides `domains`, that no other application may have, sorted: `openHost`, and the host of
    /// `baseURL` if there are no domains. A loopback `baseURL` reserves nothing, because all applications on a
    /// developer's machine have it.
    package var otherHosts: [HostName] {
        var hosts: [HostName] = []
        if let openHost, !domains.contains(openHost) { hosts.append(openHost) }
        if domains.isEmpty, let host = baseURL?.host, !host.isLoopback, host != openHost { hosts.append(host) }
        return hosts.sorted { $0.text < $1.text }
    }
}

extension HostName {
    /// Whether it is a loopback name or address: `localhost` and its subdomains, 127.0.0.0/8, ::1.
    package var isLoopback: Bool {
        if text == "localhost" || text.hasSuffix(".localhost") || text == "[::1]" { return true }
        return text.hasPrefix("127.") && isAddress
    }
}

extension Application {
    /// Whether the application names an app that takes URLs of this scheme on this platform, or allows links to another's.
    package func hasApp(for scheme: URLScheme, on platform: Platform) -> Bool {
        if schemes.contains(scheme) || firebase?.bundleSchemes.contains(scheme) == true { return true }
        guard allowedSchemes.contains(scheme) else { return false }
        return platform.isApple ? ios != nil : platform == .android ? android != nil : true
    }
}

/// The appearance of an application's pages for visitors.
package struct Appearance: Sendable, Equatable {
    /// A square image, loaded by the visitor's browser; https.
    package let iconURL: WebURL?
    /// The background of the main button.
    package let accentColor: RGBColor?

    package init(iconURL: WebURL? = nil, accentColor: RGBColor? = nil) {
        self.iconURL = iconURL
        self.accentColor = accentColor
    }
}

/// An application's name in the interface: 1–64 of `A-Z a-z 0-9 - _ .`, starting and ending with a letter or digit.
package struct ApplicationID: Hashable, Sendable {
    package let text: String

    package static let rule = "must be 1 to 64 of A-Z a-z 0-9 - _ . and start and end with a letter or digit"

    /// Nil for text that violates `rule`.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), let first = bytes.first, let last = bytes.last,
            first.isAlphanumeric, last.isAlphanumeric,
            bytes.allSatisfy({
                $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        self.text = text
    }
}
