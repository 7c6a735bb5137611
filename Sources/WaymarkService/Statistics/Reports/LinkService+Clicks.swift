import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Maximum number of records read per query; about a second of work.
    package static let clickRecordLimit = 1_000_000
    /// Blocks per page: at most some megabytes.
    private static let clickPage = 128
    /// Records between pauses, in which others get the thread: some ten milliseconds of work.
    static let recordsAtOnce = 50_000

    /// A link's clicks recorded so far.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of records to read.
    ///   - asked: the end of a request with several reports; see `reportsEnd`.
    /// - Returns: nil if the period has more than `limit` records. With ClickHouse, which answers that when it is there, some of
    ///   them, as an answer that is not complete.
    /// - Throws: `StoreError`, or `CancellationError` if the task is cancelled.
    package func clicks(
        of link: LinkID, _ query: ClickSelection, limit: Int = clickRecordLimit,
        until asked: ContinuousClock.Instant? = nil
    ) async throws -> ClickSeries.Answer? {
        let end = asked ?? reportsEnd
        try await flushWaitingRecords()
        if let shipped = try await shippedClicks(of: link, query, until: end) { return shipped }
        var series = ClickSeries(query)
        let isWhole = try await add(query.days, of: link, to: &series, limit: limit, until: end)
        guard isWhole || answersAlways else { return nil }
        if !isWhole || !hasRecords(since: query.days.lowerBound) { series.markIncomplete() }
        return series.finished()
    }

    /// Adds the records of some days.
    ///
    /// - Returns: False if the series has more than `limit` records, or it is too late.
    func add(
        _ days: ClosedRange<Int>, of link: LinkID, to series: inout ClickSeries, limit: Int,
        until end: ContinuousClock.Instant?
    ) async throws -> Bool {
        var last: ClickBlock.Key?
        var pause = series.examined + Self.recordsAtOnce
        while true {
            if let end, end <= ContinuousClock.now { return false }
            let page = try await store.clickRecords.blocks(of: link, days: days, after: last, limit: Self.clickPage)
            for block in page {
                try series.add(block)
                guard series.examined <= limit else { return false }
                guard series.examined >= pause else { continue }
                pause = series.examined + Self.recordsAtOnce
                try Task.checkCancellation()
                await Task.yield()
            }
            guard page.count == Self.clickPage, let end = page.last else { return true }
            last = end.key
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

extension LinkService {
    /// Creates the click ID generator of one event loop; must be called after `load`.
    package func makeClickIDMint() -> ClickIDGenerator {
        ClickIDGenerator(secret: clickSecret, seed: randomBits.next(), store: store)
    }

    /// The contents of a click ID; nil if it is forged, older than 30 days or from the future.
    package func read(clickID text: String) -> ClickID.Content? {
        guard let secret = clickSecret else { return nil }
        return ClickID.parse(ClickID.split(text).id, secret: secret, now: dependencies.now())
    }

    /// The same for a click on a long link. The ID is bound to the link's parameters, because they are not stored.
    func read(clickID text: String, of longLink: CachedLink) -> ClickID.Content? {
        guard let secret = longLink.clickSecret else { return nil }
        let content = ClickID.parse(ClickID.split(text).id, secret: secret, now: dependencies.now())
        return content?.link == .unstored ? content : nil
    }

    /// The secret of a long link's click IDs, derived from the service's and the link's URL.
    func clickSecret(ofLongLink address: String) -> SipHash? {
        guard let secret = clickSecret else { return nil }
        let message = Array("long link ".utf8) + Array(address.utf8)
        // Safety: the two words have no padding; their bytes are read within the closure.
        let key = unsafe withUnsafeBytes(of: (secret.hash(message + [0]), secret.hash(message + [1]))) {
            unsafe Array($0)
        }
        return SipHash(key: key)
    }
}

extension ClickIDGenerator {
    /// The ID of a click on a link, with the link's own secret if it has one.
    ///
    /// - Parameter rule: the one that decided.
    package func make(
        for cached: CachedLink, now: Timestamp, counted: Bool, rule: AppliedRule?
    ) -> ClickID {
        let mark = cached.ruleMark(rule)
        guard let secret = cached.clickSecret else {
            return make(for: cached.link.id, now: now, counted: counted, rule: mark)
        }
        return make(for: cached.link.id, now: now, counted: counted, secret: secret, rule: mark)
    }
}

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
        var onAndroid: [(link: LinkID, click: AppEvent?)] = []
        for (index, (event, outcome)) in zip(events, outcomes).enumerated() {
            eventFigures.add(event.kind, outcome)
            guard outcome == .counted, let link = event.link else { continue }
            activity.add(
                event.kind == .open ? LinkActivity(opens: 1) : LinkActivity(installs: 1), of: link, at: now)
            if event.kind == .install, reported[index].platform == .android {
                onAndroid.append((link, installation(by: reported[index])))
            }
        }
        await addInstallations(onAndroid, at: now)
        // The app forgets its events after the response, and the store would refuse them as duplicates.
        if outcomes.contains(.counted) { try await activity.flush() }
        return outcomes
    }

    /// A link's activity on these days, including everything counted here so far.
    package func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await activity.flush()
        return try await store.activity(of: id, days: days)
    }

    /// Counts installations on Android, unless a claim by Play's referrer or another event of the click has.
    private func addInstallations(_ reported: [(link: LinkID, click: AppEvent?)], at now: Timestamp) async {
        guard !reported.isEmpty else { return }
        // If the store fails now, they stay installations of an unknown platform.
        guard var outcomes = (try? await store.record(reported.compactMap(\.click), at: now))?[...] else { return }
        for (link, click) in reported {
            let isNew = click == nil || outcomes.popFirst() == .unattributed
            activity.add(
                LinkActivity(androidInstallEvents: 1, androidInstalls: isNew ? 1 : 0), of: link, at: now)
        }
    }

    private func installation(by event: ReportedEvent) -> AppEvent? {
        guard let text = event.clickID, let content = read(clickID: text) else { return nil }
        let click = Digest.of("click", ClickID.split(text).id, sha256: dependencies.sha256)
        return installation(byClick: click, until: content.end)
    }

    /// An event that every report of the same installation has in common: the store knows all but the first as
    /// duplicates. It has no link, because each report is counted by itself.
    func installation(byClick digest: [UInt8], until end: Timestamp) -> AppEvent {
        AppEvent(
            digest: dependencies.sha256(Array("installation ".utf8) + digest), kind: .install, link: nil,
            application: nil, expiresAt: end)
    }

    private func link(of event: ReportedEvent) async throws(StoreError) -> LinkID? {
        if let click = event.clickID.flatMap({ read(clickID: $0) }) { return click.link }
        guard let (host, path) = event.smartlink,
            let slug = try await locate(path, at: host, remembering: false)?.slug
        else { return nil }
        return try await cachedOrLoaded(at: host, slug: slug)?.link.id
    }
}
