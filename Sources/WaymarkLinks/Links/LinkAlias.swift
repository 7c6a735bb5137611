import WaymarkBytes

/// A further address of a link.
package struct LinkAlias: Hashable, Sendable {
    /// Nil: the domain of the link.
    package var domain: HostName?
    package var slug: Slug

    package init(_ slug: Slug, on domain: HostName? = nil) {
        self.domain = domain
        self.slug = slug
    }

    /// `sale` or `go.example.com/sale`, as the API and exports write it for a link of the domain. A slug that could be
    /// read as both, such as `sale.de/tv`, has its domain in front, and a domain without a dot two slashes.
    package func text(of linkDomain: HostName) -> String {
        guard domain != nil || LinkAlias.split(slug.text) != nil else { return slug.text }
        let name = (domain ?? linkDomain).text
        return (name.utf8.contains(UInt8(ascii: ".")) ? "" : "//") + "\(name)/\(slug.text)"
    }

    /// Reads what `text(of:)` writes; nil if it is no slug, with or without a domain.
    package init?(_ text: String, of linkDomain: HostName) {
        let named = LinkAlias.split(text)
        guard let slug = Slug(named?.slug ?? text) else { return nil }
        self.init(slug, on: named?.domain == linkDomain ? nil : named?.domain)
    }

    /// Two slashes, which no slug begins with, precede a domain.
    package var stored: String { domain.map { "//\($0.text)/\(slug.text)" } ?? slug.text }

    package init?(stored text: String) {
        let named = text.hasPrefix("//") ? LinkAlias.split(text) : nil
        guard let slug = Slug(named?.slug ?? text) else { return nil }
        self.init(slug, on: named?.domain)
    }

    private static func split(_ text: String) -> (domain: HostName, slug: String)? {
        let isNamed = text.hasPrefix("//")
        let address = text.utf8.dropFirst(isNamed ? 2 : 0)
        let name = address.prefix { $0 != UInt8(ascii: "/") }
        guard name.count < address.count, name.count <= HostName.maximumLength + 2,
            isNamed || name.contains(UInt8(ascii: ".")), let domain = HostName(String(Substring(name)))
        else { return nil }
        return (domain, String(Substring(address.dropFirst(name.count + 1))))
    }
}

/// Where a link is found.
package struct LinkAddress: Hashable, Sendable {
    package var domain: HostName
    package var slug: Slug

    package init(domain: HostName, slug: Slug) {
        self.domain = domain
        self.slug = slug
    }

    package var text: String { "\(domain.text)/\(slug.text)" }
}

extension LinkContent {
    /// The further addresses of a link of the domain.
    package func furtherAddresses(of domain: HostName) -> [LinkAddress] {
        self.aliases.map { LinkAddress(domain: $0.domain ?? domain, slug: $0.slug) }
    }
}

extension Link {
    /// The slug and the aliases, each with its domain.
    package var addresses: [LinkAddress] {
        [LinkAddress(domain: domain, slug: slug)] + content.furtherAddresses(of: domain)
    }

    /// That of the addresses whose slug differs from this one in case at most.
    package func address(foldedLike slug: Slug) -> LinkAddress? {
        let folded = slug.caseFolded
        return addresses.first { $0.slug.caseFolded == folded }
    }
}

extension [LinkAddress] {
    /// Whether no two are the same.
    package var areDistinct: Bool { count < 2 || Set(self).count == count }
}

extension NewLink {
    /// Whether this holds for the domain of the slug, and for those of the aliases on other domains.
    package func areDomains(_ isAllowed: (HostName) -> Bool) -> Bool {
        isAllowed(domain) && content.aliases.allSatisfy { $0.domain.map(isAllowed) ?? true }
    }

    /// Of the link that the draft becomes.
    package var addresses: [LinkAddress] {
        // Nearly all links have no alias, and each creation asks.
        let own = [LinkAddress(domain: domain, slug: storedSlug)]
        return content.aliases.isEmpty ? own : own + content.furtherAddresses(of: domain)
    }
}
