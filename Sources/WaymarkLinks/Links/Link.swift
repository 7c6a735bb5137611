/// The number of a link in its store; never reused, and only exposed inside click IDs.
@usableFromInline
package struct LinkID: RawRepresentable, Hashable, Sendable {
    @usableFromInline package let rawValue: Int64
    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The ID of links that are not stored; stores count from 1.
    package static let unstored = LinkID(rawValue: 0)
}

/// A smart link as stored, without its metadata, which is only read by redeems and operators.
package struct Link: Sendable, Equatable {
    package let id: LinkID
    package let application: ApplicationID
    package let domain: HostName
    package let slug: Slug
    /// The creator's values, which may be changed later.
    package var content: LinkContent
    /// Whether metadata is stored for the link.
    package var hasMetadata: Bool
    /// How many resolves have received metadata under the limit; only counted if there are metadata and a limit.
    package var redeemed: Int
    /// Human clicks in the store.
    package var clicks: Int
    /// Clicks reserved by servers under `content.maxClicks`; never more than it.
    package var reservedClicks: Int
    package let createdAt: Timestamp
    package var updatedAt: Timestamp
    /// 1 at creation, incremented by each patch only.
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
