import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Token buckets for any number of callers in a fixed amount of memory, shared by all loops.
///
/// A bucket is one number: the time at which it will be full again (the generic cell rate algorithm, GCRA). Full
/// buckets are not stored, so a caller without a bucket is treated like a new one. The table is set-associative; when
/// a set is full, its fullest bucket is evicted. A caller can lose an empty bucket that way only after emptying eight
/// others in the same set, and can't choose the set, because the hash has a secret key.
package final class RateLimiter: Sendable {
    /// The owner of a bucket, as a keyed hash.
    package struct Caller: Sendable {
        fileprivate let hash: UInt64

        /// - Parameter key: distinguishes callers that share an address; nil if only the address counts.
        package init(_ peer: Peer, key: String? = nil, kind: UInt8) {
            let subscriber = peer.subscriber
            var hasher = Hasher()
            hasher.combine(kind)
            hasher.combine(subscriber.addressBits.high)
            hasher.combine(subscriber.addressBits.low)
            hasher.combine(peer.isUnixSocket)
            hasher.combine(key)
            // 0 marks a slot without a bucket.
            hash = UInt64(bitPattern: Int64(hasher.finalize())) | 1
        }
    }

    private struct Table {
        var callers: [UInt64]
        /// In microseconds; at the same indices.
        var fullAt: [Int64]
    }

    /// A class of its own, because an array can't hold a lock.
    private final class Shard: Sendable {
        let table: Mutex<Table>

        init(slots: Int) {
            table = Mutex(
                Table(callers: Array(repeating: 0, count: slots), fullAt: Array(repeating: .min, count: slots)))
        }
    }

    private static let ways = 8
    private static let shardCount = 64
    private let shards: [Shard]
    private let setsPerShard: UInt64
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - slots: number of buckets that can be stored, 16 bytes each; rounded up to a power of two, at least 512.
    ///     Default: 65,536 (1 MiB).
    ///   - clock: a monotonic clock in microseconds. Default: the system's.
    package init(slots: Int = 65_536, clock: (@Sendable () -> Int64)? = nil) {
        var sets = 1
        while sets * Self.ways * Self.shardCount < slots { sets *= 2 }
        setsPerShard = UInt64(sets)
        shards = (0..<Self.shardCount).map { _ in Shard(slots: sets * Self.ways) }
        self.clock = clock ?? { Self.monotonicMicroseconds }
    }

    /// Takes tokens out of a bucket if it holds at least one. Missing tokens become a debt that later requests wait
    /// for, so that a large request is possible but not free.
    ///
    /// - Parameter tokens: at least 0; 0 only checks.
    package func take(_ tokens: Int = 1, from caller: Caller, _ limit: RateLimit) -> RateLimitOutcome {
        let now = clock()
        return withSet(of: caller) { table, slots in
            let slot = slots.first { table.callers[$0] == caller.hash }
            let fullAt = max(slot.map { table.fullAt[$0] } ?? now, now)
            let excess = fullAt - now - limit.tolerance
            guard excess <= 0 else { return .refused(retryAfter: Self.seconds(excess)) }
            guard tokens > 0 else { return .admitted }
            let target = slot ?? slots.min { table.fullAt[$0] < table.fullAt[$1] } ?? slots.lowerBound
            table.callers[target] = caller.hash
            table.fullAt[target] = fullAt + Self.cost(tokens, limit)
            return .admitted
        }
    }

    /// Adds to a caller's debt, whether or not there is a token. Does nothing if the caller has no bucket any more.
    ///
    /// - Parameter most: upper bound of the debt, in tokens below a full bucket; nil for no bound.
    package func charge(_ tokens: Int, to caller: Caller, _ limit: RateLimit, atMost most: Int? = nil) {
        let now = clock()
        withSet(of: caller) { table, slots in
            guard tokens > 0, let slot = slots.first(where: { table.callers[$0] == caller.hash }) else { return }
            let fullAt = max(table.fullAt[slot], now)
            let bound = most.map { max(fullAt, now + Self.cost($0, limit)) } ?? .max
            table.fullAt[slot] = min(fullAt + Self.cost(tokens, limit), bound)
        }
    }

    private func withSet<Result>(of caller: Caller, _ body: (inout Table, Range<Int>) -> sending Result) -> Result {
        let shard = shards[Int(truncatingIfNeeded: (caller.hash >> 1) & UInt64(Self.shardCount - 1))]
        let set = Int(truncatingIfNeeded: (caller.hash >> 7) & (setsPerShard - 1))
        return shard.table.withLock { table in
            body(&table, set * Self.ways..<(set + 1) * Self.ways)
        }
    }

    /// A request costs at most as many tokens as a bucket can hold.
    private static func cost(_ tokens: Int, _ limit: RateLimit) -> Int64 {
        Int64(min(tokens, RateLimit.range.upperBound)) * limit.interval
    }

    private static func seconds(_ microseconds: Int64) -> Int {
        max(1, Int((microseconds + 999_999) / 1_000_000))
    }

    private static var monotonicMicroseconds: Int64 {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

/// A rate limit: a bucket that holds `burst` tokens and gets `perMinute` new ones a minute.
package struct RateLimit: Sendable, Equatable {
    /// Valid range of both numbers.
    package static let range = 1...1_000_000

    package let perMinute: Int
    package let burst: Int

    /// Nil if a number is out of range.
    package init?(perMinute: Int, burst: Int) {
        guard Self.range.contains(perMinute), Self.range.contains(burst) else { return nil }
        self.perMinute = perMinute
        self.burst = burst
    }

    /// Microseconds until the next token.
    var interval: Int64 { 60_000_000 / Int64(perMinute) }
    /// Microseconds in which an empty bucket regains all tokens but one.
    var tolerance: Int64 { Int64(burst - 1) * interval }
}

/// Whether there was a token.
package enum RateLimitOutcome: Sendable, Equatable {
    case admitted
    /// - Parameter retryAfter: whole seconds until there is a token, at least 1.
    case refused(retryAfter: Int)
}
