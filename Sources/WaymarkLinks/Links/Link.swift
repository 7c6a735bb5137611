/// The number that a store gives a link; never reused, never shown except inside click ids.
@usableFromInline
package struct LinkID: RawRepresentable, Hashable, Sendable {
    @usableFromInline package let rawValue: Int64
    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A smart link as a store keeps it, without its metadata: that is only ever read by a redeem or by an operator.
package struct Link: Sendable, Equatable {
    package let id: LinkID
    package let application: ApplicationID
    package let domain: HostName
    package let slug: Slug
    /// What the creator gave and may change later.
    package var content: LinkContent
    /// Whether metadata is stored beside the link.
    package var hasMetadata: Bool
    /// How many resolves have received the metadata under the limit; counted only where there are metadata and a limit.
    package var redeemed: Int
    /// People's clicks that have reached the store.
    package var clicks: Int
    /// Clicks that servers reserved under `content.maxClicks`; never more than it.
    package var reservedClicks: Int
    package let createdAt: Timestamp
    package var updatedAt: Timestamp
    /// 1 at creation, one more with each patch, and with nothing else.
    package var version: Int

    package init(
        id: LinkID, application: ApplicationID, domain: HostName, slug: Slug, content: LinkContent,
        hasMetadata: Bool = false, redeemed: Int = 0, clicks: Int = 0, reservedClicks: Int = 0, createdAt: Timestamp,
        updatedAt: Timestamp, version: Int = 1
    ) {
        self.id = id
        self.application = application
        self.domain = domain
        self.slug = slug
        self.content = content
        self.hasMetadata = hasMetadata
        self.redeemed = redeemed
        self.clicks = clicks
        self.reservedClicks = reservedClicks
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }
}
