/// A timer wheel: buckets of registrations, by the tick at which to check them again.
///
/// Lazy: an entry means "check", not "fire". The caller compares the actual deadline and inserts the registration
/// again if it has moved, so moving a deadline later costs nothing here. It has no clock: the caller passes the time.
struct TimerWheel {
    struct Entry {
        var registration: Registration
        var tick: Int64
    }

    /// Milliseconds per tick: deadlines fire late by about this much, never early.
    static let resolution: Int64 = 32
    /// Ticks with their own bucket (half a minute ahead); later entries wait in the last bucket and are inserted
    /// again.
    private static let span: Int64 = 1_024

    private var buckets = [[Entry]](repeating: [], count: Int(span))
    /// One bit per non-empty bucket, to find the next without visiting all.
    private var occupied = [UInt64](repeating: 0, count: Int(span) / 64)
    /// Ticks up to and including this one have been processed.
    private var current: Int64
    private var count = 0
    /// The earliest tick that has an entry; `.max` if there is none. Cached, because a loop reads it every turn.
    private var nextTick = Int64.max

    init(now: CoarseInstant) {
        current = now.milliseconds / Self.resolution
    }

    /// The first tick at or after `instant`.
    static func tick(for instant: CoarseInstant) -> Int64 {
        instant.milliseconds / resolution &+ (instant.milliseconds % resolution == 0 ? 0 : 1)
    }

    /// Inserts a registration; returns the tick at which it will be checked.
    mutating func insert(_ registration: Registration, at instant: CoarseInstant) -> Int64 {
        let tick = min(max(Self.tick(for: instant), current &+ 1), current &+ Self.span &- 1)
        let bucket = Int(tick % Self.span)
        buckets[bucket].append(Entry(registration: registration, tick: tick))
        occupied[bucket >> 6] |= 1 << UInt64(bucket & 63)
        count += 1
        nextTick = min(nextTick, tick)
        return tick
    }

    /// When the next non-empty bucket is due; nil if all are empty.
    var next: CoarseInstant? {
        nextTick == .max ? nil : CoarseInstant(milliseconds: nextTick &* Self.resolution)
    }

    private func findNext() -> Int64 {
        guard count > 0 else { return .max }
        let start = Int((current &+ 1) % Self.span)
        var bucket = start
        var checked = 0
        while checked <= Int(Self.span) {
            let word = occupied[bucket >> 6] >> UInt64(bucket & 63)
            if word != 0 {
                let found = bucket + word.trailingZeroBitCount
                let distance = (found - start + Int(Self.span)) % Int(Self.span)
                return current &+ 1 &+ Int64(distance)
            }
            let step = 64 - (bucket & 63)
            bucket = (bucket + step) % Int(Self.span)
            checked += step
        }
        return .max
    }

    /// Removes all due entries.
    mutating func advance(to now: CoarseInstant, into due: inout [Entry]) {
        let target = now.milliseconds / Self.resolution
        guard target > current else { return }
        if count > 0 {
            // After a long sleep each bucket is visited only once, not once per round.
            for tick in max(current &+ 1, target &- Self.span &+ 1)...target {
                let bucket = Int(tick % Self.span)
                guard !buckets[bucket].isEmpty else { continue }
                count -= buckets[bucket].count
                due.append(contentsOf: buckets[bucket])
                // An emptied bucket frees the memory of a past crowd.
                buckets[bucket].removeAll(keepingCapacity: buckets[bucket].count <= 64)
                occupied[bucket >> 6] &= ~(1 << UInt64(bucket & 63))
            }
        }
        current = target
        if nextTick <= target { nextTick = findNext() }
    }
}
