import WaymarkLinks

/// The result of looking up a host and slug.
package enum VisitLookup: Sendable {
    /// - Parameter atOpenHost: the host is the application's `openHost`.
    case found(CachedLink, atOpenHost: Bool)
    /// The host's applications by ID; none has the slug.
    case unknownSlug([ServedApplication])
    /// The host belongs to no application.
    case unknownHost
}
