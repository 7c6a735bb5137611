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
    /// `full`, `noVisitors` or `countOnly`: how much of a click is stored. Default: `full`.
    public var clickDetail: String?
    /// Whether the box "Continue where I left off" is ticked from the start. Default: false.
    public var continueTicked: Bool?
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
    /// Whose files describe it, as `waymark apply` sets it: others leave it alone.
    public var managedBy: String?

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

    private init(reading reader: inout ObjectReader) { Self.members.read(&reader, into: &self) }

    package static let members = MemberTable<ApplicationRequest> {
        Member("id", .text, \.id)
        Member("name", .text, \.name)
        Member("domains", .texts(atMost: BodyMaximum.domains), elements: \.domains)
        Member("baseURL", .text, \.baseURL)
        Member("ios", .object(IOS.members) { IOS() }, \.ios)
        Member("android", .object(Android.members) { Android() }, \.android)
        Member("windows", .object(Windows.members) { Windows() }, \.windows)
        Member("web", .object(of: "baseURL", .text), \.webBaseURL)
        Member(
            "templates",
            .objects(Template.members, atMost: BodyMaximum.templates) { Template(route: "", urls: [:]) },
            elements: \.templates)
        Member("redirectStatus", .integer, \.redirectStatus)
        Member("onExpired", .text, \.onExpired)
        Member("onUnknown", .text, \.onUnknown)
        Member("onRoot", .text, \.onRoot)
        Member("openHost", .text, \.openHost)
        Member("forwardQuery", .flag, \.forwardQuery)
        Member("queryOverride", .flag, \.queryOverride)
        Member("extraPath", .text, \.extraPath)
        Member("slugCase", .text, \.slugCase)
        Member("clickDetail", .text, \.clickDetail)
        Member("continueTicked", .flag, \.continueTicked)
        Member("schemes", .texts(atMost: BodyMaximum.schemes), elements: \.schemes)
        Member("rules", .rules, elements: \.rules)
        Member("destinations", .object(Destinations.members) { Destinations() }, \.destinations)
        Member("appearance", .object(Appearance.members) { Appearance() }, \.appearance)
        Member("firebase", .object(Firebase.members) { Firebase() }, \.firebase)
        Member("hoko", .object(Hoko.members) { Hoko() }, \.hoko)
        Member("branch", .object(of: "enabled", .flag), \.servesBranch)
        Member("cors", .object(of: "origins", .texts(atMost: BodyMaximum.origins)), elements: \.corsOrigins)
        Member("managedBy", .text, \.managedBy)
    }

    package static var shape: JSONShape { members.shape }
    /// The shape of an applications file.
    package static let fileShape = JSONShape.array(members.shape, atMost: 10_000)
}

extension ApplicationRequest.IOS {
    package static let members = MemberTable<ApplicationRequest.IOS> {
        Member("urlScheme", .text, \.urlScheme)
        Member("appStoreID", .text, \.appStoreID)
        Member("minimumVersion", .text, \.minimumVersion)
        for (name, shape) in JSONShape.appleEntry { Member(readElsewhere: name, shape) }
        Member(readElsewhere: "details", .appleDetails)
        Member(readElsewhere: "appClips", .strings(atMost: BodyMaximum.appIDs))
        Member(readElsewhere: "webCredentials", .strings(atMost: BodyMaximum.appIDs))
    }
}

extension ApplicationRequest.Android {
    package static let members = MemberTable<ApplicationRequest.Android> {
        Member("package", .text, \.package)
        Member("urlScheme", .text, \.urlScheme)
        Member("minimumVersion", .version, \.minimumVersion)
        Member("appGallery", .text, \.appGallery)
        Member("galaxy", .text, \.galaxy)
        Member("amazon", .text, \.amazon)
        Member(readElsewhere: "sha256CertFingerprints", .fingerprints)
        Member(readElsewhere: "components", .components)
        Member(readElsewhere: "apps", .androidApps)
    }
}

extension ApplicationRequest.Windows {
    package static let members = MemberTable<ApplicationRequest.Windows> { Member("microsoft", .text, \.microsoft) }
}

extension ApplicationRequest.Template {
    /// A missing route is reported and replaced by an empty one.
    package static let members = MemberTable<ApplicationRequest.Template> {
        Member("name", .text, \.name)
        Member("urls", .namedURLs, elements: \.urls)
        Member("route", .text, required: \.route)
    }
}

extension ApplicationRequest.Destinations {
    package static let members = MemberTable<ApplicationRequest.Destinations> {
        Member("allowedHosts", .texts(atMost: BodyMaximum.hostPatterns), \.allowedHosts)
        Member("blockedHosts", .texts(atMost: BodyMaximum.hostPatterns), \.blockedHosts)
    }
}

extension ApplicationRequest.Appearance {
    package static let members = MemberTable<ApplicationRequest.Appearance> {
        Member("iconURL", .text, \.iconURL)
        Member("accentColor", .text, \.accentColor)
    }
}

extension ApplicationRequest.Firebase {
    package static let members = MemberTable<ApplicationRequest.Firebase> {
        Member("enabled", .flag, \.enabled)
        Member("longLinks", .flag, \.longLinks)
        Member("apiKeys", .texts(atMost: BodyMaximum.firebaseKeys), elements: \.apiKeys)
    }
}

extension ApplicationRequest.Hoko {
    package static let members = MemberTable<ApplicationRequest.Hoko> {
        Member("enabled", .flag, \.enabled)
        Member("lazy", .flag, \.lazy)
    }
}
