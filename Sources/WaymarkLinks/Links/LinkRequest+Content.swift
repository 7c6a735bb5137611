package import WaymarkAPI

extension LinkRequest {
    /// A link as the request that would create it.
    package init(_ content: LinkContent, metadata: [UInt8]?) {
        self.init()
        route = content.route?.text
        routeParameters = content.routeParameters
        queryParameters = content.queryParameters
        urls = content.urls.requests
        self.metadata = metadata.map { RawJSON(unchecked: $0) }
        redeemLimit = content.redeemLimit
        validFrom = content.validFrom?.rfc3339
        expiresAt = content.expiresAt?.rfc3339
        maxClicks = content.maxClicks
        social = content.social.map(SocialRequest.init)
        campaign = content.campaign
        tags = content.tags
        labels = content.labels
        forwardQuery = content.forwardQuery
        queryOverride = content.queryOverride
        redirectStatus = content.redirectStatus
        onExpired = content.onExpired?.text
        clickDetail = content.clickDetail?.rawValue
        disabled = content.disabled
        rules = content.rules.map(RuleRequest.init)
        minimumVersion = content.minimumVersions.map(MinimumVersionRequest.init)
    }
}

extension MinimumVersionRequest {
    package init(_ versions: MinimumVersions) {
        self.init(ios: versions.ios?.text, android: versions.android?.text)
    }
}

extension SocialRequest {
    package init(_ card: SocialCard) {
        self.init(title: card.title, description: card.description, imageURL: card.imageURL?.text)
    }
}
