package import WaymarkJSON

/// An application as submitted: the body of `PUT /api/v1/apps/{id}` and one element of an applications file.
///
/// Only the shape is checked here, and for `ios` and `android` only the members used by links: those used by
/// association files (`appIDs`, `components`, `sha256CertFingerprints`…) are read from the document elsewhere.
public struct ApplicationRequest: Sendable, Hashable {
    public var id: String?
    public var name: String?
    public var domains: [String] = []
    public var baseURL: String?
    public var ios: IOS?
    public var android: Android?
    public var windows: Windows?
    public var webBaseURL: String?
    public var templates: [Template] = []
    public var redirectStatus: Int?
    public var onExpired: String?
    public var onUnknown: String?
    public var onRoot: String?
    public var openHost: String?
    public var forwardQuery: Bool?
    /// Whether a parameter of the click replaces the link's own with the same name. Default: false.
    public var queryOverride: Bool?
    /// `append`: a path behind a slug is appended to the destination. Default: `unknown`.
    public var extraPath: String?
    /// `insensitive`: slugs are looked up without regard to case. Default: `sensitive`.
    public var slugCase: String?
    public var schemes: [String] = []
    public var corsOrigins: [String] = []
    /// Rules for all links of the application, evaluated after the link's own.
    public var rules: [RuleRequest] = []
    /// The allowed destinations; nil for any host.
    public var destinations: Destinations?
    public var appearance: Appearance?
    /// Whether Firebase Dynamic Links are served.
    public var firebase: Firebase?
    public var hoko: Hoko?
    /// `branch.enabled`: whether long links of Branch are served on its domains. Default: false.
    public var servesBranch: Bool?

    /// HOKO's REST API, for apps that still have its SDK.
    public struct Hoko: Sendable, Hashable {
        public var enabled: Bool?
        /// Whether `/lazy?uri=` creates links.
        public var lazy: Bool?
    }

    /// The appearance of pages for visitors.
    public struct Appearance: Sendable, Hashable {
        /// An https URL of a square image.
        public var iconURL: String?
        /// `#rrggbb`.
        public var accentColor: String?

        public init(iconURL: String? = nil, accentColor: String? = nil) {
            self.iconURL = iconURL
            self.accentColor = accentColor
        }
    }

    /// Firebase Dynamic Links: the REST API, long links, and the Google API keys that apps send.
    public struct Firebase: Sendable, Hashable {
        public var enabled: Bool?
        public var longLinks: Bool?
        public var apiKeys: [String] = []
    }

    public struct IOS: Sendable, Hashable {
        public var urlScheme: String?
        public var appStoreID: String?
        public var minimumVersion: String?
    }

    public struct Android: Sendable, Hashable {
        public var package: String?
        public var urlScheme: String?
        public var minimumVersion: String?
        /// IDs in other stores than Google Play.
        public var appGallery, galaxy, amazon: String?
    }

    public struct Windows: Sendable, Hashable {
        /// The product ID in Microsoft Store.
        public var microsoft: String?
    }

    /// Host patterns: `shop.example.com`, or `*.example.com` for all of its subdomains.
    public struct Destinations: Sendable, Hashable {
        /// Nil allows every host.
        public var allowedHosts: [String]?
        public var blockedHosts: [String]?
    }

    /// A route with its platform-specific URLs.
    public struct Template: Sendable, Hashable {
        public var name: String?
        public var route: String
        public var urls: [String: URLEntryRequest]
    }

    package init() {}

    public init(json: [UInt8]) throws(BodyError) {
        try self.init(try ObjectReader.document(json, shape: Self.shape))
    }

    package init(_ document: JSONDocument, _ value: JSONValue? = nil) throws(BodyError) {
        self = try ObjectReader.body(document, value) { ApplicationRequest(reading: &$0) }
    }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(
        _ document: JSONDocument, _ value: JSONValue? = nil
    ) -> (body: ApplicationRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document, value) { ApplicationRequest(reading: &$0) }
    }

    private init(reading reader: inout ObjectReader) {
        id = reader.string("id")
        name = reader.string("name")
        domains = reader.strings("domains") ?? []
        baseURL = reader.string("baseURL")
        ios = reader.object("ios") { IOS(reading: &$0) }
        android = reader.object("android") { Android(reading: &$0) }
        windows = reader.object("windows") { Windows(microsoft: $0.string("microsoft")) }
        webBaseURL = reader.object("web") { $0.string("baseURL") } ?? nil
        templates =
            reader.objects("templates", instead: Template(route: "", urls: [:])) { Template(reading: &$0) } ?? []
        redirectStatus = reader.integer("redirectStatus")
        onExpired = reader.string("onExpired")
        onUnknown = reader.string("onUnknown")
        onRoot = reader.string("onRoot")
        openHost = reader.string("openHost")
        forwardQuery = reader.bool("forwardQuery")
        queryOverride = reader.bool("queryOverride")
        extraPath = reader.string("extraPath")
        slugCase = reader.string("slugCase")
        schemes = reader.strings("schemes") ?? []
        rules = reader.rules("rules") ?? []
        destinations = reader.object("destinations") {
            Destinations(allowedHosts: $0.strings("allowedHosts"), blockedHosts: $0.strings("blockedHosts"))
        }
        appearance = reader.object("appearance") {
            Appearance(iconURL: $0.string("iconURL"), accentColor: $0.string("accentColor"))
        }
        firebase = reader.object("firebase") {
            Firebase(
                enabled: $0.bool("enabled"), longLinks: $0.bool("longLinks"), apiKeys: $0.strings("apiKeys") ?? [])
        }
        hoko = reader.object("hoko") { Hoko(enabled: $0.bool("enabled"), lazy: $0.bool("lazy")) }
        servesBranch = reader.object("branch") { $0.bool("enabled") } ?? nil
        corsOrigins = (reader.object("cors") { $0.strings("origins") } ?? nil) ?? []
    }
}

extension ApplicationRequest.IOS {
    init(reading reader: inout ObjectReader) {
        urlScheme = reader.string("urlScheme")
        appStoreID = reader.string("appStoreID")
        minimumVersion = reader.string("minimumVersion")
        for name in ["appIDs", "components", "paths", "details", "appClips", "webCredentials"] {
            reader.noteCounts(in: name)
        }
    }
}

extension ApplicationRequest.Android {
    init(reading reader: inout ObjectReader) {
        package = reader.string("package")
        urlScheme = reader.string("urlScheme")
        minimumVersion = reader.version("minimumVersion")
        appGallery = reader.string("appGallery")
        galaxy = reader.string("galaxy")
        amazon = reader.string("amazon")
        for name in ["sha256CertFingerprints", "components", "apps"] { reader.noteCounts(in: name) }
    }
}

extension ApplicationRequest.Template {
    /// A missing route is reported and replaced by an empty one.
    init(reading reader: inout ObjectReader) {
        name = reader.string("name")
        urls = reader.urls("urls") ?? [:]
        if reader.value("route") == nil { reader.reject("route", "is missing") }
        route = reader.string("route") ?? ""
    }
}
