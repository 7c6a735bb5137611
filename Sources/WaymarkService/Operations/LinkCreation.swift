package import WaymarkLinks

/// A link to be created, after all of it was checked against its application.
package struct LinkCreation: Sendable, Equatable {
    package var application: ApplicationID
    package var domain: HostName
    /// nil: the service makes one.
    package var slug: Slug?
    package var content: LinkContent
    /// A JSON object's text as sent.
    package var metadata: [UInt8]?
    /// With `unique`: a digest of the whole normalised body.
    package var identity: [UInt8]?

    package init(
        application: ApplicationID, domain: HostName, slug: Slug?, content: LinkContent, metadata: [UInt8]?,
        identity: [UInt8]?
    ) {
        self.application = application
        self.domain = domain
        self.slug = slug
        self.content = content
        self.metadata = metadata
        self.identity = identity
    }

    /// - Parameters:
    ///   - domain: what `ServedApplication.domain(given:)` gives for the draft's.
    ///   - identity: where the draft is `unique`.
    package init(_ link: ValidLink, application: ApplicationID, domain: HostName, identity: [UInt8]?) {
        self.init(
            application: application, domain: domain, slug: link.slug, content: link.content, metadata: link.metadata,
            identity: identity)
    }
}
