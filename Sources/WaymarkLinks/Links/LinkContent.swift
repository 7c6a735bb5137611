/// What a link says: everything that its creator gives, apart from where it stands.
///
/// All copies share one place until one of them is changed: a link is handed on some ten times between a request and its
/// answer, and most of its fields are references, each with a count that a copy has to raise.
package struct LinkContent: Sendable, Equatable {
    private var shared: Shared

    init(_ fields: LinkContentFields) { shared = Shared(fields) }

    package static func == (one: LinkContent, other: LinkContent) -> Bool {
        one.shared === other.shared || one.shared.fields == other.shared.fields
    }

    private final class Shared: Sendable {
        let fields: LinkContentFields
        init(_ fields: LinkContentFields) { self.fields = fields }
    }

    private mutating func change(_ change: (inout LinkContentFields) -> Void) {
        var fields = shared.fields
        change(&fields)
        shared = Shared(fields)
    }

    package init(
        route: Route? = nil, routeParameters: [String: String] = [:],
        queryParameters: [String: String] = [:], urls: PlatformURLs = [:], redeemLimit: Int = 0,
        validFrom: Timestamp? = nil, expiresAt: Timestamp? = nil, maxClicks: Int? = nil, social: SocialCard? = nil,
        campaign: Campaign? = nil, tags: [String] = [], forwardQuery: Bool? = nil, disabled: Bool = false,
        rules: [Rule] = [], minimumVersions: MinimumVersions? = nil
    ) {
        self.init(
            LinkContentFields(
                route: route, routeParameters: routeParameters, queryParameters: queryParameters, urls: urls,
                redeemLimit: redeemLimit, validFrom: validFrom, expiresAt: expiresAt, maxClicks: maxClicks,
                social: social, campaign: campaign, tags: tags, forwardQuery: forwardQuery, disabled: disabled,
                rules: rules, minimumVersions: minimumVersions))
    }

    package var route: Route? {
        get { shared.fields.route }
        set { change { $0.route = newValue } }
    }

    /// Name → value as text; numbers and booleans keep the text they were sent with.
    package var routeParameters: [String: String] {
        get { shared.fields.routeParameters }
        set { change { $0.routeParameters = newValue } }
    }

    package var queryParameters: [String: String] {
        get { shared.fields.queryParameters }
        set { change { $0.queryParameters = newValue } }
    }

    package var urls: PlatformURLs {
        get { shared.fields.urls }
        set { change { $0.urls = newValue } }
    }

    /// How many resolves may receive the metadata; 0 is unlimited.
    package var redeemLimit: Int {
        get { shared.fields.redeemLimit }
        set { change { $0.redeemLimit = newValue } }
    }

    package var validFrom: Timestamp? {
        get { shared.fields.validFrom }
        set { change { $0.validFrom = newValue } }
    }

    package var expiresAt: Timestamp? {
        get { shared.fields.expiresAt }
        set { change { $0.expiresAt = newValue } }
    }

    package var maxClicks: Int? {
        get { shared.fields.maxClicks }
        set { change { $0.maxClicks = newValue } }
    }

    package var social: SocialCard? {
        get { shared.fields.social }
        set { change { $0.social = newValue } }
    }

    package var campaign: Campaign? {
        get { shared.fields.campaign }
        set { change { $0.campaign = newValue } }
    }

    package var tags: [String] {
        get { shared.fields.tags }
        set { change { $0.tags = newValue } }
    }

    /// nil leaves it to the application.
    package var forwardQuery: Bool? {
        get { shared.fields.forwardQuery }
        set { change { $0.forwardQuery = newValue } }
    }

    package var disabled: Bool {
        get { shared.fields.disabled }
        set { change { $0.disabled = newValue } }
    }

    /// The first that matches wins over `urls` and template.
    package var rules: [Rule] {
        get { shared.fields.rules }
        set { change { $0.rules = newValue } }
    }

    /// What the link wants of the installed app; of what is nil the application's own is wanted.
    package var minimumVersions: MinimumVersions? {
        get { shared.fields.minimumVersions }
        set { change { $0.minimumVersions = newValue } }
    }
}

/// The fields of `LinkContent`, for who reads them one after the other.
struct LinkContentFields: Sendable, Equatable {
    var route: Route?
    var routeParameters: [String: String] = [:]
    var queryParameters: [String: String] = [:]
    var urls: PlatformURLs = [:]
    var redeemLimit: Int = 0
    var validFrom: Timestamp?
    var expiresAt: Timestamp?
    var maxClicks: Int?
    var social: SocialCard?
    var campaign: Campaign?
    var tags: [String] = []
    var forwardQuery: Bool?
    var disabled: Bool = false
    var rules: [Rule] = []
    var minimumVersions: MinimumVersions?
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
