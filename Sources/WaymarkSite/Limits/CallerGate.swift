import Synchronization
import WaymarkServer
import WaymarkService

/// Holds callers to their limits. Safe to use from any thread; finished answers never come by here.
final class CallerGate: Sendable {
    private let limiter: RateLimiter
    private let limits: Mutex<CallerLimits>
    private let refusals = CallerLimits.Kind.allCases.map { _ in Counter() }

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    init(_ limits: CallerLimits, _ limiter: RateLimiter) {
        self.limits = Mutex(limits)
        self.limiter = limiter
    }

    /// Holds from now on; what callers have used up stays used up.
    func use(_ fresh: CallerLimits) {
        limits.withLock { $0 = fresh }
    }

    /// How many requests were refused.
    func refused(_ kind: CallerLimits.Kind) -> Int {
        refusals[Int(kind.number)].value.load(ordering: .relaxed)
    }

    /// Takes a token; the seconds to wait where there is none.
    func take(_ kind: CallerLimits.Kind, _ peer: Peer, key: KeyIdentity? = nil) -> Int? {
        ask(1, kind, peer, key)
    }

    /// Counts a visit of a slug that no link has; the seconds to wait where there were too many.
    ///
    /// Whoever goes on regardless runs into debt, by as much again as the bucket holds.
    func takeUnknownSlug(_ peer: Peer) -> Int? {
        guard let seconds = take(.unknownSlug, peer) else { return nil }
        if let limit = limit(.unknownSlug, peer) {
            limiter.charge(1, to: caller(.unknownSlug, peer, nil), limit, atMost: limit.burst * 2)
        }
        return seconds
    }

    /// Before the store is asked for a link: the seconds to wait where the caller has run into debt. A person who
    /// shares the address with somebody who guesses keeps their links until then; from then on whoever guesses neither
    /// learns anything more nor keeps the store busy.
    func refuseLookup(_ peer: Peer) -> Int? {
        guard let limit = limit(.unknownSlug, peer),
            let doubled = RateLimit(
                perMinute: limit.perMinute, burst: min(limit.burst * 2, RateLimit.range.upperBound)),
            limiter.take(0, from: caller(.unknownSlug, peer, nil), doubled) != .admitted
        else { return nil }
        return ask(0, .unknownSlug, peer, nil)
    }

    /// Adds to what a caller owes who was admitted before it was known how much they ask for.
    func charge(_ tokens: Int, _ kind: CallerLimits.Kind, _ peer: Peer, key: KeyIdentity) {
        guard tokens > 0, let limit = limit(kind, peer) else { return }
        limiter.charge(tokens, to: caller(kind, peer, key), limit)
    }

    private func ask(_ tokens: Int, _ kind: CallerLimits.Kind, _ peer: Peer, _ key: KeyIdentity?) -> Int? {
        guard let limit = limit(kind, peer) else { return nil }
        switch limiter.take(tokens, from: caller(kind, peer, key), limit) {
        case .admitted: return nil
        case .refused(let seconds):
            refusals[Int(kind.number)].value.wrappingAdd(1, ordering: .relaxed)
            return seconds
        }
    }

    private func caller(_ kind: CallerLimits.Kind, _ peer: Peer, _ key: KeyIdentity?) -> RateLimiter.Caller {
        RateLimiter.Caller(peer, key: key?.id, kind: kind.number)
    }

    private func limit(_ kind: CallerLimits.Kind, _ peer: Peer) -> RateLimit? {
        limits.withLock { $0.exemptsLoopback && peer.isLocal ? nil : $0[kind] }
    }
}
