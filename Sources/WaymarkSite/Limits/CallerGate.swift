import Synchronization
import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// Enforces callers' limits. Safe to use from any thread; cached responses bypass it.
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

    /// Replaces the limits; tokens already used count towards the new ones.
    func use(_ fresh: CallerLimits) {
        limits.withLock { $0 = fresh }
    }

    /// The number of requests rejected.
    func refused(_ kind: CallerLimits.Kind) -> Int {
        refusals[Int(kind.number)].value.load(ordering: .relaxed)
    }

    /// Takes a token; returns the seconds to wait if there is none.
    func take(_ kind: CallerLimits.Kind, _ peer: Peer, key: KeyIdentity? = nil) -> Int? {
        ask(1, kind, peer, key)
    }

    /// Counts a visit with an unknown slug; returns the seconds to wait if there were too many.
    ///
    /// Callers that continue regardless go into debt, up to the bucket's size.
    func takeUnknownSlug(_ peer: Peer) -> Int? {
        guard let seconds = take(.unknownSlug, peer) else { return nil }
        if let limit = limit(.unknownSlug, peer) {
            limiter.charge(1, to: caller(.unknownSlug, peer, nil), limit, atMost: limit.burst * 2)
        }
        return seconds
    }

    /// Returns the seconds to wait if the caller is in debt; called before the store is asked for a link. Until then,
    /// people who share an address with a guesser can still use their links; afterwards, guessers can neither find
    /// links nor load the store.
    func refuseLookup(_ peer: Peer) -> Int? {
        guard let limit = limit(.unknownSlug, peer),
            let doubled = RateLimit(
                perMinute: limit.perMinute, burst: min(limit.burst * 2, RateLimit.range.upperBound)),
            limiter.take(0, from: caller(.unknownSlug, peer, nil), doubled) != .admitted
        else { return nil }
        return ask(0, .unknownSlug, peer, nil)
    }

    /// Charges a caller whose request was admitted before its cost was known.
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

extension Response {
    /// The caller has exceeded a limit.
    static func rateLimited(retryAfter seconds: Int, fields: HeaderFields = HeaderFields()) -> Response {
        var all = fields
        all.append(.retryAfter, seconds)
        return .problem(.rateLimited(seconds), fields: all)
    }
}

extension StatePage {
    /// The same for visits of links: a page for visitors.
    static func rateLimited(retryAfter seconds: Int, as format: ProblemFormat) -> Response {
        var response = response(.rateLimited(seconds), as: format)
        response.fields.append(.retryAfter, seconds)
        return response
    }
}

extension Problem {
    fileprivate static func rateLimited(_ seconds: Int) -> Problem {
        Problem(.rateLimited, "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").")
    }
}
