package import WaymarkLinks

/// An alias that is also the slug of a link, in databases where a version without aliases made links beside one with
/// them.
package struct AliasClash: Sendable, Equatable {
    package var domain: HostName
    /// The alias, and the slug of `taker`.
    package var slug: Slug
    /// The link that had the slug first, whose alias it is.
    package var owner: LinkID
    package var taker: LinkID

    package init(domain: HostName, slug: Slug, owner: LinkID, taker: LinkID) {
        self.domain = domain
        self.slug = slug
        self.owner = owner
        self.taker = taker
    }
}

extension StoreArchive {
    /// The taker's new slug: the alias, a hyphen and the first free number.
    package func freeSlug(after clash: AliasClash) throws(StoreError) -> Slug? {
        for number in 2...Int(Int16.max) {
            guard let slug = Slug("\(clash.slug.text)-\(number)") else { return nil }
            if try isFree(slug, on: clash.domain) { return slug }
        }
        return nil
    }
}
