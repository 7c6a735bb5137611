public import Synchronization
import WaymarkAPI
package import WaymarkBytes
package import WaymarkLinks

/// A link in memory with the application it was loaded with.
///
/// Event loops have these in their own tables. On a hit, they must check `isStale` whenever `InvalidationEpoch` has
/// moved since their last check: this is how changes on other threads reach them. A link that has left the shared
/// cache is stale for any reason, because later changes would not find it. A link that another server may have
/// changed unnoticed is also stale, but remembered: it may be served while the store is unavailable.
package final class CachedLink: Sendable {
    private static let unlimited = Int64.max
    private static let never = Int64.min

    // Hot fields first: the link is long and usually not in the CPU's caches.

    /// The time up to which it is known to match the store, in milliseconds of uptime: `unlimited` while all changes
    /// are received, `never` once it was changed or has left the cache.
    private let goodUntil: Atomic<Int64>
    /// Set by each hit, cleared by the cache's clock hand. Initially false, so that links visited once evict each
    /// other rather than those in use.
    let isUsed = Atomic<Bool>(false)
    package let application: ServedApplication

    /// The link as loaded, but with both click counts 0 if it has `maxClicks`: the quota decides, not counts that may
    /// be outdated.
    package let link: Link
    /// Set if there is a `maxClicks`; nil for unlimited clicks.
    package let quota: ClickQuota?
    /// The campaign recorded with its clicks.
    package let campaign: Click.Name?
    /// How much of its clicks is stored, by the application and the link.
    package let clickDetail: ClickDetail
    let byteCount: Int
    /// Of a long link: the secret of its click IDs.
    package let clickSecret: SipHash?

    /// - Parameter goodUntil: if changes may be missed, the uptime before it was loaded; otherwise nil.
    init(
        _ link: Link, application: ServedApplication, quota: ClickQuota?, goodUntil: Int64? = nil,
        clickSecret: SipHash? = nil
    ) {
        self.clickSecret = clickSecret
        self.goodUntil = Atomic(goodUntil ?? Self.unlimited)
        var link = link
        if quota != nil {
            link.clicks = 0
            link.freeClicks = 0
            link.reservedClicks = 0
        }
        self.link = link
        // Anybody can write a long link.
        let isVisitors = link.content.longLink != nil
        campaign = link.content.campaign?.name.map { Click.Name($0, isVisitors: isVisitors) }
        self.application = application
        clickDetail = application.application.clickDetail.strictest(link.content.clickDetail)
        rulesAskForQuery = [link.content.rules, application.application.rules].contains {
            $0.contains { !$0.when.query.isEmpty }
        }
        clickRules = link.content.rules.clickRules()
        self.quota = quota
        byteCount = Self.byteCount(of: link)
    }

    /// Whether rules of the link or its application decide.
    package var hasRules: Bool { !link.content.rules.isEmpty || !application.application.rules.isEmpty }
    /// Whether one of these rules looks at the query.
    package let rulesAskForQuery: Bool

    private let clickRules: [ClickRule]

    /// The number under which clicks are recorded by a rule of the link or its application.
    package func clickRule(_ applied: AppliedRule?) -> ClickRule {
        switch applied {
        case .link(let index): clickRules[index]
        case .application(let index): application.clickRules[index]
        case nil: .none
        }
    }

    /// What click IDs carry of a rule.
    package func ruleMark(_ applied: AppliedRule?) -> ClickRuleMark {
        applied == nil ? .none : ClickRuleMark(applied, link, application.application)
    }

    /// Costs two atomic loads.
    package var isStale: Bool { goodUntil.load(ordering: .acquiring) != Self.unlimited || application.isReplaced }

    /// The time up to which it matched the store, in milliseconds of uptime; nil if it is known to be outdated.
    var rememberedSince: Int64? {
        let uptime = goodUntil.load(ordering: .acquiring)
        return uptime == Self.never || application.isReplaced ? nil : uptime
    }

    /// Protects it from eviction. A loop that serves the link from its own table must call this whenever it has
    /// checked `isStale`: each eviction moves `InvalidationEpoch`, and so leads to that check.
    package func noteUse() {
        if !isUsed.load(ordering: .relaxed) { isUsed.store(true, ordering: .relaxed) }
    }

    func markStale() {
        goodUntil.store(Self.never, ordering: .releasing)
        InvalidationEpoch.shared.move()
        // The tables of event loops may refer to the quota for long.
        quota?.giveBack()
    }

    /// Another server may have changed it since `uptime`. Links already stale are unchanged.
    func doubt(since uptime: Int64) {
        _ = goodUntil.compareExchange(
            expected: Self.unlimited, desired: uptime, ordering: .acquiringAndReleasing)
        InvalidationEpoch.shared.move()
    }

    /// The link for visits beyond `maxClicks`, with the state "exhausted".
    package var exhaustedLink: Link {
        var exhausted = link
        exhausted.clicks = max(link.clicks, link.content.maxClicks ?? 0)
        return exhausted
    }

    /// The approximate memory of the link: the fixed parts of the object and of its cache entry, and its content.
    private static func byteCount(of link: Link) -> Int {
        let slug = link.slug.text.utf8.count
        return 900 + (slug > 15 ? slug + 32 : 0) + link.content.memorySize
    }
}

/// A counter of invalidations since the process started.
///
/// An event loop checks the sources of its own tables only if this has changed: those are rarely in the CPU's caches,
/// but this counter is.
///
/// Writers mark a value as stale before they move the counter, so a reader that sees the old number has at worst the
/// value from a moment before; and they move it before the change is acknowledged.
@usableFromInline
package final class InvalidationEpoch: Sendable {
    /// One per process, because the tables derived from a value are not known here.
    package static let shared = InvalidationEpoch()

    @usableFromInline let count = Atomic<Int>(0)

    private init() {}

    @inlinable package var current: Int { count.load(ordering: .acquiring) }

    func move() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

/// The result of looking up a host and slug.
package enum VisitLookup: Sendable {
    /// - Parameter atOpenHost: the host is the application's `openHost`.
    case found(CachedLink, atOpenHost: Bool)
    /// The host's applications by ID; none has the slug.
    case unknownSlug([ServedApplication])
    /// The host belongs to no application.
    case unknownHost
}
