import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks

/// The host, slug and query of a smart link's URL.
struct SmartlinkAddress {
    let host: HostName
    let slug: Slug
    /// The query without `?`.
    let query: String?

    /// Nil for a URL that can't be a link's.
    init?(_ url: WebURL) {
        guard let host = url.host, url.path.hasPrefix("/"), let slug = Self.slug(url.path) else { return nil }
        self.host = host
        self.slug = slug
        query = url.query
    }

    /// The whole path, decoded once.
    private static func slug(_ path: String) -> Slug? {
        let bytes = Array(path.utf8)
        return PercentEncoding.decodeText(bytes.span, ByteRange(1, bytes.count)).flatMap { Slug($0) }
    }
}
