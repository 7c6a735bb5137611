import WaymarkLinks

/// What stands at a host and slug.
package enum VisitLookup: Sendable {
    /// - Parameter atOpenHost: the host is the application's `openHost`.
    case found(CachedLink, atOpenHost: Bool)
    /// The host's applications, by id; none has the slug.
    case unknownSlug([ServedApplication])
    /// The host belongs to no application.
    case unknownHost
}
