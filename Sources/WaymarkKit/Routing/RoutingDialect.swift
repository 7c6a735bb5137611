/// The points in which the HOKO SDKs for iOS and Android read the same URL differently.
///
/// `ios` is the default everywhere: it is what HOKO's documentation describes. Single points can be set, for an app that
/// wants the decoding of one and the case of the other.
public struct RoutingDialect: Sendable, Hashable {
    /// Which of several equal names, or of several default routes, counts.
    public enum Precedence: Sendable, Hashable {
        /// The first one; later ones are ignored.
        case first
        /// The last one; it replaces the others.
        case last
    }

    /// Whether `Products` and `products` are different segments. Without it letters are compared one by one by simple case
    /// folding, in routes as in URLs, and two formats that differ by case only are the same route.
    public var isCaseSensitive: Bool
    /// Whether an empty segment (`a//b`, `a/b//`) is a segment, which only a variable takes. Otherwise runs of slashes count
    /// as one. Slashes at the start, and one at the end, never count.
    public var keepsEmptySegments: Bool
    /// Whether `%2F` separates segments like a slash. Otherwise it belongs to the value.
    public var escapedSlashSeparates: Bool
    /// Which of several query items of one name counts.
    public var duplicateQueryItem: Precedence
    /// Whether a query item without `=` has the empty string for its value. Otherwise it has none.
    public var flagIsEmptyString: Bool
    /// Which of several default routes counts.
    public var duplicateDefaultRoute: Precedence
    /// Whether a link becomes the current one although no route matches it and no default route is mapped.
    public var keepsUnroutedDeeplink: Bool

    /// A dialect point by point; what is left out is as on iOS.
    public init(
        isCaseSensitive: Bool = true, keepsEmptySegments: Bool = true, escapedSlashSeparates: Bool = true,
        duplicateQueryItem: Precedence = .last, flagIsEmptyString: Bool = false,
        duplicateDefaultRoute: Precedence = .last, keepsUnroutedDeeplink: Bool = true
    ) {
        self.isCaseSensitive = isCaseSensitive
        self.keepsEmptySegments = keepsEmptySegments
        self.escapedSlashSeparates = escapedSlashSeparates
        self.duplicateQueryItem = duplicateQueryItem
        self.flagIsEmptyString = flagIsEmptyString
        self.duplicateDefaultRoute = duplicateDefaultRoute
        self.keepsUnroutedDeeplink = keepsUnroutedDeeplink
    }

    /// As HOKO's SDK for iOS reads (2.5.0). The default.
    public static let ios = RoutingDialect()

    /// As HOKO's SDK for Android reads (2.3).
    public static let android = RoutingDialect(
        isCaseSensitive: false, keepsEmptySegments: false, escapedSlashSeparates: false, duplicateQueryItem: .first,
        flagIsEmptyString: true, duplicateDefaultRoute: .first, keepsUnroutedDeeplink: false)
}
