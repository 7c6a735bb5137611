import WaymarkAPI

extension LinkRequest {
    /// A link that a server answered, in the form of the files' links: `LinkRequest(content, metadata:)` there.
    init(_ link: LinkResponse) {
        self.init()
        app = link.app
        domain = link.domain
        slug = link.slug
        route = link.route
        routeParameters = link.routeParameters
        queryParameters = link.queryParameters
        urls = link.urls
        redeemLimit = link.redeemLimit
        validFrom = link.validFrom
        expiresAt = link.expiresAt
        maxClicks = link.maxClicks
        social = link.social
        campaign = link.campaign
        tags = link.tags
        labels = link.labels
        if link.ownSettings.contains("forwardQuery") { forwardQuery = link.forwardQuery }
        if link.ownSettings.contains("queryOverride") { queryOverride = link.queryOverride }
        redirectStatus = link.redirectStatus
        onExpired = link.onExpired
        clickDetail = link.clickDetail
        disabled = link.disabled
        rules = link.rules
        minimumVersion = link.minimumVersion
    }
}
