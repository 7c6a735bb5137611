/// The number that a store gives a link; never reused, never shown except inside click ids.
package struct LinkID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A moment as whole milliseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (one: Timestamp, other: Timestamp) -> Bool { one.rawValue < other.rawValue }
}

/// A smart link as a store keeps it, without its metadata: that is only ever read by a redeem or by an operator.
package struct Link: Sendable, Equatable {
    package let id: LinkID
    package let application: ApplicationID
    package let domain: HostName
    package let slug: Slug
    /// What the creator gave and may change later.
    package var content: LinkContent
    /// Whether metadata is stored beside the link.
    package var hasMetadata: Bool
    /// How many resolves have received the metadata under the limit; counted only where there are metadata and a limit.
    package var redeemed: Int
    /// People's clicks that have reached the store.
    package var clicks: Int
    /// Clicks that servers reserved under `content.maxClicks`; never more than it.
    package var reservedClicks: Int
    package let createdAt: Timestamp
    package var updatedAt: Timestamp
    /// 1 at creation, one more with each patch, and with nothing else.
    package var version: Int
}

/// What a link says: everything that its creator gives, apart from where it stands.
package struct LinkContent: Sendable, Equatable {
    package var route: Route?
    /// Name → value as text; numbers and booleans keep the text they were sent with.
    package var routeParameters: [String: ParameterValue]
    package var queryParameters: [String: ParameterValue]
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
}

/// A parameter's value: what is filled into URLs, and whether it was sent as a string, a number or a boolean, so that
/// the answer gives back what came in.
package struct ParameterValue: Sendable, Hashable {
    package enum Kind: UInt8, Sendable { case string, number, boolean }
    package let kind: Kind
    package let text: String
    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
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
