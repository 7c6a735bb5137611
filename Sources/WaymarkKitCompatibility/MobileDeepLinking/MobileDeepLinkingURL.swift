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
