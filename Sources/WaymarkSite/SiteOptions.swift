package import WaymarkServer

/// What an operator may set about the site.
package struct SiteOptions: Sendable {
    /// The folder of pages, scripts and association files of one's own.
    package var publicFolder = "Public"
    /// Whether there is an admin listener; then `/metrics`, `/api/v1/apps`, `/api/v1/keys` and the tools under `/_/`
    /// answer only there.
    package var hasAdminListener = false
    /// Bytes for prebuilt redirects, in each event loop; 16 MiB.
    package var redirectCacheBytes = 16 << 20
    /// What callers are held to at first; `Site.use` replaces it.
    package var callerLimits = CallerLimits()
    /// Where their buckets are kept.
    package var rateLimiter = RateLimiter()

    package init() {}
}
