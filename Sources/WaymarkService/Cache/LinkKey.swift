package import WaymarkLinks

/// Where a link stands: what a visit looks it up by.
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
