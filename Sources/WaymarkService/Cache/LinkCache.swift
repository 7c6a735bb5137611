import Synchronization
package import WaymarkLinks

/// Links in memory for all event loops, limited in bytes, in shards with one lock each.
///
/// Coherent: when `invalidate` returns, neither the cache nor any link it has returned serves the old value. The
/// shard's epoch rejects a fill that began earlier:
///
///     visit                                   change
///     beginFill: epoch 7
///     reads version 1 from the store
///                                             the store commits version 2
///                                             invalidate: epoch 8, nothing to remove
///                                             responds
///     insert with epoch 7: rejected, and the
///     link is marked stale, so that no loop
///     keeps it either
///
/// Eviction is CLOCK: a hit sets a flag and moves nothing.
package final class LinkCache: Sendable {
    /// The state of a shard before the store was read.
    package struct Fill: Sendable { fileprivate let epoch: UInt64 }

    /// An array can't contain a `Mutex` directly.
    private final class Shard: Sendable {
        let state: Mutex<LinkCacheShard>
        init(byteLimit: Int) { state = Mutex(LinkCacheShard(byteLimit: byteLimit)) }
    }

    private static let shardBits = 4
    private let shards: [Shard]

    package init(byteLimit: Int) {
        let count = 1 << Self.shardBits
        shards = (0..<count).map { _ in Shard(byteLimit: max(0, byteLimit) / count) }
    }

    /// The link if it is cached and not stale.
    package func link(at key: LinkKey) -> CachedLink? {
        guard let cached = shard(of: key).state.withLock({ $0.link(at: key) }) else { return nil }
        cached.noteUse()
        return cached
    }

    /// The link if it is cached, even if another server may have changed it meanwhile.
    func remembered(at key: LinkKey) -> CachedLink? {
        guard let cached = shard(of: key).state.withLock({ $0.remembered(at: key) }) else { return nil }
        cached.noteUse()
        return cached
    }

    /// Marks all links as possibly changed by another server since `uptime`: they are no longer served, but remembered.
    func doubtAll(since uptime: Int64) {
        for shard in shards { shard.state.withLock { $0.doubtAll(since: uptime) } }
    }

    /// Must be called before the store is read for `insert`.
    package func beginFill(_ key: LinkKey) -> Fill {
        Fill(epoch: shard(of: key).state.withLock { $0.epoch })
    }

    /// Stores the link, unless something in its shard was invalidated since `beginFill`; then the link is only valid
    /// for the visit that loaded it.
    @discardableResult
    package func insert(_ cached: CachedLink, at key: LinkKey, fill: Fill) -> Bool {
        let kept = shard(of: key).state.withLock { $0.insert(cached, at: key, epoch: fill.epoch) }
        if !kept { cached.markStale() }
        return kept
    }

    /// Removes the link everywhere. Must be called after the store has committed and before the change is acknowledged.
    package func invalidate(_ key: LinkKey) {
        shard(of: key).state.withLock { $0.invalidate(key) }
    }

    /// The same, also under the key that it has where case is ignored.
    package func invalidate(_ domain: HostName, _ slug: Slug) {
        let (key, folded) = (LinkKey(domain, slug), LinkKey(domain, caseFolded: slug))
        invalidate(key)
        if folded != key { invalidate(folded) }
    }

    package func removeAll() {
        for shard in shards { shard.state.withLock { $0.removeAll() } }
    }

    /// The cache's size and hit counts.
    package struct Metrics: Sendable, Equatable {
        package var links = 0
        /// Estimated.
        package var bytes = 0
        package var hits = 0
        package var misses = 0
        /// Links evicted to free space.
        package var evictions = 0
    }

    package var metrics: Metrics {
        shards.reduce(into: Metrics()) { total, shard in
            shard.state.withLock { state in
                total.links += state.count
                total.bytes += state.bytes
                total.hits += state.hits
                total.misses += state.misses
                total.evictions += state.evictions
            }
        }
    }

    private func shard(of key: LinkKey) -> Shard {
        shards[key.hashValue & (shards.count - 1)]
    }
}

/// The key of a link in lookups: its domain and slug, or its folded slug where case is ignored.
package struct LinkKey: Hashable, Sendable {
    package let domain: HostName
    package let name: String

    package init(_ domain: HostName, _ slug: Slug) {
        self.domain = domain
        name = slug.text
    }

    package init(_ domain: HostName, caseFolded slug: Slug) {
        self.domain = domain
        name = slug.caseFolded
    }
}
