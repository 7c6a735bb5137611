package import WaymarkJSON

/// A link as the server answers it. Its metadata is never a part of it.
public struct LinkResponse: Sendable, Hashable {
    /// The URL that is shared.
    public var smartlink: String
    public var domain: String
    public var slug: String
    public var app: String
    public var route: String?
    public var routeParameters: [String: String]
    public var queryParameters: [String: String]
    public var urls: [String: URLEntryRequest]
    public var hasMetadata: Bool
    /// 0: without limit.
    public var redeemLimit: Int
    public var redeem: RedeemCount
    /// `disabled`, `expired`, `exhausted`, `scheduled` or `active`.
    public var state: String
    public var disabled: Bool
    /// RFC 3339.
    public var validFrom: String?
    /// RFC 3339.
    public var expiresAt: String?
    public var maxClicks: Int?
    /// People's clicks, right within two seconds.
    public var clicks: Int
    public var social: SocialRequest?
    public var campaign: CampaignRequest?
    public var tags: [String]
    public var forwardQuery: Bool
    /// RFC 3339.
    public var createdAt: String
    /// RFC 3339.
    public var updatedAt: String
    /// Moves with each patch; the `ETag`.
    public var version: Int
    /// Sent only where there are any.
    public var rules: [RuleRequest]
    /// Sent only where the link wants one.
    public var minimumVersion: MinimumVersionRequest?

    package init(
        smartlink: String, domain: String, slug: String, app: String, route: String?,
        routeParameters: [String: String], queryParameters: [String: String],
        urls: [String: URLEntryRequest], hasMetadata: Bool, redeemLimit: Int, redeem: RedeemCount, state: String,
        disabled: Bool, validFrom: String?, expiresAt: String?, maxClicks: Int?, clicks: Int,
        social: SocialRequest?, campaign: CampaignRequest?, tags: [String], forwardQuery: Bool, createdAt: String,
        updatedAt: String, version: Int, rules: [RuleRequest] = [], minimumVersion: MinimumVersionRequest? = nil
    ) {
        self.smartlink = smartlink
        self.domain = domain
        self.slug = slug
        self.app = app
        self.route = route
        self.routeParameters = routeParameters
        self.queryParameters = queryParameters
        self.urls = urls
        self.hasMetadata = hasMetadata
        self.redeemLimit = redeemLimit
        self.redeem = redeem
        self.state = state
        self.disabled = disabled
        self.validFrom = validFrom
        self.expiresAt = expiresAt
        self.maxClicks = maxClicks
        self.clicks = clicks
        self.social = social
        self.campaign = campaign
        self.tags = tags
        self.forwardQuery = forwardQuery
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
        self.rules = rules
        self.minimumVersion = minimumVersion
    }

    public var json: [UInt8] { JSONWriter.text(capacity: 896) { write(to: &$0) } }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("smartlink", smartlink)
        writer.member("domain", domain)
        writer.member("slug", slug)
        writer.member("app", app)
        writer.member("route", route)
        writer.parameters("routeParameters", routeParameters)
        writer.parameters("queryParameters", queryParameters)
        writer.urls("urls", urls)
        writer.member("hasMetadata", hasMetadata)
        writer.member("redeemLimit", redeemLimit)
        writer.name("redeem")
        redeem.write(to: &writer)
        writer.member("state", state)
        writer.member("disabled", disabled)
        writer.member("validFrom", validFrom)
        writer.member("expiresAt", expiresAt)
        writer.member("maxClicks", maxClicks)
        writer.member("clicks", clicks)
        writer.name("social")
        if let social { social.write(to: &writer) } else { writer.null() }
        writer.name("campaign")
        if let campaign { campaign.write(to: &writer) } else { writer.null() }
        writer.strings("tags", tags)
        writer.member("forwardQuery", forwardQuery)
        writer.member("createdAt", createdAt)
        writer.member("updatedAt", updatedAt)
        writer.member("version", version)
        if !rules.isEmpty { writer.rules(rules) }
        if let minimumVersion {
            writer.name("minimumVersion")
            minimumVersion.write(to: &writer)
        }
        writer.endObject()
    }
}
