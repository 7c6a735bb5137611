import Synchronization

/// One shard of the link cache: a table with a CLOCK ring. Not thread-safe.
struct LinkCacheShard {
    private struct Slot {
        var key: LinkKey
        var cached: CachedLink
    }

    private let byteLimit: Int
    private var indexes: [LinkKey: Int] = [:]
    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var hand = 0
    private(set) var bytes = 0
    private(set) var hits = 0
    private(set) var misses = 0
    private(set) var evictions = 0
    /// Incremented by every invalidation.
    private(set) var epoch: UInt64 = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var count: Int { indexes.count }

    /// The link if it is present and not stale.
    mutating func link(at key: LinkKey) -> CachedLink? {
        guard let index = indexes[key], let cached = slots[index]?.cached, !cached.isStale else {
            misses &+= 1
            return nil
        }
        hits &+= 1
        return cached
    }

    /// The link if it is present, even if possibly changed; counts as neither hit nor miss.
    func remembered(at key: LinkKey) -> CachedLink? {
        guard let index = indexes[key], let cached = slots[index]?.cached, cached.rememberedSince != nil else {
            return nil
        }
        return cached
    }

    /// Another server may have changed any link since `uptime`.
    mutating func doubtAll(since uptime: Int64) {
        epoch &+= 1
        for slot in slots { slot?.cached.doubt(since: uptime) }
    }

    /// False if the epoch has changed, or the link alone is too large.
    mutating func insert(_ cached: CachedLink, at key: LinkKey, epoch: UInt64) -> Bool {
        guard epoch == self.epoch, cached.byteCount <= byteLimit else {
            // The link just loaded is newer than the remembered one.
            if let index = indexes[key], slots[index]?.cached.isStale == true { remove(key) }
            return false
        }
        remove(key)
        while bytes + cached.byteCount > byteLimit { evictOne() }
        let slot = Slot(key: key, cached: cached)
        let index: Int
        if let reused = free.popLast() {
            index = reused
            slots[index] = slot
        } else {
            index = slots.count
            slots.append(slot)
        }
        indexes[key] = index
        bytes += cached.byteCount
        return true
    }

    mutating func invalidate(_ key: LinkKey) {
        epoch &+= 1
        remove(key)
    }

    mutating func removeAll() {
        epoch &+= 1
        for slot in slots { slot?.cached.markStale() }
        indexes = [:]
        slots = []
        free = []
        hand = 0
        bytes = 0
    }

    private mutating func remove(_ key: LinkKey) {
        guard let index = indexes.removeValue(forKey: key), let slot = slots[index] else { return }
        slot.cached.markStale()
        bytes -= slot.cached.byteCount
        slots[index] = nil
        free.append(index)
    }

    /// The hand skips links used since its last pass. Only called if there is a link. The second pass finds an unused
    /// one unless all were hit in between, so two passes are a bound.
    private mutating func evictOne() {
        for step in 0..<(2 * slots.count) {
            let index = hand
            hand = (hand + 1) % slots.count
            guard let slot = slots[index] else { continue }
            let isSecondRound = step >= slots.count
            if !isSecondRound, !slot.cached.isStale, slot.cached.isUsed.exchange(false, ordering: .relaxed) { continue }
            remove(slot.key)
            evictions &+= 1
            return
        }
        bytes = 0
    }
}
