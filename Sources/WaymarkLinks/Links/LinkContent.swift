package import WaymarkAPI

/// The contents of a link: all of its creator's values, except the address.
///
/// Copies share one object until one is changed: a link is passed on about ten times per request, and most of its
/// fields are references, which a copy would have to count.
@dynamicMemberLookup
@usableFromInline
package struct LinkContent: Sendable, Equatable {
    @usableFromInline
    final class Shared: Sendable {
        @usableFromInline let fields: LinkContentFields
        @usableFromInline init(_ fields: LinkContentFields) { self.fields = fields }
    }

    @usableFromInline var shared: Shared

    package init(_ fields: LinkContentFields) { shared = Shared(fields) }

    package init(
        route: Route? = nil, routeParameters: [String: String] = [:],
        queryParameters: [String: String] = [:], urls: PlatformURLs = [:], redeemLimit: Int = 0,
        validFrom: Timestamp? = nil, expiresAt: Timestamp? = nil, maxClicks: Int? = nil, social: SocialCard? = nil,
        campaign: CampaignRequest? = nil, tags: [String] = [], labels: LinkLabels = LinkLabels(),
        forwardQuery: Bool? = nil, queryOverride: Bool? = nil, redirectStatus: Int? = nil, onExpired: WebURL? = nil,
        clickDetail: ClickDetail? = nil, disabled: Bool = false, rules: [Rule] = [],
        minimumVersions: MinimumVersions? = nil,
        firebase: FirebaseParameters? = nil, importedClicks: Int? = nil
    ) {
        self.init(
            LinkContentFields(
                route: route, routeParameters: routeParameters, queryParameters: queryParameters, urls: urls,
                redeemLimit: redeemLimit, validFrom: validFrom, expiresAt: expiresAt, maxClicks: maxClicks,
                social: social, campaign: campaign, tags: tags, labels: labels,
                forwardQuery: forwardQuery, queryOverride: queryOverride, redirectStatus: redirectStatus,
                onExpired: onExpired, clickDetail: clickDetail, disabled: disabled, rules: rules,
                minimumVersions: minimumVersions,
                firebase: firebase, importedClicks: importedClicks))
    }

    /// The fields. Inlined so that the compiler knows the key path and accesses the field directly.
    @inlinable
    package subscript<Value>(dynamicMember field: WritableKeyPath<LinkContentFields, Value>) -> Value {
        @inline(__always) get { shared.fields[keyPath: field] }
        @inline(__always) set {
            var fields = shared.fields
            fields[keyPath: field] = newValue
            shared = Shared(fields)
        }
    }

    @usableFromInline
    package static func == (one: LinkContent, other: LinkContent) -> Bool {
        one.shared === other.shared || one.shared.fields == other.shared.fields
    }
}

/// The fields of `LinkContent`.
@usableFromInline
package struct LinkContentFields: Sendable, Equatable {
    package var route: Route?
    /// Values by name as text; numbers and booleans keep their original text.
    package var routeParameters: [String: String] = [:]
    package var queryParameters: [String: String] = [:]
    package var urls: PlatformURLs = [:]
    /// How many resolves receive the metadata; 0 means unlimited.
    package var redeemLimit = 0
    package var validFrom: Timestamp?
    package var expiresAt: Timestamp?
    package var maxClicks: Int?
    package var social: SocialCard?
    package var campaign: CampaignRequest?
    package var tags: [String] = []
    package var labels = LinkLabels()
    /// Nil: the application's setting.
    package var forwardQuery: Bool?
    /// Whether a parameter of the click replaces the link's own with the same name. Nil: the application's setting.
    package var queryOverride: Bool?
    /// 301, 302, 307 or 308. Nil: the application's.
    package var redirectStatus: Int?
    /// Where visitors go once the link has expired. Nil: the application's.
    package var onExpired: WebURL?
    /// How much of its clicks is stored, if less than the application's level. Nil: the application's.
    package var clickDetail: ClickDetail?
    package var disabled = false
    /// The first match takes precedence over `urls` and the template.
    package var rules: [Rule] = []
    /// The minimum versions of the installed app; the application's apply where one is nil.
    package var minimumVersions: MinimumVersions?
    /// Of a link that was made as a Firebase Dynamic Link: the parameters that took effect.
    package var firebase: FirebaseParameters?
    /// How often the link was followed at the service that it was imported from; never a part of its clicks here.
    package var importedClicks: Int?
    /// What visitors must know, as its hash.
    package var password: LinkPassword?
    /// Further addresses under which the link answers: its earlier slugs, oldest first, and those that it was created with.
    /// Stores keep them when the content is replaced.
    package var aliases: [LinkAlias] = []
    /// The whole URL of a long link, which has no slug. Never stored.
    package var longLink: String?
}

