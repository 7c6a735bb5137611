import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// The quotas of this server: one for each link with `maxClicks` that is in use.
package final class ClickQuotas: Sendable {
    private struct Entry {
        let holder: WeakQuota
        let identifier: ObjectIdentifier
        var quota: ClickQuota? { holder.quota }
    }

    private struct State {
        var entries: [LinkID: Entry] = [:]
        /// Reserved clicks that are no longer used, to be returned.
        var leftovers: [LinkID: Int] = [:]
        /// Requests of quotas that are no longer used.
        var reservations: [UnsettledClicks] = []
        var releases: [UnsettledClicks] = []
    }

    /// Further ones are dropped, and their links end early: otherwise a store that only answers reads would exhaust
    /// the memory.
    private static let mostReservations = 10_000

    private let store: any LinkStore
    private let writes: WriteIDs
    let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    package init(store: any LinkStore, writes: WriteIDs, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.writes = writes
        self.now = now
    }

    /// The shared quota of the link; nil if its clicks are unlimited.
    package func quota(for link: Link) -> ClickQuota? {
        guard let limit = link.content.maxClicks else { return nil }
        let fresh = ClickQuota(for: link, limit: limit, owner: self)
        // Released outside of the lock: the last reference to a quota calls back into `release`.
        return state.withLock { state in
            // A quota with another limit is from before a patch; its reserved clicks are returned when it is released.
            if let known = state.entries[link.id]?.quota, known.limit == limit { return known }
            state.entries[link.id] = Entry(holder: WeakQuota(fresh), identifier: ObjectIdentifier(fresh))
            return fresh
        }
    }

    /// Ends the link's quota: its limit was changed, or the link was deleted.
    package func revoke(_ id: LinkID) async {
        let quota = state.withLock { $0.entries.removeValue(forKey: id)?.quota }
        guard let quota else { return }
        revoke(quota)
        await releaseLeftovers()
    }

    /// Ends all quotas and returns their remaining clicks.
    package func retireAll() async {
        let all = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.compactMap(\.quota)
        }
        for quota in all { revoke(quota) }
        await releaseLeftovers()
    }

    private func revoke(_ quota: ClickQuota) {
        let (leftover, unsettled) = quota.revoke()
        keepLeftover(leftover, of: quota.id)
        if let unsettled { keep(unsettled) }
    }

    func reservation(of id: LinkID, upTo count: Int) -> UnsettledClicks {
        UnsettledClicks(link: id, count: count, write: writes.next())
    }

    func link(_ id: LinkID) async throws(StoreError) -> Link? { try await store.link(id) }

    /// Returns the number of clicks granted.
    func reserve(_ asked: UnsettledClicks) async throws(StoreError) -> Int {
        let granted = try await store.reserveClicks(asked.link, upTo: asked.count, as: asked.write)
        writes.settle(asked.write)
        return granted
    }

    /// Takes over a reservation that its quota can no longer settle.
    func keep(_ asked: UnsettledClicks) {
        state.withLock { state in
            if state.reservations.count < Self.mostReservations { state.reservations.append(asked) }
        }
    }

    /// Returns unused clicks to the store; on failure they are returned the next time.
    package func releaseLeftovers() async {
        let reservations = state.withLock { state in
            defer { state.reservations = [] }
            return state.reservations
        }
        for asked in reservations {
            do {
                keepLeftover(try await reserve(asked), of: asked.link)
            } catch {
                keep(asked)
            }
        }
        let releases = state.withLock { state in
            defer { (state.releases, state.leftovers) = ([], [:]) }
            return state.releases
                + state.leftovers.map { UnsettledClicks(link: $0.key, count: $0.value, write: writes.next()) }
        }
        for release in releases {
            do {
                try await store.releaseClicks(release.link, count: release.count, as: release.write)
                writes.settle(release.write)
            } catch {
                state.withLock { $0.releases.append(release) }
            }
        }
    }

    func keepLeftover(_ count: Int, of id: LinkID) {
        guard count > 0 else { return }
        state.withLock { $0.leftovers[id, default: 0] += count }
    }

    /// Called by a quota that is no longer referenced.
    func release(_ identifier: ObjectIdentifier, of id: LinkID, leftover: Int, unsettled: UnsettledClicks?) {
        state.withLock { state in
            if state.entries[id]?.identifier == identifier { state.entries[id] = nil }
        }
        keepLeftover(leftover, of: id)
        if let unsettled { keep(unsettled) }
    }
}

private final class WeakQuota: Sendable {
    weak let quota: ClickQuota?
    init(_ quota: ClickQuota) { self.quota = quota }
}
