import WaymarkBytes
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// The address of a smart link as people paste it into a search: `https://go.example.com/sale`, `go.example.com/sale+`, with a
/// query or fragment.
struct SearchedAddress {
    /// Maximum number of bytes of an address with its query and fragment.
    static let limit = 2_048

    /// May have a port.
    let host: String
    let slug: Slug

    /// Nil for a text without host and path.
    init?(_ text: String) {
        let address = Self.beginning(of: text)
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address
        guard let slash = rest.firstIndex(of: "/"),
            let decoded = PercentEncoding.decodeText(Array(rest[rest.index(after: slash)...].utf8))
        else { return nil }
        host = String(rest[..<slash])
        guard HostName(host) != nil || HostName(hostHeader: host) != nil, let slug = OpenedPath(decoded).slug else {
            return nil
        }
        self.slug = slug
    }

    /// The address without its query and fragment; nil for another text.
    static func withoutQuery(_ text: String) -> String? {
        guard text.utf8.count <= limit, SearchedAddress(text) != nil else { return nil }
        return String(beginning(of: text))
    }

    private static func beginning(of text: String) -> Substring {
        let scalars = text.unicodeScalars
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let start = scalars.firstIndex { !isSpace($0) } ?? scalars.endIndex
        let end = scalars.lastIndex { !isSpace($0) }.map { scalars.index(after: $0) } ?? start
        return Substring(scalars[start..<end].prefix { $0 != "?" && $0 != "#" })
    }
}

extension LinkLookup {
    /// The page of a listing whose `search` or `query` is the address of a link: this link alone, without looking at others.
    /// Nil if no link has the address.
    static func addressed(_ listing: LinkListing, _ call: Call, _ site: Site) async throws -> LinkPage? {
        var others = listing.filter
        let text: String
        if let search = listing.filter.search {
            text = search.text
            others.search = nil
        } else if let query = listing.filter.query {
            text = query
            others.query = nil
        } else {
            return nil
        }
        guard let address = SearchedAddress(text),
            let link = try await find(domain: address.host, slug: address.slug, call, site)
        else { return nil }
        var matches = listing.after == nil && LinkMatcher(others, at: site.now).matches(link)
        // Not a field of the link: the matcher does not know it.
        if matches, let state = others.verified {
            let found = try await site.service.verification.verifications(of: [link.id])[link.id]
            matches = found?.state == state
        }
        return LinkPage(
            links: matches ? [link] : [], next: nil,
            count: listing.counts ? LinkCount(links: matches ? 1 : 0, isLowerBound: false) : nil)
    }

    /// Whether `search` or `query` is an address on one of the applications' domains, of a link that exists or not.
    static func isAddress(_ filter: LinkFilter, _ site: Site) -> Bool {
        guard let text = filter.search?.text ?? filter.query, let address = SearchedAddress(text),
            let host = HostName(address.host) ?? HostName(hostHeader: address.host)
        else { return false }
        return site.service.applications.directory.current.applications(at: host).contains {
            $0.application.domains.contains(host)
        }
    }
}
