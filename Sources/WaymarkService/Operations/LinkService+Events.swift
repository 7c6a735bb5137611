package import WaymarkLinks

extension LinkService {
    /// Counts what an app reports, each event once; in the store when this returns.
    ///
    /// An event that leads nowhere is taken all the same: the app could not make it better by sending it again.
    ///
    /// - Parameter asker: the application of the key; ids are told apart by it, so that no app can use up another's.
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

    private func link(of event: ReportedEvent) async throws(StoreError) -> LinkID? {
        if let click = event.clickID.flatMap({ read(clickID: $0) }) { return click.link }
        guard let (host, slug) = event.smartlink else { return nil }
        return try await cachedOrLoaded(at: host, slug: slug)?.link.id
    }
}
