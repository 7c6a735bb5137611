import WaymarkBytes
import WaymarkJSON
import WaymarkKit

/// Finds the routes that match a URL: from left to right a literal before a variable, then in the order of the file.
struct MobileDeepLinkingMatcher: Sendable {
    let routes: [MobileDeepLinkingRoute]
    /// The number of segments of the longest route, including its host.
    let depth: Int
    private var trie = SegmentTrie()

    init(_ routes: [MobileDeepLinkingRoute]) {
        self.routes = routes
        depth = routes.reduce(0) { max($0, $1.segments.count) }
        for (index, route) in routes.enumerated() {
            // The first segment is compared with the host literally, even if it begins with a colon.
            trie.insert(
                route.segments.enumerated().map { position, segment in
                    position > 0 && segment.utf8.first == UInt8(ascii: ":") ? .variable : .literal(ExactText(segment))
                }, entry: index)
        }
    }

    /// The first route that matches the URL, with its values.
    func match(_ url: MobileDeepLinkingURL, steps: inout Int) -> (
        route: MobileDeepLinkingRoute, values: [String: String]
    )? {
        guard let host = url.host else { return nil }
        var found: (MobileDeepLinkingRoute, [String: String])?
        trie.walk([ExactText(host)] + url.segments.map(ExactText.init), steps: &steps) { index in
            guard let values = routes[index].values(in: url) else { return false }
            found = (routes[index], values)
            return true
        }
        return found
    }
}

/// The route of a URL.
public struct MobileDeepLinkingMatch: Sendable {
    /// The route.
    public let route: MobileDeepLinkingConfiguration.Route
    /// The decoded values of path and query by name. The query takes precedence over the path.
    public let parameters: [String: String]
    /// The number of segments dropped from the end of the URL's path; 0 if the whole URL matched.
    public let fallbackDepth: Int
}

extension MobileDeepLinkingConfiguration {
    /// Finds the route for a URL; nil if none matches the URL or a parent of its path.
    ///
    /// A route matches if its first segment is the host and the others match the path: from left to right a literal
    /// is tried before a variable, then in the order of the file. Query items only count if the route lists them. A
    /// route does not match if a required parameter is missing, or if a regular expression does not match the whole
    /// value (or the value has more than 4,096 characters). If no route matches, the last segment of the path is
    /// dropped and the rest is tried, down to the host; the query is kept.
    ///
    /// The service's parameters (`_hk_*`) are removed first.
    public func match(_ url: some DeepLinkURLConvertible) -> MobileDeepLinkingMatch? {
        var steps = 0
        return match(url.deepLinkURL, from: 0, steps: &steps)
    }

    /// - Parameters:
    ///   - fallbackDepth: the minimum number of segments to drop.
    ///   - steps: incremented for every node of the trie visited.
    func match(_ url: DeepLinkURL, from fallbackDepth: Int, steps: inout Int) -> MobileDeepLinkingMatch? {
        var rest = MobileDeepLinkingURL(url.separatingServiceParameters().url, dialect: dialect)
        let count = rest.segments.count
        // The path is untrusted and may be far longer than any route.
        let longest = min(count - fallbackDepth, matcher.depth - 1)
        guard longest >= 0 else { return nil }
        for kept in stride(from: longest, through: 0, by: -1) {
            rest.segments.removeLast(rest.segments.count - kept)
            if let (route, values) = matcher.match(rest, steps: &steps) {
                return MobileDeepLinkingMatch(
                    route: route.route, parameters: values, fallbackDepth: count - kept)
            }
        }
        return nil
    }
}

/// The differences between MobileDeepLinking's libraries and its specification.
public struct MobileDeepLinkingDialect: Sendable, Hashable {
    /// Whether a query item with an empty value (`a=`) is dropped.
    public var dropsEmptyQueryValues: Bool
    /// Whether `"required": true` is ignored and only the string `"true"` counts.
    public var ignoresBooleanRequired: Bool

    /// Creates a dialect; omitted arguments follow the specification.
    public init(dropsEmptyQueryValues: Bool = false, ignoresBooleanRequired: Bool = false) {
        self.dropsEmptyQueryValues = dropsEmptyQueryValues
        self.ignoresBooleanRequired = ignoresBooleanRequired
    }

    /// The specification: empty values and booleans count. The default.
    public static let specification = MobileDeepLinkingDialect()
    /// The rules of the library for iOS (0.2.0).
    public static let ios = MobileDeepLinkingDialect(ignoresBooleanRequired: true)
    /// The rules of the library for Android (0.1.2).
    public static let android = MobileDeepLinkingDialect(dropsEmptyQueryValues: true)
}

/// A URL as parsed by MobileDeepLinking.
struct MobileDeepLinkingURL: Sendable {
    /// Decoded; nil if missing or empty.
    let host: String?
    /// The path, decoded as a whole and then split at slashes (including `%2F`); empty segments are ignored.
    var segments: [String]
    /// The pairs with exactly one `=`, decoded; `+` is unchanged.
    let queryItems: [(name: String, value: String)]

    init(_ url: DeepLinkURL, dialect: MobileDeepLinkingDialect) {
        let host = url.host.map { PercentEncoding.decodeWholeText($0) } ?? ""
        self.host = host.isEmpty ? nil : host
        segments = url.segments.flatMap { segment in
            PercentEncoding.decodeWholeText(segment)[...].split(at: UInt8(ascii: "/")).filter { !$0.isEmpty }.map {
                String($0)
            }
        }
        queryItems = Self.items(of: url, dialect: dialect)
    }

    static func items(of url: DeepLinkURL, dialect: MobileDeepLinkingDialect) -> [(name: String, value: String)] {
        url.queryItems.compactMap { item in
            guard let value = item.value, !value.utf8.contains(UInt8(ascii: "=")) else { return nil }
            if dialect.dropsEmptyQueryValues, value.isEmpty { return nil }
            return (PercentEncoding.decodeWholeText(item.name), PercentEncoding.decodeWholeText(value))
        }
    }
}
