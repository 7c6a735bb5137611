/// A link about to be stored.
package struct NewLink: Sendable, Equatable {
    package var application: ApplicationID
    package var domain: HostName
    package var slug: Slug
    package var content: LinkContent
    /// A JSON object's text as sent.
    package var metadata: [UInt8]?
    /// With `unique`: a digest of the whole normalised body. An unpatched link of the same application and identity
    /// that is active or scheduled at `createdAt` is given again.
    package var identity: [UInt8]?
    package var createdAt: Timestamp

    package init(
        application: ApplicationID, domain: HostName, slug: Slug, content: LinkContent, metadata: [UInt8]? = nil,
        identity: [UInt8]? = nil, createdAt: Timestamp
    ) {
        self.application = application
        self.domain = domain
        self.slug = slug
        self.content = content
        self.metadata = metadata
        self.identity = identity
        self.createdAt = createdAt
    }

    /// The link that this becomes under the id that the store gives it.
    package func link(id: LinkID) -> Link {
        Link(
            id: id, application: application, domain: domain, slug: slug, content: content,
            hasMetadata: metadata != nil, redeemed: 0, clicks: 0, reservedClicks: 0, createdAt: createdAt,
            updatedAt: createdAt, version: 1)
    }
}

package enum CreationOutcome: Sendable, Equatable {
    case created(Link)
    case existing(Link)
    case slugTaken
    /// The application has been deleted, or has given up the domain, since the draft was made.
    case applicationUnknown
}
