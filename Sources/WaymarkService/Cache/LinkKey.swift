package import WaymarkLinks

/// The key of a link in lookups: its domain and slug.
package struct LinkKey: Hashable, Sendable {
    package let domain: HostName
    package let slug: Slug

    package init(_ domain: HostName, _ slug: Slug) {
        self.domain = domain
        self.slug = slug
    }
}

extension Link {
    package var key: LinkKey { LinkKey(domain, slug) }
}
