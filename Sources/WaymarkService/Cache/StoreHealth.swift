import Synchronization

/// The state of the store as seen by this server: whether it responds, and whether changes by other servers are
/// received. It decides which cached links may be served.
///
///     live ──(changes may be missed)──▶ uncertain ◀──(the store responds, or not)──▶ unavailable
///       ▲                                  │                                             │
///       └────────────(changes are received again; all cached links are doubted)──────────┘
///
/// A service whose store has no other users is always `live`.
package final class StoreHealth: Sendable {
    package enum Mode: UInt8, AtomicRepresentable, Sendable {
        /// Cached links match the store.
        case live
        /// Another server may have changed any of them; the store is queried again after a second.
        case uncertain
        /// The store does not respond: remembered links are served.
        case unavailable
    }

    /// Maximum age of a possibly changed link that is served while the store responds, in milliseconds. Half of the
    /// documented limit, because it takes time to notice that changes are missed.
    static let doubtfulAge: Int64 = 1_000

    /// How long remembered links may be served, in milliseconds.
    private let staleness: Int64
    private let state = Atomic<Mode>(.live)

    init(staleness: Int64) { self.staleness = staleness }

    package var mode: Mode { state.load(ordering: .acquiring) }

    package var isAway: Bool { mode == .unavailable }

    /// Changes by other servers may be missed from now on. Returns false if that was already known.
    @discardableResult
    func lose() -> Bool {
        state.compareExchange(expected: .live, desired: .uncertain, ordering: .acquiringAndReleasing).exchanged
    }

    /// Changes by other servers are received again. Returns the previous mode.
    @discardableResult
    func follow() -> Mode { state.exchange(.live, ordering: .acquiringAndReleasing) }

    /// Records whether the store responded while changes may be missed. Returns true if the mode changed.
    @discardableResult
    func note(answers: Bool) -> Bool {
        let (old, new): (Mode, Mode) = answers ? (.unavailable, .uncertain) : (.uncertain, .unavailable)
        return state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    /// Whether a link that another server may have changed since then may be served without querying the store.
    func permits(rememberedSince uptime: Int64, now: Int64) -> Bool {
        switch mode {
        case .live: false
        case .uncertain: now &- uptime < Self.doubtfulAge
        case .unavailable: permitsAway(rememberedSince: uptime, now: now)
        }
    }

    /// Whether it may be served after the store did not respond.
    func permitsAway(rememberedSince uptime: Int64, now: Int64) -> Bool {
        // Links not yet doubted have the largest possible time.
        uptime > now || now &- uptime < staleness
    }
}
