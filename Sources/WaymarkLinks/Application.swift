/// An app with its iOS, Android and web identities, and the domains on which its links live.
package struct Application: Sendable, Equatable {
    package var id: ApplicationID
    package var name: String
    /// The hosts that serve this application's links; empty means every host that no application names.
    package var domains: [HostName]
    /// Where smart links are printed with: scheme, host, optional port, no path.
    package var baseURL: WebURL?
    package var ios: IOSIdentity?
    package var android: AndroidIdentity?
    package var webBaseURL: WebURL?
    package var templates: [Template]
    /// 301, 302, 307 or 308.
    package var redirectStatus: Int
    package var onExpired: WebURL?
    package var onUnknown: WebURL?
    /// A second host, in the app's associated domains, from which a page can open the app by universal link.
    package var openHost: HostName?
    package var forwardQuery: Bool
    /// Custom schemes that links may lead to besides the `urlScheme`s.
    package var schemes: [URLScheme]
    package var corsOrigins: [String]
    /// For all links of the application, behind those of the link itself.
    package var rules: [Rule]
    /// Nil: links may lead to every host.
    package var destinations: DestinationPolicy?

    package init(
        id: ApplicationID, name: String, domains: [HostName] = [], baseURL: WebURL? = nil, ios: IOSIdentity? = nil,
        android: AndroidIdentity? = nil, webBaseURL: WebURL? = nil, templates: [Template] = [],
        redirectStatus: Int = 302, onExpired: WebURL? = nil, onUnknown: WebURL? = nil, openHost: HostName? = nil,
        forwardQuery: Bool = true, schemes: [URLScheme] = [], corsOrigins: [String] = [],
        rules: [Rule] = [], destinations: DestinationPolicy? = nil
    ) {
        self.id = id
        self.name = name
        self.domains = domains
        self.baseURL = baseURL
        self.ios = ios
        self.android = android
        self.webBaseURL = webBaseURL
        self.templates = templates
        self.redirectStatus = redirectStatus
        self.onExpired = onExpired
        self.onUnknown = onUnknown
        self.openHost = openHost
        self.forwardQuery = forwardQuery
        self.schemes = schemes
        self.corsOrigins = corsOrigins
        self.rules = rules
        self.destinations = destinations
    }
}

package struct IOSIdentity: Sendable, Equatable {
    package var urlScheme: URLScheme?
    /// Digits only.
    package var appStoreID: String?
    /// The oldest version that its links work in; nil: any.
    package var minimumVersion: AppVersion?

    package init(urlScheme: URLScheme? = nil, appStoreID: String? = nil, minimumVersion: AppVersion? = nil) {
        self.urlScheme = urlScheme
        self.appStoreID = appStoreID
        self.minimumVersion = minimumVersion
    }
}

package struct AndroidIdentity: Sendable, Equatable {
    /// The package that `intent:` and Play URLs name.
    package var package: String?
    package var urlScheme: URLScheme?
    /// The oldest version that its links work in; nil: any.
    package var minimumVersion: AppVersion?

    package init(package: String? = nil, urlScheme: URLScheme? = nil, minimumVersion: AppVersion? = nil) {
        self.package = package
        self.urlScheme = urlScheme
        self.minimumVersion = minimumVersion
    }
}

/// A route with one URL pattern for each platform.
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
