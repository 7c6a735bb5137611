/// What a link says: everything that its creator gives, apart from its address.
///
/// All copies share one object until one of them is changed: a link is passed on some ten times between a request and its
/// answer, and most of its fields are references, each with a count that a copy has to raise.
@dynamicMemberLookup
@usableFromInline
package struct LinkContent: Sendable, Equatable {
    @usableFromInline
    final class Shared: Sendable {
        @usableFromInline let fields: LinkContentFields
        @usableFromInline init(_ fields: LinkContentFields) { self.fields = fields }
    }

    @usableFromInline var shared: Shared

    init(_ fields: LinkContentFields) { shared = Shared(fields) }

    package init(
        route: Route? = nil, routeParameters: [String: String] = [:],
        queryParameters: [String: String] = [:], urls: PlatformURLs = [:], redeemLimit: Int = 0,
        validFrom: Timestamp? = nil, expiresAt: Timestamp? = nil, maxClicks: Int? = nil, social: SocialCard? = nil,
        campaign: Campaign? = nil, tags: [String] = [], title: String? = nil, note: String? = nil,
        forwardQuery: Bool? = nil, disabled: Bool = false, rules: [Rule] = [], minimumVersions: MinimumVersions? = nil,
        firebase: FirebaseParameters? = nil
    ) {
        self.init(
            LinkContentFields(
                route: route, routeParameters: routeParameters, queryParameters: queryParameters, urls: urls,
                redeemLimit: redeemLimit, validFrom: validFrom, expiresAt: expiresAt, maxClicks: maxClicks,
                social: social, campaign: campaign, tags: tags, title: title, note: note,
                forwardQuery: forwardQuery, disabled: disabled, rules: rules, minimumVersions: minimumVersions,
                firebase: firebase))
    }

    /// The fields. Inlined because the compiler then knows the path, and reads the field as if it were named.
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
    /// Name → value as text; numbers and booleans keep the text they were sent with.
    package var routeParameters: [String: String] = [:]
    package var queryParameters: [String: String] = [:]
    package var urls: PlatformURLs = [:]
    /// How many resolves may receive the metadata; 0 is unlimited.
    package var redeemLimit = 0
    package var validFrom: Timestamp?
    package var expiresAt: Timestamp?
    package var maxClicks: Int?
    package var social: SocialCard?
    package var campaign: Campaign?
    package var tags: [String] = []
    /// For the link's owner only, as `note` is: in no answer to visitors.
    package var title: String?
    package var note: String?
    /// nil leaves it to the application.
    package var forwardQuery: Bool?
    package var disabled = false
    /// The first that matches wins over `urls` and template.
    package var rules: [Rule] = []
    /// The versions of the installed app that the link needs; where one is nil, the application's applies.
    package var minimumVersions: MinimumVersions?
    /// Of a link that was made as a Firebase Dynamic Link: the parameters that took effect.
    package var firebase: FirebaseParameters?
}

extension LinkContent {
    /// The route that needs a template of the application: a link with URLs of its own needs none.
    package var templateRoute: String? { self.urls.isEmpty ? self.route?.text : nil }

    /// Whether the route, the title, the note or one of the destinations contains the literal text.
    package func isFound(by search: LiteralSearch) -> Bool {
        for case let text? in [self.route?.text, self.title, self.note] where search.isFound(in: text) { return true }
        return (Array(self.urls.values) + self.rules.flatMap(\.entries)).contains { entry in
            if search.isFound(in: entry.link.text) { return true }
            if case .url(let fallback)? = entry.fallback { return search.isFound(in: fallback.text) }
            return false
        }
    }

    /// Roughly the memory behind the fields, in bytes. A string counts for what is beyond the 15 bytes that a String holds
    /// in place, with its allocation's header.
    package var memorySize: Int {
        func size(_ text: String?) -> Int {
            guard let count = text?.utf8.count, count > 15 else { return 0 }
            return count + 32
        }
        let social = self.social
        let campaign = self.campaign
        let texts = [
            self.route?.text, social?.title, social?.description, campaign?.source, campaign?.medium, campaign?.name,
            campaign?.term, campaign?.content, self.title, self.note,
        ]
        var total = texts.reduce(social == nil ? 0 : 64) { $0 + size($1) }
        for parameters in [self.routeParameters, self.queryParameters] where !parameters.isEmpty {
            total += 64
            for (name, value) in parameters { total += 64 + size(name) + size(value) }
        }
        for entry in self.urls.values { total += 160 + size(entry.link.text) }
        for tag in self.tags { total += 16 + size(tag) }
        for entry in self.firebase?.entries ?? [] { total += 32 + size(entry.value) }
        for rule in self.rules {
            total += 400
            for entry in rule.entries { total += 160 + size(entry.link.text) }
        }
        return total
    }

    /// What is wrong with the content's size; nil where it is small enough to be stored.
    ///
    /// The one bound on what a link costs wherever it is loaded, answered or searched: the bounds on its parts would add up
    /// to a mebibyte.
    package var sizeProblem: String? {
        // Without URLs and rules of its own a link is made of parts that are short together.
        if self.rules.isEmpty, self.urls.isEmpty, self.routeParameters.isEmpty { return nil }
        let size = LinkContentCodec.encode(self).count
        guard size > LinkLimits.content else { return nil }
        return "the link takes \(size) bytes without its metadata; at most \(LinkLimits.content) are stored"
    }
}

extension Link {
    /// Whether a listing of that text gives this link.
    package func isFound(by search: LiteralSearch) -> Bool {
        search.isFound(in: slug.text) || content.isFound(by: search)
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

    /// As the interface has it: `store`, `web` or the URL.
    package var text: String {
        switch self {
        case .store: "store"
        case .web: "web"
        case .url(let url): url.text
        }
    }
}
