import Logging
import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Applies changes by other servers until the stream ends. Until the stream sends `everything`, changes may be
    /// missed.
    ///
    /// While changes may be missed, cached links are only trusted for a second and then loaded again. While the store
    /// does not respond at all, remembered links are served: an outdated redirect is better than none.
    ///
    /// - Parameter onDocuments: Called when documents may have changed. Must return at once: later changes wait for it.
    package func follow(
        _ changes: AsyncStream<StoreChange>, onDocuments: @Sendable () -> Void = {}
    ) async {
        lose()
        for await change in changes {
            switch change {
            case .link(_, let domain, let slug): forget(domain, slug)
            case .applications, .keys: refreshSoon()
            case .documents: onDocuments()
            case .message(let text): liveClicks.receive(text)
            case .everything:
                // In this order: links read before changes were received must be rejected by the fill's epoch.
                cache.doubtAll(since: dependencies.uptime())
                if storeHealth.follow() == .unavailable { logger.notice("the store is back") }
                refreshSoon()
                onDocuments()
            case .interrupted: lose()
            }
        }
    }

    /// How long it may take to notice that changes are missed, in milliseconds.
    private static var noticing: Int64 { 1_500 }

    private func lose() {
        guard storeHealth.lose() else { return }
        // A broken connection may only have been noticed after this time.
        cache.doubtAll(since: dependencies.uptime() - Self.noticing)
        Task { [weak self] in
            while let self, await self.probe() { try? await Task.sleep(for: .milliseconds(250)) }
        }
    }

    /// Checks whether the store responds. Returns false if this is no longer needed.
    private func probe() async -> Bool {
        guard storeHealth.mode != .live else { return false }
        let store = store
        do {
            _ = try await limited(to: .seconds(1)) { () async throws(StoreError) in try await store.ping() }
            if storeHealth.note(answers: true) { logger.notice("the store answers again") }
        } catch {
            if storeHealth.note(answers: false), isLoaded {
                logger.warning("the store is away, cached links go on: \(error.sentence)")
            }
        }
        return storeHealth.mode != .live
    }
}
