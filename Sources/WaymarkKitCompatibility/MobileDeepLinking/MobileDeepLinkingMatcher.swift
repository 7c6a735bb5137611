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
