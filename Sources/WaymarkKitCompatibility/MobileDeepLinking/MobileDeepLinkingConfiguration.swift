/// What `MobileDeepLinkingConfig.json` says: which URLs there are, which handlers they run and which views they show.
///
/// A configuration is a value; finding a route for a URL (`match(_:)`) changes nothing and may be done from anywhere.
/// `MobileDeepLinking` runs handlers and asks for views.
public struct MobileDeepLinkingConfiguration: Sendable {
    /// What a route leads to and what it takes from a URL.
    public struct Route: Sendable {
        /// The path: a host, then segments, of which those that begin with `:` are variables (`sales/:saleId`).
        /// Empty for the default route.
        public let pattern: String
        /// The view's class; nil where the configuration names none.
        public let className: String?
        /// The view's identifier in its storyboard, or the name of its nib; nil where the configuration names none.
        public let identifier: String?
        /// The storyboard of this route; nil where the configuration's own counts.
        public let storyboard: Storyboard?
        /// The names of the handlers to run, in order.
        public let handlers: [String]
        /// The parameters that the route knows, in the order of the file. Variables of the path need none.
        public let parameters: [Parameter]
    }

    /// A parameter of the path or of the query.
    public struct Parameter: Sendable {
        /// Its name, as in the path (without the colon) or in the query (decoded).
        public let name: String
        /// Whether a URL without it does not match. False by default.
        public let isRequired: Bool
        /// A regular expression that the whole value must match; nil where any value will do.
        public let regex: String?
    }

    /// The names of storyboards for the kinds of device.
    public struct Storyboard: Sendable, Hashable {
        /// On iPhones, and on iPads where those have none of their own.
        public let iPhone: String?
        /// On iPads.
        public let iPad: String?

        /// The name for a device; nil where there is none.
        public func name(on device: MobileDeepLinkingDevice) -> String? {
            switch device {
            case .iPhone: iPhone
            case .iPad: iPad ?? iPhone
            }
        }
    }

    /// Whether `MobileDeepLinking` logs what it does. False by default.
    public let logging: Bool
    /// The storyboard of routes that name none; nil where there is none.
    public let storyboard: Storyboard?
    /// What is shown where no route matches; nil where the app just opens.
    public let defaultRoute: Route?
    /// The routes in the order of the file.
    public let routes: [Route]
    /// What is allowed and surely not meant: routes that no URL can ever match. In the order of the file.
    public let warnings: [MobileDeepLinkingProblem]
    /// How URLs are read.
    public let dialect: MobileDeepLinkingDialect

    let matcher: MobileDeepLinkingMatcher

    init(
        logging: Bool, storyboard: Storyboard?, defaultRoute: Route?, matcher: MobileDeepLinkingMatcher,
        warnings: [MobileDeepLinkingProblem], dialect: MobileDeepLinkingDialect
    ) {
        self.logging = logging
        self.storyboard = storyboard
        self.defaultRoute = defaultRoute
        self.routes = matcher.routes.map(\.route)
        self.matcher = matcher
        self.warnings = warnings
        self.dialect = dialect
    }

    /// Reads the file strictly, and names everything that is wrong with it at once, by line and column.
    ///
    /// The text must be one JSON object (RFC 8259): no comments, no name twice. Every key must be one that the
    /// specification has and of its type; `logging` and `required` are booleans, or the strings `"true"` and `"false"`
    /// that the original libraries want. A `regex` must be of the subset that is matched in linear time: no references to
    /// groups, no looking around; at most 1,000 characters, and no more than 2,000 places with counted repetitions written
    /// out. There is no limit to the size of the file.
    ///
    /// Throws `MobileDeepLinkingConfigurationError` with at most 100 problems.
    ///
    /// - Parameters:
    ///   - json: the contents of the file, UTF-8.
    ///   - dialect: how URLs and the file are read; as the specification means it by default.
    ///   - ignoresUnknownKeys: whether keys that the specification has not are passed over, as the original libraries do.
    ///     By default they are errors.
    public init(
        json: [UInt8], dialect: MobileDeepLinkingDialect = .specification, ignoresUnknownKeys: Bool = false
    ) throws(MobileDeepLinkingConfigurationError) {
        var reader = try MobileDeepLinkingReader(json, dialect: dialect, ignoresUnknownKeys: ignoresUnknownKeys)
        self = try reader.configuration()
    }

    /// The view that a route shows on a device: from the storyboard where there is one and the route has an identifier; else
    /// from the nib of that name where the route has a class, too; else by its class; nil where it has none of these.
    public func view(of route: Route, on device: MobileDeepLinkingDevice) -> MobileDeepLinkingView? {
        if let identifier = route.identifier {
            if let name = (route.storyboard ?? storyboard)?.name(on: device) {
                return .storyboard(name: name, identifier: identifier, className: route.className)
            }
            return route.className.map { .nib(name: identifier, className: $0) }
        }
        return route.className.map { .code(className: $0) }
    }
}
