import WaymarkAPI
import WaymarkLinks

extension LinkResponse {
    /// A link in the words of the interface, with its state as of `now`.
    init(_ link: Link, _ application: Application, at now: Timestamp) {
        let content = link.content
        let createdAt = link.createdAt.wholeSecond
        let isCounted = link.hasMetadata && content.redeemLimit > 0
        self.init(
            smartlink: link.smartlinkURL(application), domain: link.domain.text, slug: link.slug.text,
            app: link.application.text, route: content.route?.text,
            routeParameters: content.routeParameters,
            queryParameters: content.queryParameters,
            urls: Self.urls(content.urls), hasMetadata: link.hasMetadata, redeemLimit: content.redeemLimit,
            redeem: RedeemCount(
                limit: isCounted ? content.redeemLimit : nil, used: isCounted ? link.redeemed : 0),
            state: link.state(at: now).rawValue, disabled: content.disabled, validFrom: content.validFrom?.rfc3339,
            expiresAt: content.expiresAt?.rfc3339, maxClicks: content.maxClicks, clicks: link.clicks,
            social: content.social.map(SocialRequest.init), campaign: content.campaign.map(CampaignRequest.init),
            tags: content.tags, forwardQuery: link.forwardsQuery(application),
            createdAt: createdAt, updatedAt: link.updatedAt == link.createdAt ? createdAt : link.updatedAt.wholeSecond,
            version: link.version,
            rules: content.rules.map(RuleRequest.init),
            minimumVersion: content.minimumVersions.map(MinimumVersionRequest.init))
    }

    private static func urls(_ entries: PlatformURLs) -> [String: URLEntryRequest] {
        var urls: [String: URLEntryRequest] = [:]
        for (platform, entry) in entries { urls[platform.rawValue] = URLEntryRequest(entry) }
        return urls
    }
}

extension Timestamp {
    /// RFC 3339 without a fraction: moments that the service itself took.
    var wholeSecond: String { Timestamp(seconds: seconds).rfc3339 }
}

extension URLEntryRequest {
    init(_ entry: URLEntry) {
        let fallback: String? =
            switch entry.fallback {
            case .store: "store"
            case .web: "web"
            case .url(let url): url.text
            case nil: nil
            }
        self.init(entry.link.text, fallback: fallback)
    }
}

extension MinimumVersionRequest {
    init(_ versions: MinimumVersions) {
        self.init(ios: versions.ios?.text, android: versions.android?.text)
    }
}

extension SocialRequest {
    init(_ card: SocialCard) {
        self.init(title: card.title, description: card.description, imageURL: card.imageURL?.text)
    }
}

extension CampaignRequest {
    init(_ campaign: Campaign) {
        self.init(
            source: campaign.source, medium: campaign.medium, name: campaign.name, term: campaign.term,
            content: campaign.content)
    }
}
