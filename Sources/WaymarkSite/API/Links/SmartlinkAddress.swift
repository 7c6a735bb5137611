import WaymarkHTTP
import WaymarkLinks

/// The host and path of a smart link's URL, and what follows its slug.
struct SmartlinkAddress {
    let host: HostName
    let path: OpenedPath.Target
    private let query: String?
    private let fragment: String?

    /// Nil for a URL that can't be a link's.
    init?(_ url: WebURL) {
        guard let host = url.host, url.path.hasPrefix("/") else { return nil }
        self.host = host
        path = OpenedPath.Target(url.path.dropFirst(), takesPlus: false)
        query = url.query
        fragment = url.fragment
    }

    /// The whole path as a slug; nil if it is none.
    var slug: Slug? { path.slug }

    /// What follows the slug of this reading.
    func opened(_ reading: OpenedPath.Reading) -> OpenedSuffix {
        OpenedSuffix(path: reading.path, query: query, fragment: fragment)
    }
}
