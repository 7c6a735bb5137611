/// What a link says: everything that its creator gives, apart from where it stands.
package struct LinkContent: Sendable, Equatable {
    package var route: Route?
    /// Name → value as text; numbers and booleans keep the text they were sent with.
    package var routeParameters: [String: String]
    package var queryParameters: [String: String]
    package var urls: PlatformURLs
    /// How many resolves may receive the metadata; 0 is unlimited.
    package var redeemLimit: Int
    package var validFrom: Timestamp?
    package var expiresAt: Timestamp?
    package var maxClicks: Int?
    package var social: SocialCard?
    package var campaign: Campaign?
    package var tags: [String]
    /// nil leaves it to the application.
    package var forwardQuery: Bool?
    package var disabled: Bool
    /// The first that matches wins over `urls` and template.
    package var rules: [Rule]
    /// What the link wants of the installed app; of what is nil the application's own is wanted.
    package var minimumVersions: MinimumVersions?

    package init(
        route: Route? = nil, routeParameters: [String: String] = [:],
        queryParameters: [String: String] = [:], urls: PlatformURLs = [:], redeemLimit: Int = 0,
        validFrom: Timestamp? = nil, expiresAt: Timestamp? = nil, maxClicks: Int? = nil, social: SocialCard? = nil,
        campaign: Campaign? = nil, tags: [String] = [], forwardQuery: Bool? = nil, disabled: Bool = false,
        rules: [Rule] = [], minimumVersions: MinimumVersions? = nil
    ) {
        self.route = route
        self.routeParameters = routeParameters
        self.queryParameters = queryParameters
        self.urls = urls
        self.redeemLimit = redeemLimit
        self.validFrom = validFrom
        self.expiresAt = expiresAt
        self.maxClicks = maxClicks
        self.social = social
        self.campaign = campaign
        self.tags = tags
        self.forwardQuery = forwardQuery
        self.disabled = disabled
        self.rules = rules
        self.minimumVersions = minimumVersions
    }
}

/// Link previews, as Open Graph tags show them.
package struct SocialCard: Sendable, Equatable {
    package var title: String?
    package var description: String?
    package var imageURL: WebURL?
    package init(title: String?, description: String?, imageURL: WebURL?) {
        self.title = title
        self.description = description
        self.imageURL = imageURL
    }
}

/// Campaign parameters, added to web destinations as `utm_*` and to the Play referrer.
package struct Campaign: Sendable, Equatable {
    package var source, medium, name, term, content: String?
    package init(source: String?, medium: String?, name: String?, term: String?, content: String?) {
        self.source = source
        self.medium = medium
        self.name = name
        self.term = term
        self.content = content
    }
}

/// The URL that each platform is given; an entry wins over the template's for that platform.
package typealias PlatformURLs = [Platform: URLEntry]

/// Where one platform is led: a URL pattern, and what to do where the app is missing.
package struct URLEntry: Sendable, Equatable {
    package var link: URLPattern
    package var fallback: Fallback?
    package init(link: URLPattern, fallback: Fallback?) {
        self.link = link
        self.fallback = fallback
    }
}

/// What a visitor without the app gets.
package enum Fallback: Sendable, Equatable {
    case store
    case web
    case url(WebURL)
}
