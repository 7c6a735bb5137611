/// An application as submitted, not yet validated. Members used only by association files (app IDs, components,
/// fingerprints) are not included; they are validated where those files are generated.
package struct ApplicationDraft: Sendable, Equatable {
    package var id: String?
    package var name: String?
    package var domains: [String] = []
    package var baseURL: String?
    package var ios: IOSDraft?
    package var android: AndroidDraft?
    package var windows: WindowsDraft?
    /// `web.baseURL`.
    package var webBaseURL: String?
    package var templates: [TemplateDraft] = []
    package var redirectStatus: Int?
    package var onExpired: String?
    package var onUnknown: String?
    package var onRoot: String?
    package var openHost: String?
    package var forwardQuery: Bool?
    package var queryOverride: Bool?
    /// `append` or `unknown`.
    package var extraPath: String?
    /// `sensitive` or `insensitive`.
    package var slugCase: String?
    package var schemes: [String] = []
    /// `cors.origins`.
    package var corsOrigins: [String] = []
    package var rules: [RuleDraft] = []
    package var destinations: DestinationsDraft?
    package var appearance: AppearanceDraft?
    package var firebase: FirebaseDraft?
    package var hoko = HokoSettings()
    package var servesBranch = false

    /// Host patterns: `shop.example.com`, or `*.example.com` for all of its subdomains.
    package struct DestinationsDraft: Sendable, Equatable {
        /// Nil: any host.
        package var allowedHosts: [String]?
        package var blockedHosts: [String]?

        package init(allowedHosts: [String]? = nil, blockedHosts: [String]? = nil) {
            self.allowedHosts = allowedHosts
            self.blockedHosts = blockedHosts
        }
    }

    package struct AppearanceDraft: Sendable, Equatable {
        package var iconURL: String?
        package var accentColor: String?

        package init(iconURL: String? = nil, accentColor: String? = nil) {
            self.iconURL = iconURL
            self.accentColor = accentColor
        }
    }

    package struct IOSDraft: Sendable, Equatable {
        package var urlScheme: String?
        package var appStoreID: String?
        package var minimumVersion: String?
        package var appClipBundleID: String?
        package var hasUniversalLinks = false

        package init(urlScheme: String? = nil, appStoreID: String? = nil, minimumVersion: String? = nil) {
            self.urlScheme = urlScheme
            self.appStoreID = appStoreID
            self.minimumVersion = minimumVersion
        }
    }

    package struct AndroidDraft: Sendable, Equatable {
        package var package: String?
        package var urlScheme: String?
        package var minimumVersion: String?
        /// IDs in other stores than Google Play.
        package var appGallery, galaxy, amazon: String?

        package init(
            package: String? = nil, urlScheme: String? = nil, minimumVersion: String? = nil, appGallery: String? = nil,
            galaxy: String? = nil, amazon: String? = nil
        ) {
            self.package = package
            self.urlScheme = urlScheme
            self.minimumVersion = minimumVersion
            self.appGallery = appGallery
            self.galaxy = galaxy
            self.amazon = amazon
        }
    }

    package struct WindowsDraft: Sendable, Equatable {
        package var microsoft: String?

        package init(microsoft: String? = nil) { self.microsoft = microsoft }
    }

    package struct TemplateDraft: Sendable, Equatable {
        /// Default: the route's text.
        package var name: String?
        package var route: String
        package var urls: [String: URLEntryDraft]

        package init(name: String?, route: String, urls: [String: URLEntryDraft]) {
            self.name = name
            self.route = route
            self.urls = urls
        }
    }

    package init() {}
}
