import WaymarkBytes
import WaymarkJSON

/// The rules for reading the segments and the query of a URL.
///
/// `standard` is the default everywhere. The dialects of HOKO's SDKs of 2015 are `ios` and `android` in
/// WaymarkKitCompatibility. Each rule can be set separately.
public struct RoutingDialect: Sendable, Hashable {
    /// Which of several duplicate names or default routes wins.
    public enum Precedence: Sendable, Hashable {
        /// The first wins; later ones are ignored.
        case first
        /// The last wins and replaces the others.
        case last
    }

    /// Whether `Products` and `products` are different segments. If not, routes and URLs are compared by simple case
    /// folding, and two formats that differ only by case are the same route.
    public var isCaseSensitive: Bool
    /// Whether an empty segment (`a//b`, `a/b//`) counts as a segment, which only a variable matches. Otherwise a run
    /// of slashes counts as one. Leading slashes and one trailing slash never count.
    public var keepsEmptySegments: Bool
    /// Whether `%2F` separates segments like a slash. Otherwise it is part of the value.
    public var escapedSlashSeparates: Bool
    /// Which of several query items with the same name wins.
    public var duplicateQueryItem: Precedence
    /// Whether the value of a query item without `=` is the empty string. Otherwise it has no value.
    public var flagIsEmptyString: Bool
    /// Which of several default routes wins.
    public var duplicateDefaultRoute: Precedence
    /// Whether a link becomes the current one even if no route matches it and there is no default route.
    public var keepsUnroutedDeeplink: Bool

    /// Creates a dialect; omitted arguments are those of `standard`.
    public init(
        isCaseSensitive: Bool = true, keepsEmptySegments: Bool = true, escapedSlashSeparates: Bool = false,
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

    /// RFC 3986: `%2F` is data (section 2.2), `a//b` has an empty segment (section 3.3). Of items with the same name
    /// the last wins, an item without `=` has no value, and one trailing slash does not count. The default.
    public static let standard = RoutingDialect()
}

extension RoutingDialect {
    /// The decoded segments that are matched with routes: the host first, then the path. Nil if the URL has no
    /// scheme, or only slashes after it: such a URL matches no route.
    ///
    /// `shop://a/b`, `shop:///a/b` and `shop:a/b` have the same segments; user, port and fragment are ignored.
    func segments(of url: DeepLinkURL) -> [String]? {
        guard url.scheme != nil else { return nil }
        let slash = UInt8(ascii: "/")
        let path = (url.host ?? "") + url.path
        var rest = path[...]
        while rest.utf8.first == slash { rest = rest[rest.utf8.index(after: rest.startIndex)...] }
        if rest.utf8.last == slash { rest = rest[..<rest.utf8.index(before: rest.endIndex)] }
        guard !rest.isEmpty else { return nil }

        var segments = rest.split(at: slash).map { PercentEncoding.decodeWholeText($0) }
        if escapedSlashSeparates, path.utf8.contains(UInt8(ascii: "%")) {
            segments = segments.flatMap { segment in
                segment[...].split(at: slash).map { String($0) }
            }
        }
        if !keepsEmptySegments { segments.removeAll(where: \.isEmpty) }
        return segments.isEmpty ? nil : segments
    }

    /// The query as decoded names and values, with `+` as a space.
    func queryParameters(of url: DeepLinkURL) -> QueryParameters {
        var parameters = QueryParameters()
        for item in url.queryItems {
            let name = PercentEncoding.decodeWholeText(item.name, plusIsSpace: true)
            if duplicateQueryItem == .first, parameters.contains(name) { continue }
            let value = item.value.map { PercentEncoding.decodeWholeText($0, plusIsSpace: true) }
            parameters.set(name, value ?? (flagIsEmptyString ? "" : nil))
        }
        return parameters
    }

    /// The form in which segments and formats are compared.
    func comparable(_ text: String) -> ExactText {
        isCaseSensitive ? ExactText(text) : ExactText(CaseFolding.folded(text))
    }
}

/// Case-insensitive comparison, scalar by scalar.
enum CaseFolding {
    /// Maps every scalar to upper and then lower case if the result is one scalar (simple case mapping, Unicode,
    /// section 4.2), like Java's `compareToIgnoreCase`. So `ß` is not `ss`, and the number of scalars is unchanged.
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
