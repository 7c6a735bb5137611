import Synchronization

/// One shard of the link cache: a table and the clock's ring over it. Not thread-safe.
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
    /// Moves with every invalidation.
    private(set) var epoch: UInt64 = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var count: Int { indexes.count }

    /// The link, where it is there and not stale.
    mutating func link(at key: LinkKey) -> CachedLink? {
        guard let index = indexes[key], let cached = slots[index]?.cached, !cached.isStale else {
            misses &+= 1
            return nil
        }
        hits &+= 1
        return cached
    }

    /// The link, where it is there and may be one that has been changed; no hit and no miss.
    func remembered(at key: LinkKey) -> CachedLink? {
        guard let index = indexes[key], let cached = slots[index]?.cached, cached.rememberedSince != nil else {
            return nil
        }
        return cached
    }

    /// Another server may have changed any of them since `uptime`.
    mutating func doubtAll(since uptime: Int64) {
        epoch &+= 1
        for slot in slots { slot?.cached.doubt(since: uptime) }
    }

    /// False where the epoch has moved, or the link alone is too large.
    mutating func insert(_ cached: CachedLink, at key: LinkKey, epoch: UInt64) -> Bool {
        guard epoch == self.epoch, cached.byteCount <= byteLimit else {
            // What was read is newer than what is only remembered.
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

    /// The hand passes over links that were used since it came by last. Only called while there is a link; the second
    /// round finds none used unless every one was hit in between, so a bound of two rounds makes it end.
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
