/// The number of a link in its store; never reused, and only exposed inside click IDs.
@usableFromInline
package struct LinkID: RawRepresentable, Hashable, Sendable {
    @usableFromInline package let rawValue: Int64
    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The ID of links that are not stored; stores count from 1.
    package static let unstored = LinkID(rawValue: 0)

    /// A number for the clicks on an application's long links on one domain: random, so that it is never used again.
    package static func ofLongLinks() -> LinkID { LinkID(rawValue: -Int64.random(in: 1..<1 << 62)) }

    /// Whether clicks on long links are counted under this number, which no link has.
    @inlinable package var isOfLongLinks: Bool { rawValue < 0 }
}

/// A smart link as stored, without its metadata, which is only read by redeems and operators.
package struct Link: Sendable, Equatable {
    package let id: LinkID
    package let application: ApplicationID
    package let domain: HostName
    package var slug: Slug
    /// The creator's values, which may be changed later.
    package var content: LinkContent
    /// Whether metadata is stored for the link.
    package var hasMetadata: Bool
    /// How many resolves have received metadata under the limit; only counted if there are metadata and a limit.
    package var redeemed: Int
    /// Human clicks in the store.
    package var clicks: Int
    /// Those of them that used up nothing of `content.maxClicks`.
    package var freeClicks: Int
    /// Clicks reserved by servers under `content.maxClicks`; never more than it.
    package var reservedClicks: Int
    package let createdAt: Timestamp
    package var updatedAt: Timestamp
    /// 1 at creation, incremented by each patch and by each new slug.
    package var version: Int

    package init(
        id: LinkID, application: ApplicationID, domain: HostName, slug: Slug, content: LinkContent,
        hasMetadata: Bool = false, redeemed: Int = 0, clicks: Int = 0, freeClicks: Int = 0, reservedClicks: Int = 0,
        createdAt: Timestamp, updatedAt: Timestamp, version: Int = 1
    ) {
        self.id = id
        self.application = application
        self.domain = domain
        self.slug = slug
        self.content = content
        self.hasMetadata = hasMetadata
        self.redeemed = redeemed
        self.clicks = clicks
        self.freeClicks = freeClicks
        self.reservedClicks = reservedClicks
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }
}

/// The state of a link at a given time; the first that applies.
package enum LinkState: String, Sendable {
    case disabled, expired, exhausted, scheduled, active

    package static let all: [LinkState] = [.active, .scheduled, .expired, .exhausted, .disabled]
}

extension Link {
    /// The first state that applies. `maxClicks` is compared with human clicks in the store: reserved ones have not
    /// happened yet.
    ///
    /// - Parameter ignoringMaxClicks: for callers with the ID of a counted click.
    package func state(at now: Timestamp, ignoringMaxClicks: Bool = false) -> LinkState {
        if content.disabled { return .disabled }
        if let end = content.expiresAt, now >= end { return .expired }
        if !ignoringMaxClicks, isExhausted { return .exhausted }
        if let start = content.validFrom, now < start { return .scheduled }
        return .active
    }

    /// Clicks in the store that count towards `maxClicks`.
    private var spentClicks: Int { max(0, clicks - freeClicks) }

    /// Whether the clicks in the store use up `maxClicks`.
    package var isExhausted: Bool { content.maxClicks.map { spentClicks >= $0 } ?? false }

    /// The next time at which the state changes by itself; nil if it never does. A decision made before is valid
    /// until then.
    package func nextTransition(after now: Timestamp) -> Timestamp? {
        [content.validFrom, content.expiresAt].compactMap { $0 }.filter { $0 > now }.min()
    }

    /// The last time at which the state changed by itself; nil if it never did.
    package func lastTransition(before now: Timestamp) -> Timestamp? {
        [content.validFrom, content.expiresAt].compactMap { $0 }.filter { $0 <= now }.max()
    }

    /// The URL that people follow. Host and slug are the link's; scheme and port are those of `baseURL`, so that URLs
    /// also work in a development setup on `http://localhost:8080`. Without `baseURL`: https.
    package func smartlinkURL(_ application: Application) -> String {
        if let address = content.longLink { return address }
        var text = application.address(on: domain)
        text += "/"
        text += slug.encoded
        return text
    }

    /// Whether the click's own query parameters are forwarded.
    package func forwardsQuery(_ application: Application) -> Bool {
        content.forwardQuery ?? application.forwardQuery
    }

    /// Whether the click's query parameters replace the link's own with the same name.
    package func overridesQuery(_ application: Application) -> Bool {
        content.queryOverride ?? application.queryOverride
    }

    /// The status of redirects to web pages.
    package func redirectStatus(_ application: Application) -> Int {
        content.redirectStatus ?? application.redirectStatus
    }

    /// Where visitors go once the link has expired; nil: a page says so. An own URL that the application no longer permits
    /// does not count.
    package func expiredURL(_ application: Application) -> WebURL? {
        content.onExpired.flatMap { application.permits($0) ? $0 : nil } ?? application.onExpired
    }
}

extension Application {
    package func template(for route: Route) -> Template? { template(for: route.text) }

    /// - Parameter route: normalised, like `Route.text`.
    func template(for route: String) -> Template? {
        // Routes are ASCII. Texts that Swift considers equal but are not (the Kelvin sign and K) are longer.
        templates.first { $0.route.text == route && $0.route.text.utf8.count == route.utf8.count }
    }
}

extension Link {
    /// Saturates like the number of clicks; returns how many were added.
    @discardableResult
    package mutating func addFreeClicks(_ count: Int) -> Int {
        let added = min(count, .max - freeClicks)
        freeClicks += added
        return added
    }

    /// Reserved and counted clicks under `maxClicks`. Clicks from before the link had one were never reserved.
    package var takenClicks: Int { max(reservedClicks, spentClicks) }

    /// How many of `count` further clicks fit under `maxClicks`, and the resulting number of reserved clicks; nil if
    /// there is no `maxClicks`.
    package func reservation(upTo count: Int) -> (granted: Int, reserved: Int)? {
        guard let most = content.maxClicks else { return nil }
        guard count > 0, takenClicks < most else { return (0, reservedClicks) }
        let granted = min(count, most - takenClicks)
        return (granted, takenClicks + granted)
    }
}
