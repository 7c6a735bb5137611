import Synchronization
import WaymarkServer
import WaymarkService

/// Holds callers to their limits. Safe to use from any thread; finished redirects never come by here.
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

    /// Takes nothing: the seconds to wait where there is no token.
    func look(_ kind: CallerLimits.Kind, _ peer: Peer) -> Int? {
        ask(0, kind, peer, nil)
    }

    /// Adds to what a caller owes who was admitted before it was known how much they ask for.
    func charge(_ tokens: Int, _ kind: CallerLimits.Kind, _ peer: Peer, key: KeyIdentity) {
        guard tokens > 0, let limit = limit(kind, peer) else { return }
        limiter.charge(tokens, to: RateLimiter.Caller(peer, key: key.id, kind: kind.number), limit)
    }

    private func ask(_ tokens: Int, _ kind: CallerLimits.Kind, _ peer: Peer, _ key: KeyIdentity?) -> Int? {
        guard let limit = limit(kind, peer) else { return nil }
        let caller = RateLimiter.Caller(peer, key: key?.id, kind: kind.number)
        switch limiter.take(tokens, from: caller, limit) {
        case .admitted: return nil
        case .refused(let seconds):
            refusals[Int(kind.number)].value.wrappingAdd(1, ordering: .relaxed)
            return seconds
        }
    }

    private func limit(_ kind: CallerLimits.Kind, _ peer: Peer) -> RateLimit? {
        limits.withLock { $0.exemptsLoopback && peer.isLocal ? nil : $0[kind] }
    }
}
