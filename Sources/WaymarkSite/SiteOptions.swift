package import WaymarkHTTP
package import WaymarkServer

/// The site's options for operators.
package struct SiteOptions: Sendable {
    /// The folder with pages, scripts and the operator's association files; nil: the pages and scripts of the executable.
    package var publicFolder: String?
    /// Whether everybody may read everything, and nobody may change anything but by visits.
    package var isDemo = false
    /// Whether there is an admin listener; then `/metrics`, `/api/v1/apps`, `/api/v1/keys` and the tools under `/_/`
    /// are only available there.
    package var hasAdminListener = false
    /// Networks whose browsers may sign in to the dashboard over plain HTTP, under any host. Default: none.
    package var plainNetworks = PeerNetworks()
    /// Whether API keys sign in to the dashboard. Nil: until a person administers all applications and has signed in. A link that
    /// was made on the database always does.
    package var keySignIn: Bool?
    /// The field in which trusted proxies name the person who signs in; nil: they don't.
    package var proxySignInField: HeaderName?
    /// The provider of OpenID Connect that signs people in; nil: none does.
    package var provider: SignInProvider?
    /// Maximum bytes of cached responses to visits, per event loop. Default: 16 MiB.
    package var visitCacheBytes = 16 << 20
    /// The initial limits of callers; `Site.use` replaces them.
    package var callerLimits = CallerLimits()
    /// Has the callers' buckets.
    package var rateLimiter = RateLimiter()

    /// The header field in which trusted proxies send a visitor's country (ISO 3166-1 alpha-2); nil: none.
    package var countryField: HeaderName?
    /// How many links an assistant changes in one request without a plan. Default: 10.
    package var unplannedLinks = 10
    /// Whether commands ask, which may open the database, and no server. Default: false.
    package var isCommandLine = false

    /// The certificates of the hosts; nil: none are known.
    package var certificates: (any DomainCertificates)?

    /// For requests on listeners with the role `redirect`.
    package var secureRedirect = HTTPSRedirect()

    /// How plain HTTP is redirected to HTTPS.
    package struct HTTPSRedirect: Sendable {
        /// The external port of HTTPS; left out of URLs if it is 443.
        package var port = 443
        /// True: 308, which preserves the method and the body; false: 301.
        package var isPermanentForMethods = true
        /// Whether there is a certificate for a host, in lower case: then it is served here, too.
        package var isCertified: @Sendable (_ host: String) -> Bool = { _ in false }

        package init() {}
    }

    package init() {}
}
