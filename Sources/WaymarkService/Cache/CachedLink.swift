import Synchronization
package import WaymarkLinks

/// A link in memory, together with the application that it was read under.
///
/// Event loops keep these in tables of their own. They must look at `isStale` on a hit whenever `InvalidationEpoch` has moved since
/// they did so last: it is how a change on any thread reaches them. A link that has left the shared cache, for whatever reason, is stale, because from then on no
/// change would find it. One that another server may have changed without this one hearing of it is stale too, and
/// remembered: it may be served while the store is away.
package final class CachedLink: Sendable {
    private static let unlimited = Int64.max
    private static let never = Int64.min

    // First what every hit looks at: the link is long, and mostly far from the processor.

    /// When it was the store's, or later, in milliseconds of uptime: `unlimited` as long as every change is heard of,
    /// `never` once it has been changed or has left the cache.
    private let goodUntil: Atomic<Int64>
    /// Set by each hit, cleared by the hand of the cache's clock. Not set at first, so that links that are visited once
    /// push out one another and not those in use.
    let isUsed = Atomic<Bool>(false)
    package let application: ServedApplication

    /// As it was read, except that of a link with `maxClicks` both click counts are 0: the allowance decides, not
    /// counts that may be old.
    package let link: Link
    /// Where there is a `maxClicks`; nil where clicks are unlimited.
    package let quota: ClickQuota?
    /// The campaign of its clicks.
    package let campaign: Click.Name?
    let byteCount: Int

    /// - Parameter goodUntil: Where changes may be missed, the uptime before it was read; nil where they are heard of.
    init(_ link: Link, application: ServedApplication, quota: ClickQuota?, goodUntil: Int64? = nil) {
        self.goodUntil = Atomic(goodUntil ?? Self.unlimited)
        var link = link
        if quota != nil {
            link.clicks = 0
            link.reservedClicks = 0
        }
        self.link = link
        campaign = link.content.campaign?.name.map { Click.Name($0) }
        self.application = application
        self.quota = quota
        byteCount = Self.byteCount(of: link)
    }

    /// Two atomic loads.
    package var isStale: Bool { goodUntil.load(ordering: .acquiring) != Self.unlimited || application.isReplaced }

    /// Until when nothing else was in the store, in milliseconds of uptime; nil where that is over and known.
    var rememberedSince: Int64? {
        let uptime = goodUntil.load(ordering: .acquiring)
        return uptime == Self.never || application.isReplaced ? nil : uptime
    }

    /// Keeps it from being evicted. To be called by a loop that serves the link from its own table whenever it has looked
    /// at `isStale`: each eviction moves `InvalidationEpoch`, so none passes without it.
    package func noteUse() {
        if !isUsed.load(ordering: .relaxed) { isUsed.store(true, ordering: .relaxed) }
    }

    func markStale() {
        goodUntil.store(Self.never, ordering: .releasing)
        InvalidationEpoch.shared.move()
    }

    /// Another server may have changed it since `uptime`. Stale links stay as they are.
    func doubt(since uptime: Int64) {
        _ = goodUntil.compareExchange(
            expected: Self.unlimited, desired: uptime, ordering: .acquiringAndReleasing)
        InvalidationEpoch.shared.move()
    }

    /// The link as a visit that is told "exhausted" must be decided by.
    package var exhaustedLink: Link {
        var exhausted = link
        exhausted.clicks = max(link.clicks, link.content.maxClicks ?? 0)
        return exhausted
    }

    /// Roughly what the link takes up in memory: the fixed parts of the object and of the cache's entry, and its content.
    private static func byteCount(of link: Link) -> Int {
        let slug = link.slug.text.utf8.count
        return 900 + (slug > 15 ? slug + 32 : 0) + link.content.memorySize
    }
}
