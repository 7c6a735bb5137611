import Synchronization
import WaymarkLinks

/// The allowances of this server: one for each link with `maxClicks` that someone holds.
final class ClickAllowances: Sendable {
    private struct Entry {
        let holder: WeakAllowance
        let identifier: ObjectIdentifier
        var allowance: ClickAllowance? { holder.allowance }
    }

    private struct State {
        var entries: [LinkID: Entry] = [:]
        /// Reserved clicks that nobody uses any more, to be given back.
        var leftovers: [LinkID: Int] = [:]
    }

    let store: any LinkStore
    let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    init(store: any LinkStore, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// The one allowance of the link; nil where its clicks are unlimited.
    func allowance(for link: Link) -> ClickAllowance? {
        guard let limit = link.content.maxClicks else { return nil }
        let fresh = ClickAllowance(for: link, limit: limit, owner: self)
        // Out of the lock before anything is released: the last reference to an allowance calls back into `bury`.
        return state.withLock { state in
            // One of another limit is left from before a patch; what it had reserved comes back when it is let go.
            if let known = state.entries[link.id]?.allowance, known.limit == limit { return known }
            state.entries[link.id] = Entry(holder: WeakAllowance(fresh), identifier: ObjectIdentifier(fresh))
            return fresh
        }
    }

    /// Ends the link's allowance: its limit was changed, or the link deleted.
    func retire(_ id: LinkID) async {
        let allowance = state.withLock { $0.entries.removeValue(forKey: id)?.allowance }
        guard let allowance else { return }
        keepLeftover(allowance.retire(), of: id)
        await releaseLeftovers()
    }

    /// Ends all allowances and gives back what they had left.
    func retireAll() async {
        let all = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.compactMap(\.allowance)
        }
        for allowance in all { keepLeftover(allowance.retire(), of: allowance.id) }
        await releaseLeftovers()
    }

    /// Gives back what is not used; what the store does not take now is tried again the next time.
    func releaseLeftovers() async {
        let leftovers = state.withLock { state in
            defer { state.leftovers = [:] }
            return state.leftovers
        }
        for (id, count) in leftovers {
            do {
                try await store.releaseClicks(id, count: count)
            } catch {
                keepLeftover(count, of: id)
            }
        }
    }

    func keepLeftover(_ count: Int, of id: LinkID) {
        guard count > 0 else { return }
        state.withLock { $0.leftovers[id, default: 0] += count }
    }

    /// Called by an allowance that nobody holds any more.
    func bury(_ identifier: ObjectIdentifier, of id: LinkID, leftover: Int) {
        state.withLock { state in
            if state.entries[id]?.identifier == identifier { state.entries[id] = nil }
            if leftover > 0 { state.leftovers[id, default: 0] += leftover }
        }
    }
}

private final class WeakAllowance: Sendable {
    weak let allowance: ClickAllowance?
    init(_ allowance: ClickAllowance) { self.allowance = allowance }
}
