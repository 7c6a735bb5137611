/// The contents of `MobileDeepLinkingConfig.json`: the URLs, the handlers they run and the views they show.
///
/// A configuration is a value; finding a route for a URL (`match(_:)`) has no side effects and may be done on any
/// thread. `MobileDeepLinking` runs handlers and presents views.
public struct MobileDeepLinkingConfiguration: Sendable {
    /// A route: its path, handlers, view and parameters.
    public struct Route: Sendable {
        /// The path: a host followed by segments; those that begin with `:` are variables (`sales/:saleId`). Empty
        /// for the default route.
        public let pattern: String
        /// The view's class; nil if not configured.
        public let className: String?
        /// The view's identifier in its storyboard, or the name of its nib; nil if not configured.
        public let identifier: String?
        /// The route's storyboard; nil to use the configuration's.
        public let storyboard: Storyboard?
        /// The names of the handlers to run, in order.
        public let handlers: [String]
        /// The route's parameters, in the order of the file. Variables of the path need not be listed.
        public let parameters: [Parameter]
    }

    /// A parameter of the path or of the query.
    public struct Parameter: Sendable {
        /// The name, as in the path (without the colon) or in the query (decoded).
        public let name: String
        /// Whether URLs without it do not match. Default: false.
        public let isRequired: Bool
        /// A regular expression that must match the whole value; nil to accept any value.
        public let regex: String?
    }

    /// The names of storyboards per kind of device.
    public struct Storyboard: Sendable, Hashable {
        /// The storyboard on iPhones, and on iPads if `iPad` is nil.
        public let iPhone: String?
        /// The storyboard on iPads.
        public let iPad: String?

        /// The name for a device; nil if there is none.
        public func name(on device: MobileDeepLinkingDevice) -> String? {
            switch device {
            case .iPhone: iPhone
            case .iPad: iPad ?? iPhone
            }
        }
    }

    /// Which member of an object counts if two have the same name. The others are among the `warnings`.
    public enum RepeatedMembers: Sendable, Hashable {
        /// None: the file is refused.
        case refused
        /// The first, which the original library's own example relies on.
        case first
        /// The last, as in most JSON readers.
        case last
    }

    /// Whether `MobileDeepLinking` logs its decisions. Default: false.
    public let logging: Bool
    /// The storyboard of routes without one of their own; nil if there is none.
    public let storyboard: Storyboard?
    /// The route taken if no other matches; nil if the app should just open.
    public let defaultRoute: Route?
    /// The routes in the order of the file.
    public let routes: [Route]
    /// Probably unintended settings: routes that no URL can match, and members that don't count. In the order of the
    /// file.
    public let warnings: [MobileDeepLinkingProblem]
    /// The rules for reading URLs.
    public let dialect: MobileDeepLinkingDialect

    let matcher: MobileDeepLinkingMatcher

    /// Without routes.
    static let empty = MobileDeepLinkingConfiguration(
        logging: false, storyboard: nil, defaultRoute: nil, matcher: MobileDeepLinkingMatcher([]), warnings: [],
        dialect: .specification)

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

    /// Parses the file strictly and reports all problems at once, with line and column.
    ///
    /// The text must be one JSON object (RFC 8259) without comments. Every key must be in the
    /// specification and have its type; `logging` and `required` are booleans, or the strings `"true"` and `"false"`
    /// that the original libraries expect. A `regex` must be in the subset that is matched in linear time: no
    /// backreferences or lookaround, at most 1,000 characters, and at most 2,000 instructions with counted
    /// repetitions expanded. The size of the file is not limited.
    ///
    /// Throws `MobileDeepLinkingConfigurationError` with at most 100 problems.
    ///
    /// - Parameters:
    ///   - json: the contents of the file, UTF-8.
    ///   - dialect: the rules for reading URLs and the file. Default: the specification's.
    ///   - ignoresUnknownKeys: whether keys that are not in the specification are ignored, as in the original
    ///     libraries. Default: false, they are errors.
    ///   - repeatedMembers: which member counts if an object has two with one name. Default: none, it is an error.
    public init(
        json: [UInt8], dialect: MobileDeepLinkingDialect = .specification, ignoresUnknownKeys: Bool = false,
        repeatedMembers: RepeatedMembers = .refused
    ) throws(MobileDeepLinkingConfigurationError) {
        var reader = try MobileDeepLinkingReader(
            json, dialect: dialect, ignoresUnknownKeys: ignoresUnknownKeys, repeatedMembers: repeatedMembers)
        self = try reader.configuration()
    }

    /// The view of a route on a device: from the storyboard if there is one and the route has an identifier;
    /// otherwise from the nib with that name if the route also has a class; otherwise by its class; nil if it has
    /// none of these.
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
