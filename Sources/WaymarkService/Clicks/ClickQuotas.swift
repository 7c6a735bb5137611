import Synchronization
import WaymarkLinks

/// The allowances of this server: one for each link with `maxClicks` that someone holds.
final class ClickQuotas: Sendable {
    private struct Entry {
        let holder: WeakQuota
        let identifier: ObjectIdentifier
        var quota: ClickQuota? { holder.quota }
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
    func quota(for link: Link) -> ClickQuota? {
        guard let limit = link.content.maxClicks else { return nil }
        let fresh = ClickQuota(for: link, limit: limit, owner: self)
        // Out of the lock before anything is released: the last reference to an allowance calls back into `release`.
        return state.withLock { state in
            // One of another limit is left from before a patch; what it had reserved comes back when it is let go.
            if let known = state.entries[link.id]?.quota, known.limit == limit { return known }
            state.entries[link.id] = Entry(holder: WeakQuota(fresh), identifier: ObjectIdentifier(fresh))
            return fresh
        }
    }

    /// Ends the link's allowance: its limit was changed, or the link deleted.
    func revoke(_ id: LinkID) async {
        let quota = state.withLock { $0.entries.removeValue(forKey: id)?.quota }
        guard let quota else { return }
        keepLeftover(quota.revoke(), of: id)
        await releaseLeftovers()
    }

    /// Ends all allowances and gives back what they had left.
    func retireAll() async {
        let all = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.compactMap(\.quota)
        }
        for quota in all { keepLeftover(quota.revoke(), of: quota.id) }
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
    func release(_ identifier: ObjectIdentifier, of id: LinkID, leftover: Int) {
        state.withLock { state in
            if state.entries[id]?.identifier == identifier { state.entries[id] = nil }
            if leftover > 0 { state.leftovers[id, default: 0] += leftover }
        }
    }
}

private final class WeakQuota: Sendable {
    weak let quota: ClickQuota?
    init(_ quota: ClickQuota) { self.quota = quota }
}
