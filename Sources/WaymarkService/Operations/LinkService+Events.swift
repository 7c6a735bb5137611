import WaymarkClicks
package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Counts events reported by an app, each once; they are stored when this returns.
    ///
    /// Events that can't be related to a link are accepted, too: sending them again would not help.
    ///
    /// - Parameter asker: the application of the key. It is part of an event's identity, so that no app can use up
    ///   another's IDs.
    package func record(
        _ reported: [ReportedEvent], for asker: ApplicationID?
    ) async throws(StoreError) -> [EventOutcome] {
        let now = dependencies.now()
        let end = now.advanced(byMilliseconds: configuration.eventLifetime)
        var events: [AppEvent] = []
        for event in reported {
            events.append(
                AppEvent(
                    digest: Digest.of("event", asker?.text ?? "", event.id, sha256: dependencies.sha256),
                    kind: event.kind, link: try await link(of: event), application: asker, expiresAt: end))
        }
        let outcomes = try await store.record(events, at: now)
        for (event, outcome) in zip(events, outcomes) {
            eventFigures.add(event.kind, outcome)
            guard outcome == .counted, let link = event.link else { continue }
            activity.add(
                event.kind == .open ? LinkActivity(opens: 1) : LinkActivity(installs: 1), of: link, at: now)
        }
        return outcomes
    }

    /// A link's activity on these days, including everything counted here so far.
    package func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await activity.flush()
        return try await store.activity(of: id, days: days)
    }

    private func link(of event: ReportedEvent) async throws(StoreError) -> LinkID? {
        if let click = event.clickID.flatMap({ read(clickID: $0) }) { return click.link }
        guard let (host, slug) = event.smartlink else { return nil }
        return try await cachedOrLoaded(at: host, slug: slug)?.link.id
    }
}
