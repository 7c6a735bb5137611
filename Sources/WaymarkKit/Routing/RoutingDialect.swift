import WaymarkJSON

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

extension RoutingDialect {
    /// The segments that routes are compared with, decoded: the host first, then the path. Nil where the URL has no scheme
    /// or nothing but slashes behind it: such a URL matches no route.
    ///
    /// `shop://a/b`, `shop:///a/b` and `shop:a/b` have the same segments; user, port and fragment do not count.
    func segments(of url: DeepLinkURL) -> [String]? {
        guard url.scheme != nil else { return nil }
        let slash = UInt8(ascii: "/")
        let path = (url.host ?? "") + url.path
        var rest = path[...]
        while rest.utf8.first == slash { rest = rest[rest.utf8.index(after: rest.startIndex)...] }
        if rest.utf8.last == slash { rest = rest[..<rest.utf8.index(before: rest.endIndex)] }
        guard !rest.isEmpty else { return nil }

        var segments = rest.split(at: slash).map { PercentEncoding.decoded($0) }
        if escapedSlashSeparates, path.utf8.contains(UInt8(ascii: "%")) {
            segments = segments.flatMap { segment in
                segment[...].split(at: slash).map { String($0) }
            }
        }
        if !keepsEmptySegments { segments.removeAll(where: \.isEmpty) }
        return segments.isEmpty ? nil : segments
    }

    /// The query as names and values, decoded, with `+` for a space.
    func queryParameters(of url: DeepLinkURL) -> QueryParameters {
        var parameters = QueryParameters()
        for item in url.queryItems {
            let name = PercentEncoding.decoded(item.name, plusIsSpace: true)
            if duplicateQueryItem == .first, parameters.contains(name) { continue }
            let value = item.value.map { PercentEncoding.decoded($0, plusIsSpace: true) }
            parameters.set(name, value ?? (flagIsEmptyString ? "" : nil))
        }
        return parameters
    }

    /// The form in which two segments, or two formats, are compared.
    func comparable(_ text: String) -> ExactText {
        isCaseSensitive ? ExactText(text) : ExactText(CaseFolding.folded(text))
    }
}

/// Comparison without regard to case, letter by letter.
enum CaseFolding {
    /// Every scalar in upper and then in lower case, where that is one scalar (simple case mapping, Unicode, section 4.2):
    /// the rule of Java's `compareToIgnoreCase`. So `ß` is not `ss`, and a text keeps its length in scalars.
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let upper = single(scalar.properties.uppercaseMapping) ?? scalar
            folded.append(single(upper.properties.lowercaseMapping) ?? upper)
        }
        return String(folded)
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
