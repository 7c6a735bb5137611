/// Buckets of registrations by the tick at which to look at them again.
///
/// Lazy: an entry says "look", not "fire". Whoever looks compares with the real deadline and enters it again where that
/// has moved on, so moving a deadline later costs nothing here. A value without a clock: the caller says what time it is.
struct TimerWheel {
    struct Entry {
        var registration: Registration
        var tick: Int64
    }

    /// Milliseconds in a tick: deadlines are kept to about this, never early.
    static let resolution: Int64 = 32
    /// Ticks ahead that have a bucket of their own (half a minute); later ones wait in the last and are entered again.
    private static let span: Int64 = 1_024

    private var buckets = [[Entry]](repeating: [], count: Int(span))
    /// One bit for each bucket that holds something, to find the next without visiting all.
    private var occupied = [UInt64](repeating: 0, count: Int(span) / 64)
    /// Ticks up to and including this one are done with.
    private var current: Int64
    private var count = 0
    /// The earliest tick that has an entry; `.max` where none has. Kept, because a loop asks with each turn.
    private var nextTick = Int64.max

    init(now: CoarseInstant) {
        current = now.milliseconds / Self.resolution
    }

    /// The first tick that is not before `instant`.
    static func tick(for instant: CoarseInstant) -> Int64 {
        instant.milliseconds / resolution &+ (instant.milliseconds % resolution == 0 ? 0 : 1)
    }

    /// Enters a registration to be looked at; returns the tick at which it will be.
    mutating func insert(_ registration: Registration, at instant: CoarseInstant) -> Int64 {
        let tick = min(max(Self.tick(for: instant), current &+ 1), current &+ Self.span &- 1)
        let bucket = Int(tick % Self.span)
        buckets[bucket].append(Entry(registration: registration, tick: tick))
        occupied[bucket >> 6] |= 1 << UInt64(bucket & 63)
        count += 1
        nextTick = min(nextTick, tick)
        return tick
    }

    /// When the next bucket that holds something is due; nil where none does.
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

    /// Takes out all that is due.
    mutating func advance(to now: CoarseInstant, into due: inout [Entry]) {
        let target = now.milliseconds / Self.resolution
        guard target > current else { return }
        if count > 0 {
            // After a long sleep each bucket is visited once, not once a round.
            for tick in max(current &+ 1, target &- Self.span &+ 1)...target {
                let bucket = Int(tick % Self.span)
                guard !buckets[bucket].isEmpty else { continue }
                count -= buckets[bucket].count
                due.append(contentsOf: buckets[bucket])
                // An emptied bucket keeps no memory of a crowd that has gone.
                buckets[bucket].removeAll(keepingCapacity: buckets[bucket].count <= 64)
                occupied[bucket >> 6] &= ~(1 << UInt64(bucket & 63))
            }
        }
        current = target
        if nextTick <= target { nextTick = findNext() }
    }
}
