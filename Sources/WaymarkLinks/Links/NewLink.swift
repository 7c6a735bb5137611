/// A link to be created, checked against its application. The service fills in the slug and the time.
package struct NewLink: Sendable, Equatable {
    package var application: ApplicationID
    package var domain: HostName
    /// nil: the service makes one. A store is given none without.
    package var slug: Slug?
    package var content: LinkContent
    /// A JSON object's text as sent.
    package var metadata: [UInt8]?
    /// With `unique`: a digest of the whole normalised body. An unpatched link of the same application and identity
    /// that is active or scheduled at `createdAt` is given again.
    package var identity: [UInt8]?
    /// Set by the service.
    package var createdAt: Timestamp

    package init(
        application: ApplicationID, domain: HostName, slug: Slug?, content: LinkContent, metadata: [UInt8]? = nil,
        identity: [UInt8]? = nil, createdAt: Timestamp = Timestamp(rawValue: 0)
    ) {
        self.application = application
        self.domain = domain
        self.slug = slug
        self.content = content
        self.metadata = metadata
        self.identity = identity
        self.createdAt = createdAt
    }

    /// The slug under which a store keeps the link.
    package var storedSlug: Slug {
        guard let slug else { preconditionFailure("LinkService.create gives each link a slug before it is stored") }
        return slug
    }

    /// The link that this becomes under the id that the store gives it.
    package func link(id: LinkID) -> Link {
        Link(
            id: id, application: application, domain: domain, slug: storedSlug, content: content,
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
