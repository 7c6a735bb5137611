import Synchronization

/// What this server knows of the store: whether it answers, and whether changes by other servers are heard of. Decides
/// with that which cached links may be served.
///
///     followed ──(changes may be missed)──▶ doubtful ◀──(asked: it answers, or not)──▶ away
///        ▲                                     │                                        │
///        └────────────(changes are heard of again, all that is cached is doubted)───────┘
///
/// A service whose store has no other users stays `live` for ever.
package final class StoreHealth: Sendable {
    package enum Mode: UInt8, AtomicRepresentable, Sendable {
        /// Cached links are as the store has them.
        case live
        /// Another server may have changed any of them; the store is asked again after a second.
        case uncertain
        /// The store does not answer: what is remembered goes on.
        case unavailable
    }

    /// How old a link may be that is served without being sure of it while the store answers, in milliseconds. Half of
    /// what is promised: the rest is for noticing that changes are missed.
    static let doubtfulAge: Int64 = 1_000

    /// How long what is remembered may be served, in milliseconds.
    private let staleness: Int64
    private let state = Atomic<Mode>(.live)

    init(staleness: Int64) { self.staleness = staleness }

    package var mode: Mode { state.load(ordering: .acquiring) }

    package var isAway: Bool { mode == .unavailable }

    /// Changes by other servers may be missed from now on. False where that was known.
    @discardableResult
    func lose() -> Bool {
        state.compareExchange(expected: .live, desired: .uncertain, ordering: .acquiringAndReleasing).exchanged
    }

    /// Changes by other servers are heard of again. Gives what was before.
    @discardableResult
    func follow() -> Mode { state.exchange(.live, ordering: .acquiringAndReleasing) }

    /// The store was asked while changes may be missed. True where that is news.
    @discardableResult
    func note(answers: Bool) -> Bool {
        let (old, new): (Mode, Mode) = answers ? (.unavailable, .uncertain) : (.uncertain, .unavailable)
        return state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    /// Whether a link that another server may have changed since then may be served without asking the store.
    func permits(rememberedSince uptime: Int64, now: Int64) -> Bool {
        switch mode {
        case .live: false
        case .uncertain: now &- uptime < Self.doubtfulAge
        case .unavailable: permitsAway(rememberedSince: uptime, now: now)
        }
    }

    /// Whether it may be served once the store was asked in vain.
    func permitsAway(rememberedSince uptime: Int64, now: Int64) -> Bool {
        // Links that nobody doubts yet are remembered since the end of time.
        uptime > now || now &- uptime < staleness
    }
}