extension LinkContentFields {
    package static var empty: LinkContentFields { LinkContentFields() }
}

extension LinkContentFields {
    package var title: String? {
        get { labels[.title] }
        set { labels[.title] = newValue }
    }

    package var note: String? {
        get { labels[.note] }
        set { labels[.note] = newValue }
    }
}

extension LinkContent {
    /// The route that requires a template of the application; nil for a link with URLs of its own.
    package var templateRoute: String? { self.urls.isEmpty ? self.route?.text : nil }

    /// Whether the route, a label or one of the destinations contains the text literally.
    package func isFound(by search: LiteralSearch) -> Bool {
        for case let text? in [self.route?.text, self.onExpired?.text] where search.isFound(in: text) { return true }
        if self.labels.entries.contains(where: { search.isFound(in: $0.value) }) { return true }
        for alias in self.aliases where search.isFound(in: alias.slug.text) { return true }
        return (Array(self.urls.values) + self.rules.flatMap(\.entries)).contains { entry in
            if search.isFound(in: entry.link.text) { return true }
            if case .url(let fallback)? = entry.fallback { return search.isFound(in: fallback.text) }
            return false
        }
    }

    /// The URLs and fallback URLs of the link itself and of its rules, and where it leads once it has expired.
    package func forEachDestination(_ body: (String) -> Void) {
        func visit(_ entry: URLEntry) {
            body(entry.link.text)
            if case .url(let fallback)? = entry.fallback { body(fallback.text) }
        }
        for entry in self.urls.values { visit(entry) }
        for rule in self.rules { for entry in rule.entries { visit(entry) } }
        if let url = self.onExpired { body(url.text) }
    }

    /// The approximate heap memory of the fields in bytes. A string of up to 15 bytes is stored inline; a longer one
    /// counts with its allocation's header.
    package var memorySize: Int {
        func size(_ text: String?) -> Int {
            guard let count = text?.utf8.count, count > 15 else { return 0 }
            return count + 32
        }
        let social = self.social
        let campaign = self.campaign
        let texts = [
            self.route?.text, social?.title, social?.description, campaign?.source, campaign?.medium, campaign?.name,
            campaign?.term, campaign?.content, self.onExpired?.text, self.password?.text,
        ]
        var total = texts.reduce(social == nil ? 0 : 64) { $0 + size($1) }
        for parameters in [self.routeParameters, self.queryParameters] where !parameters.isEmpty {
            total += 64
            for (name, value) in parameters { total += 64 + size(name) + size(value) }
        }
        for entry in self.urls.values { total += 160 + size(entry.link.text) }
        for tag in self.tags { total += 16 + size(tag) }
        for label in self.labels.entries { total += 64 + size(label.value) }
        for alias in self.aliases { total += 32 + size(alias.slug.text) + size(alias.domain?.text) }
        for entry in self.firebase?.entries ?? [] { total += 32 + size(entry.value) }
        for rule in self.rules {
            total += 400 + size(rule.name)
            for entry in rule.entries { total += 160 + size(entry.link.text) }
        }
        return total
    }
}

extension Link {
    /// Whether a search for this text finds the link.
    package func isFound(by search: LiteralSearch) -> Bool {
        search.isFound(in: slug.text) || content.isFound(by: search)
    }
}

/// Link previews, shown as Open Graph tags.
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

/// URLs by platform; an entry overrides the template's for that platform.
package typealias PlatformURLs = [Platform: URLEntry]

/// The destination for one platform: a URL pattern, and the fallback without the app.
package struct URLEntry: Sendable, Equatable {
    package var link: URLPattern
    package var fallback: Fallback?
    package init(link: URLPattern, fallback: Fallback?) {
        self.link = link
        self.fallback = fallback
    }
}

/// The destination of visitors without the app.
package enum Fallback: Sendable, Equatable {
    case store
    case web
    case url(WebURL)

    /// The text in the API: `store`, `web` or the URL.
    package var text: String {
        switch self {
        case .store: "store"
        case .web: "web"
        case .url(let url): url.text
        }
    }
}

extension [String: String] {
    /// Sorted by name, so that equal parameters give equal text and problems have a stable order.
    package var inOrderOfNames: [Element] {
        // Most links have at most one: sorting would allocate two arrays.
        count > 1 ? sorted { $0.key < $1.key } : Array(self)
    }
}
