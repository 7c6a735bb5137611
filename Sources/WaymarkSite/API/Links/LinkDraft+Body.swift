import WaymarkAPI
import WaymarkLinks

extension LinkDraft {
    /// The body in the words of the rules; nothing is checked here.
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
        forwardQuery = body.forwardQuery
        disabled = body.disabled
        unique = body.unique
        rules = body.rules.map(RuleDraft.init)
        minimumVersions = body.minimumVersion.map { VersionsDraft(ios: $0.ios, android: $0.android) }
    }
}
