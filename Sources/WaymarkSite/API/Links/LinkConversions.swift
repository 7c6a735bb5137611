import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

// Converts links between the API and the domain: body → draft, content → body, link → response.

extension LinkDraft {
    /// The body as a draft, not validated.
    init(_ body: LinkRequest) {
        self.init()
        app = body.app
        domain = body.domain
        slug = body.slug
        route = body.route
        routeParameters = body.routeParameters
        queryParameters = body.queryParameters
        urls = body.urls.mapValues { URLEntryDraft(link: $0.link, fallback: $0.fallback) }
        metadata = body.metadata?.bytes
        redeemLimit = body.redeemLimit
        validFrom = body.validFrom
        expiresAt = body.expiresAt
        maxClicks = body.maxClicks
        social = body.social.map {
            SocialDraft(title: $0.title, description: $0.description, imageURL: $0.imageURL)
        }
        campaign = body.campaign.map {
            Campaign(source: $0.source, medium: $0.medium, name: $0.name, term: $0.term, content: $0.content)
        }
        tags = body.tags
        title = body.title
        note = body.note
        forwardQuery = body.forwardQuery
        queryOverride = body.queryOverride
        redirectStatus = body.redirectStatus
        onExpired = body.onExpired
        disabled = body.disabled
        unique = body.unique
        rules = body.rules.map(RuleDraft.init)
        minimumVersions = body.minimumVersion.map { VersionsDraft(ios: $0.ios, android: $0.android) }
    }
}

extension LinkRequest {
    /// A link as the body that would create it, to which a merge patch is applied.
    init(_ content: LinkContent, metadata: [UInt8]?) {
        self.init()
        route = content.route?.text
        routeParameters = content.routeParameters
        queryParameters = content.queryParameters
        urls = content.urls.bodies
        self.metadata = metadata.map { RawJSON(unchecked: $0) }
        redeemLimit = content.redeemLimit
        validFrom = content.validFrom?.rfc3339
        expiresAt = content.expiresAt?.rfc3339
        maxClicks = content.maxClicks
        social = content.social.map(SocialRequest.init)
        campaign = content.campaign.map(CampaignRequest.init)
        tags = content.tags
        title = content.title
        note = content.note
        forwardQuery = content.forwardQuery
        queryOverride = content.queryOverride
        redirectStatus = content.redirectStatus
        onExpired = content.onExpired?.text
        disabled = content.disabled
        rules = content.rules.map(RuleRequest.init)
        minimumVersion = content.minimumVersions.map(MinimumVersionRequest.init)
    }

    /// The canonical text of equal links, for `unique`: members in a fixed order, times in UTC, and missing members
    /// equal to their defaults.
    static func identity(
        of link: ValidLink, application: ApplicationID, domain: HostName
    ) -> [UInt8] {
        var body = LinkRequest(link.content, metadata: link.metadata)
        body.app = application.text
        body.domain = domain.text
        body.slug = link.slug?.text
        // The metadata was parsed as JSON, so this text is valid JSON.
        return (try? JSONValue(parsing: body.json))?.canonicalBytes ?? body.json
    }
}

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
        urls = content.urls.bodies
        hasMetadata = link.hasMetadata
        redeemLimit = content.redeemLimit
        disabled = content.disabled
        validFrom = content.validFrom?.rfc3339
        expiresAt = content.expiresAt?.rfc3339
        maxClicks = content.maxClicks
        clicks = link.clicks
        social = content.social.map(SocialRequest.init)
        campaign = content.campaign.map(CampaignRequest.init)
        tags = content.tags
        title = content.title
        note = content.note
        forwardQuery = link.forwardsQuery(application)
        queryOverride = link.overridesQuery(application)
        if content.forwardQuery != nil { ownSettings.append("forwardQuery") }
        if content.queryOverride != nil { ownSettings.append("queryOverride") }
        redirectStatus = content.redirectStatus
        onExpired = content.onExpired?.text
        rules = content.rules.map(RuleRequest.init)
        minimumVersion = content.minimumVersions.map(MinimumVersionRequest.init)
        importedClicks = content.importedClicks
        for entry in content.firebase?.entries ?? [] { firebase[entry.name.rawValue] = entry.value }
    }
}

extension PlatformURLs {
    fileprivate var bodies: [String: URLEntryRequest] {
        var bodies: [String: URLEntryRequest] = [:]
        for (platform, entry) in self { bodies[platform.rawValue] = URLEntryRequest(entry) }
        return bodies
    }
}

extension Timestamp {
    /// RFC 3339 without a fraction, for times set by the service itself.
    var wholeSecond: String { Timestamp(seconds: seconds).rfc3339 }
}

extension URLEntryRequest {
    init(_ entry: URLEntry) {
        self.init(entry.link.text, fallback: entry.fallback?.text)
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
