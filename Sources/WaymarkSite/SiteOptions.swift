package import WaymarkHTTP
package import WaymarkServer

/// What an operator may set about the site.
package struct SiteOptions: Sendable {
    /// The folder of pages, scripts and association files of one's own.
    package var publicFolder = "Public"
    /// Whether there is an admin listener; then `/metrics`, `/api/v1/apps`, `/api/v1/keys` and the tools under `/_/`
    /// answer only there.
    package var hasAdminListener = false
    /// Bytes for finished answers to visits, in each event loop; 16 MiB.
    package var visitCacheBytes = 16 << 20
    /// What callers are held to at first; `Site.use` replaces it.
    package var callerLimits = CallerLimits()
    /// Where their buckets are kept.
    package var rateLimiter = RateLimiter()

    /// The field in which trusted proxies name a visitor's country (ISO 3166-1 alpha-2); nil: nobody is asked.
    package var countryField: HeaderName?

    /// For requests through listeners of the role `redirect`.
    package var secureRedirect = HTTPSRedirect()

    /// How plain HTTP is sent to HTTPS.
    package struct HTTPSRedirect: Sendable {
        /// Where HTTPS is reached from outside; left out of URLs where it is 443.
        package var port = 443
        /// 308, which keeps the method and the body, else 301.
        package var isPermanentForMethods = true
        /// Whether a certificate is valid for a host, in lower case: that is one of ours, too.
        package var isCertified: @Sendable (_ host: String) -> Bool = { _ in false }

        package init() {}
    }

    package init() {}
}
