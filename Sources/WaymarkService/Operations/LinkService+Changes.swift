import Logging
package import WaymarkLinks

extension LinkService {
    /// Takes over what other servers change, until the stream ends. Until it says `everything` changes may be missed.
    ///
    /// While the store can't tell of changes, what is cached is only trusted for a second, and asked for again then; and
    /// while it does not answer at all, what is remembered goes on: a redirect that may be old is worth more than none.
    package func follow(_ changes: AsyncStream<StoreChange>) async {
        lose()
        for await change in changes {
            switch change {
            case .link(_, let domain, let slug): forget(LinkKey(domain, slug))
            case .applications, .keys: refreshSoon()
            case .everything:
                // In this order: what was read before the changes were heard of must find its fill out of date.
                cache.doubtAll(since: dependencies.uptime())
                if storeHealth.follow() == .unavailable { logger.notice("the store is back") }
                refreshSoon()
            case .interrupted: lose()
            }
        }
    }

    /// How old the last sign may be that changes are heard of, in milliseconds.
    private static var noticing: Int64 { 1_500 }

    private func lose() {
        guard storeHealth.lose() else { return }
        // It may take as long until a connection that is cut is noticed.
        cache.doubtAll(since: dependencies.uptime() - Self.noticing)
        Task { [weak self] in
            while let self, await self.probe() { try? await Task.sleep(for: .milliseconds(250)) }
        }
    }

    /// Asks the store whether it is there. False once there is no need to.
    private func probe() async -> Bool {
        guard storeHealth.mode != .live else { return false }
        let store = store
        do {
            try await limited(to: .seconds(1)) { () async throws(StoreError) in try await store.ping() }
            if storeHealth.note(answers: true) { logger.notice("the store answers again") }
        } catch {
            if storeHealth.note(answers: false), isLoaded {
                logger.warning("the store is away, cached links go on: \(error.sentence)")
            }
        }
        return storeHealth.mode != .live
    }
}
