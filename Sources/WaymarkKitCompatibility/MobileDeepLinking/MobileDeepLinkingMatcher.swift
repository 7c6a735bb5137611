import WaymarkJSON
import WaymarkKit

/// Finds the routes that fit a URL: from left to right a literal before a variable, then the order of the file.
struct MobileDeepLinkingMatcher: Sendable {
    let routes: [MobileDeepLinkingRoute]
    /// How many segments the longest route has, its host included.
    let depth: Int
    private var trie = SegmentTrie()

    init(_ routes: [MobileDeepLinkingRoute]) {
        self.routes = routes
        depth = routes.reduce(0) { max($0, $1.segments.count) }
        for (index, route) in routes.enumerated() {
            // The first segment is compared with the host as it is, colon or not.
            trie.insert(
                route.segments.enumerated().map { position, segment in
                    position > 0 && segment.utf8.first == UInt8(ascii: ":") ? .variable : .literal(ExactText(segment))
                }, entry: index)
        }
    }

    /// The first route that takes the URL, with its values.
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

/// A route that a configuration has for a URL.
public struct MobileDeepLinkingMatch: Sendable {
    /// The route.
    public let route: MobileDeepLinkingConfiguration.Route
    /// The values of path and query by name, decoded. A value of the query wins over one of the path.
    public let parameters: [String: String]
    /// How many segments were dropped from the end of the URL's path to find it; 0 where the whole URL matched.
    public let fallbackDepth: Int
}

extension MobileDeepLinkingConfiguration {
    /// Finds the route for a URL; nil where none matches, not even for a parent of its path.
    ///
    /// A route matches where its first segment is the host and the others fit the path: from left to right a literal is
    /// tried before a variable, then the order of the file counts. Items of the query count only where the route names
    /// them. A route whose required parameters are not all there, or whose regular expressions do not match the whole value
    /// (or whose value has more than 4,096 characters), does not match. Then the path is tried without its last segment,
    /// and so on down to the host; the query stays.
    ///
    /// The service's parameters (`_hk_*`) are taken off first.
    public func match(_ url: some DeepLinkURLConvertible) -> MobileDeepLinkingMatch? {
        var steps = 0
        return match(url.deepLinkURL, from: 0, steps: &steps)
    }

    /// - Parameters:
    ///   - fallbackDepth: how many segments are dropped in any case.
    ///   - steps: grows by one for every place of the routes' tree that is visited.
    func match(_ url: DeepLinkURL, from fallbackDepth: Int, steps: inout Int) -> MobileDeepLinkingMatch? {
        var rest = MobileDeepLinkingURL(url.separatingServiceParameters().url, dialect: dialect)
        let count = rest.segments.count
        // A path may be longer than any route by far, and comes from outside.
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

/// The points in which MobileDeepLinking's libraries and its specification differ.
public struct MobileDeepLinkingDialect: Sendable, Hashable {
    /// Whether a query item with an empty value (`a=`) is dropped.
    public var dropsEmptyQueryValues: Bool
    /// Whether `"required": true` counts only as the string `"true"`.
    public var ignoresBooleanRequired: Bool

    /// A dialect point by point; what is left out is as the specification means it.
    public init(dropsEmptyQueryValues: Bool = false, ignoresBooleanRequired: Bool = false) {
        self.dropsEmptyQueryValues = dropsEmptyQueryValues
        self.ignoresBooleanRequired = ignoresBooleanRequired
    }

    /// As the specification means it: empty values count, and so do booleans. The default.
    public static let specification = MobileDeepLinkingDialect()
    /// As the library for iOS does (0.2.0).
    public static let ios = MobileDeepLinkingDialect(ignoresBooleanRequired: true)
    /// As the library for Android does (0.1.2).
    public static let android = MobileDeepLinkingDialect(dropsEmptyQueryValues: true)
}

/// A URL as MobileDeepLinking reads it.
struct MobileDeepLinkingURL: Sendable {
    /// Decoded; nil where there is none or an empty one.
    let host: String?
    /// The path, decoded as a whole and cut at its slashes (`%2F` is one); empty segments do not count.
    var segments: [String]
    /// The pairs with exactly one `=`, decoded; `+` stays.
    let queryItems: [(name: String, value: String)]

    init(_ url: DeepLinkURL, dialect: MobileDeepLinkingDialect) {
        let host = url.host.map { PercentEncoding.decoded($0) } ?? ""
        self.host = host.isEmpty ? nil : host
        segments = url.segments.flatMap { segment in
            PercentEncoding.decoded(segment)[...].split(at: UInt8(ascii: "/")).filter { !$0.isEmpty }.map { String($0) }
        }
        queryItems = Self.items(of: url, dialect: dialect)
    }

    static func items(of url: DeepLinkURL, dialect: MobileDeepLinkingDialect) -> [(name: String, value: String)] {
        url.queryItems.compactMap { item in
            guard let value = item.value, !value.utf8.contains(UInt8(ascii: "=")) else { return nil }
            if dialect.dropsEmptyQueryValues, value.isEmpty { return nil }
            return (PercentEncoding.decoded(item.name), PercentEncoding.decoded(value))
        }
    }
}
