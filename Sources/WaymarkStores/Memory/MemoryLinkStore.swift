internal import Synchronization
package import WaymarkLinks

/// A store in memory, for tests and trials: everything is lost when the process ends.
///
/// Every function is one critical section, which makes it atomic. It never waits, so calling tasks are never suspended.
package final class MemoryLinkStore: LinkStore {
    let state = Mutex(MemoryLinkState())
    package let isShared: Bool

    /// - Parameter isShared: whether several services use this object, as servers do one database.
    package init(isShared: Bool = false) { self.isShared = isShared }

    /// Runs the body exclusively, unless the store is closed.
    func withState<Value: Sendable>(
        _ body: (inout MemoryLinkState) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try state.withLock { (state) throws(StoreError) -> Value in
            guard !state.isClosed else { throw .unavailable("the store is closed") }
            return try body(&state)
        }
    }

    package func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link? {
        try withState { state in
            let address = LinkAddress(domain: domain, slug: slug)
            let links = (state.bySlug[slug] ?? []).compactMap { state.links[$0] }
            return links.first { $0.addresses.contains(address) }
                ?? state.folded(slug).first { $0.domain == domain }?.link
        }
    }

    package func link(_ id: LinkID) async throws(StoreError) -> Link? {
        try withState { $0.links[id] }
    }

    package func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link] {
        try withState { state in
            let exact = state.bySlug[slug] ?? []
            let ids = Set(exact).union(state.folded(slug).map(\.link.id))
            return ids.sorted { $0.rawValue < $1.rawValue }.prefix(max(0, limit))
                .compactMap { state.links[$0] }
        }
    }

    /// There is nothing to do: listings examine all links.
    package func updateIndexes(all: Bool) async throws(StoreError) -> Bool { false }

    package func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage {
        try withState { $0.list(listing) }
    }

    package func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]? {
        try withState { $0.metadata[id] }
    }

    package func create(
        _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
    ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
        try withState { state in
            if let idempotency, let record = state.records[idempotency.scope], record.expiresAt > idempotency.now {
                guard record.fingerprint == idempotency.fingerprint, case .answer(let bytes) = record.kept else {
                    return .mismatch
                }
                return .replay(bytes)
            }
            let outcomes = drafts.map { state.create($0) }
            if let idempotency, let answer = idempotency.answer(outcomes) {
                state.records[idempotency.scope] = .init(
                    fingerprint: idempotency.fingerprint, expiresAt: idempotency.expiresAt, kept: .answer(answer))
            }
            return .done(outcomes)
        }
    }

    package func update(_ updates: [LinkUpdate], at now: Timestamp) async throws(StoreError) -> [UpdateOutcome] {
        try withState { state in updates.map { state.update($0, at: now) } }
    }

    package func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, at now: Timestamp
    ) async throws(StoreError) -> RenameOutcome {
        try withState { $0.rename(id, expecting: expecting, to: slug, by: author, at: now) }
    }

    package func history(of id: LinkID) async throws(StoreError) -> [LinkHistoryEntry] {
        try withState { ($0.history[id] ?? []).reversed() }
    }

    package func delete(_ removals: [LinkRemoval]) async throws(StoreError) -> [LinkDeletion] {
        try withState { state in removals.map { state.delete($0) } }
    }

    @discardableResult
    package func ping() async throws(StoreError) -> StoreCondition {
        try withState { _ in StoreCondition() }
    }

    package func close() async {
        state.withLock { $0.isClosed = true }
    }
}
