import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

extension LinkRequest {
    /// A link as the body that would create it: what a merge patch is applied to.
    init(_ content: LinkContent, metadata: [UInt8]?) {
        self.init()
        route = content.route?.text
        routeParameters = content.routeParameters
        queryParameters = content.queryParameters
        for (platform, entry) in content.urls { urls[platform.rawValue] = URLEntryRequest(entry) }
        self.metadata = metadata.map { RawJSON(unchecked: $0) }
        redeemLimit = content.redeemLimit
        validFrom = content.validFrom?.rfc3339
        expiresAt = content.expiresAt?.rfc3339
        maxClicks = content.maxClicks
        social = content.social.map(SocialRequest.init)
        campaign = content.campaign.map(CampaignRequest.init)
        tags = content.tags
        forwardQuery = content.forwardQuery
        disabled = content.disabled
        rules = content.rules.map(RuleRequest.init)
        minimumVersion = content.minimumVersions.map(MinimumVersionRequest.init)
    }

    /// The one text of all bodies that mean the same link, for `unique`: members in one order, times in UTC, what is
    /// absent written like what is given as the default.
    static func identity(
        of link: ValidLink, application: ApplicationID, domain: HostName
    ) -> [UInt8] {
        var body = LinkRequest(link.content, metadata: link.metadata)
        body.app = application.text
        body.domain = domain.text
        body.slug = link.slug?.text
        // Metadata was read as JSON before, so this text is JSON.
        return (try? JSONValue(parsing: body.json))?.canonicalBytes ?? body.json
    }
}
