import WaymarkKit

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
