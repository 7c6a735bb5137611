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
}

package struct IOSIdentity: Sendable, Equatable {
    package var urlScheme: URLScheme?
    package var appStoreID: String?
}

package struct AndroidIdentity: Sendable, Equatable {
    /// The package that `intent:` and Play URLs name.
    package var package: String?
    package var urlScheme: URLScheme?
}

/// A route with one URL pattern for each platform.
package struct Template: Sendable, Equatable {
    package var name: String
    package var route: Route
    package var urls: PlatformURLs
}
