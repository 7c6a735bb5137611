import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

// Links as responses.

extension LinkResponse {
    /// A link as in the API, with its state as of `now`.
    init(_ link: Link, _ application: Application, at now: Timestamp) {
        let content = link.content
        let createdAt = link.createdAt.wholeSecond
        let isCounted = link.hasMetadata && content.redeemLimit > 0
        self.init(
            smartlink: link.smartlinkURL(application), domain: link.domain.text, slug: link.slug.text,
            app: link.application.text,
            redeem: RedeemCount(
                limit: isCounted ? content.redeemLimit : nil, used: isCounted ? link.redeemed : 0),
            state: link.state(at: now).rawValue, createdAt: createdAt,
            updatedAt: link.updatedAt == link.createdAt ? createdAt : link.updatedAt.wholeSecond,
            version: link.version)
        aliases = content.aliases.map { $0.text(of: link.domain) }
        route = content.route?.text
        routeParameters = content.routeParameters
        queryParameters = content.queryParameters
        urls = content.urls.requests
        hasMetadata = link.hasMetadata
        hasPassword = content.password != nil
        redeemLimit = content.redeemLimit
        disabled = content.disabled
        validFrom = content.validFrom?.rfc3339
        expiresAt = content.expiresAt?.rfc3339
        maxClicks = content.maxClicks
        clicks = link.clicks
        social = content.social.map(SocialRequest.init)
        campaign = content.campaign
        tags = content.tags
        labels = content.labels
        forwardQuery = link.forwardsQuery(application)
        queryOverride = link.overridesQuery(application)
        if content.forwardQuery != nil { ownSettings.append("forwardQuery") }
        if content.queryOverride != nil { ownSettings.append("queryOverride") }
        redirectStatus = content.redirectStatus
        onExpired = content.onExpired?.text
        clickDetail = content.clickDetail?.rawValue
        rules = content.rules.map(RuleRequest.init)
        minimumVersion = content.minimumVersions.map(MinimumVersionRequest.init)
        importedClicks = content.importedClicks
        for entry in content.firebase?.entries ?? [] { firebase[entry.name.rawValue] = entry.value }
    }
}

extension Timestamp {
    /// RFC 3339 without a fraction, for times set by the service itself.
    var wholeSecond: String { Timestamp(seconds: seconds).rfc3339 }
}
