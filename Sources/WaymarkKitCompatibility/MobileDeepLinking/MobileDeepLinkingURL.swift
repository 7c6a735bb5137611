import WaymarkKit

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

extension DeepLinkURL {
    /// One step of MobileDeepLinking's way to the parent: the last segment of the path is dropped, with the slashes around
    /// it; where there is none, the host. The query stays, a fragment, user and port go. The text is not decoded on the way.
    func trimmedToParent() -> DeepLinkURL {
        let segments = segments.filter { !$0.isEmpty }
        // A path of slashes only is a step of its own, and the host stays.
        let host = path.isEmpty ? "" : host ?? ""
        let path = segments.dropLast().map { "/" + $0 }.joined()
        return DeepLinkURL(scheme: scheme, authority: host, path: path, query: query)
    }
}
