package import Logging
package import Synchronization
import WaymarkBytes
package import WaymarkClicks
import WaymarkLinks
package import WaymarkMetrics
package import WaymarkStores

/// The operations on links: create, find, visit, resolve, change and count. One object serves all event loops.
///
/// Independent of HTTP and of the kind of store. Functions that wait for the store are `async` and throw
/// `StoreError`; those called by event loops are synchronous and never block.
package final class LinkService: Sendable {
    package let applications: ApplicationRegistry
    package let keys: KeyRing
    package let clicks: ClickCounter
    /// Writes click records; nil if clicks are only counted.
    package let recordWriter: ClickRecordWriter?
    package let liveClicks: LiveClicks
    /// Nil if clicks are only counted.
    package let unknownVisits: UnknownVisitCounter?
    let activity: ActivityCounter
    package let cache: LinkCache
    package let configuration: ServiceConfiguration
    package let dependencies: ServiceDependencies

    let store: any LinkStore
    /// Durations and failures of the store's operations.
    package let storeFigures: StoreMetrics
    package let countries = Countries()
    package let eventFigures = EventMetrics()
    package let claimFigures = ClaimMetrics()
    let quotas: ClickQuotas
    let recordFlush: SharedFlush
    let slugs: SlugGenerator
    /// People's clicks on long links, which belong to no stored link.
    package let longLinkClicks = Atomic<Int>(0)
    let randomBits: SecureBits
    let logger: Logger
    /// Whether the store responds, and which cached links may be served.
    package let storeHealth: StoreHealth
    private let warnings: RecurringWarnings
    private let running = Mutex(Running())
    /// One page is read while the next waits in the store, whose connection then is never idle.
    let pageTurns = FairTurns(limit: 2)
    let searchTurns = FairTurns(limit: 2)
    let appConversionNames = Mutex(AppConversionNames())
    /// Read from the store when it is first needed.
    let slugSecret = Mutex<[UInt8]?>(nil)

    private let loaded = Atomic(false)

    private struct Running {
        var clickSecret: SipHash?
        var timers: [RepeatingTimer] = []
        var refreshing = Refreshing.none
    }

    private enum Refreshing { case none, once, again }

    /// - Parameter readApplication: parses the JSON of an application that was applied earlier.
    package init(
        store: any LinkStore, configuration: ServiceConfiguration, dependencies: ServiceDependencies,
        readApplication: @escaping ApplicationRegistry.Reader, logger: Logger
    ) {
        let store = InstrumentedStore(store)
        self.store = store
        storeFigures = store.metrics
        self.configuration = configuration
        self.dependencies = dependencies
        self.logger = logger
        warnings = RecurringWarnings(logger)
        storeHealth = StoreHealth(staleness: configuration.staleness)
        applications = ApplicationRegistry(
            store: store, defaultBaseURL: configuration.defaultBaseURL, blockedHosts: configuration.blockedHosts,
            adminKey: configuration.adminKey, sha256: dependencies.sha256, read: readApplication)
        keys = KeyRing(store: store, dependencies: dependencies, adminKey: configuration.adminKey)
        recordWriter =
            configuration.recordsClicks
            ? ClickRecordWriter(
                store: store, limit: configuration.pendingClickRecords,
                tellsVisitorsApart: configuration.tellsVisitorsApart, countries: countries, now: dependencies.now,
                randomBytes: dependencies.randomBytes, yieldToOthers: dependencies.yieldToOthers) : nil
        let writes = WriteIDs(now: dependencies.now, randomBytes: dependencies.randomBytes)
        clicks = ClickCounter(
            store: store, writes: writes, bufferCapacity: configuration.clickBufferCapacity,
            pendingLimit: configuration.pendingClickLinks, recordWriter: recordWriter)
        liveClicks = LiveClicks(clicks: clicks, store: store, now: dependencies.now)
        unknownVisits = configuration.recordsClicks ? UnknownVisitCounter(store: store) : nil
        activity = ActivityCounter(store: store, writes: writes, limit: configuration.pendingClickLinks)
        cache = LinkCache(byteLimit: configuration.cacheBytes)
        quotas = ClickQuotas(store: store, writes: writes, now: dependencies.now)
        recordFlush = SharedFlush(uptime: dependencies.uptime)
        randomBits = SecureBits(randomBytes: dependencies.randomBytes)
        slugs = SlugGenerator(bits: randomBits)
    }

    /// Loads applications, keys and the click ID secret; visits can be served afterwards.
    ///
    /// - Parameter serving: false if other work has to be done before `beginServing` is called.
    package func load(serving: Bool = true) async throws(StoreError) {
        let randomBytes = dependencies.randomBytes
        let bytes = try await store.secret("click-id", make: { randomBytes(16) })
        guard let secret = SipHash(key: bytes) else { throw .corrupt("the secret of click ids is damaged") }
        running.withLock { $0.clickSecret = secret }
        try await recordWriter?.prepareSalts()
        try await applications.refresh()
        for conflict in applications.directory.current.conflicts {
            logger.warning("\(conflict); remove the host from one of them")
        }
        try await keys.refresh()
        if serving { beginServing() }
    }

    /// From now on, requests for unknown links, hosts and keys are rejected as unknown.
    package func beginServing() { loaded.store(true, ordering: .releasing) }

    /// Whether data has been loaded: before that, no link, host or key is known.
    package var isLoaded: Bool { loaded.load(ordering: .acquiring) }

    /// Starts periodic work: writing clicks, noticing changes by other processes, deleting old records.
    package func startTimers() {
        let timers = [
            RepeatingTimer(every: configuration.clickFlushInterval) { [weak self] in await self?.writeDown() },
            RepeatingTimer(every: configuration.clickJournalInterval) { [weak self] in
                await self?.writeRecords(inTurn: true)
            },
            RepeatingTimer(every: configuration.refreshInterval) { [weak self] in await self?.refresh() },
            RepeatingTimer(every: configuration.indexInterval) { [weak self] in await self?.updateIndexes() },
            RepeatingTimer(every: configuration.purgeInterval) { [weak self] in await self?.purge() },
        ]
        running.withLock { $0.timers += timers }
    }

    /// Calls `load`, creates the first admin key, and calls `startTimers`.
    ///
    /// - Returns: the admin key created if there was none; to be shown once.
    package func start() async throws(StoreError) -> KeyText? {
        try await load()
        let key = try await keys.makeFirstAdminKey()
        startTimers()
        return key
    }

    /// Writes the last clicks and releases reserved ones; must be called after the last response. The store stays open.
    package func stop() async {
        let timers = running.withLock { state in
            defer { state.timers = [] }
            return state.timers
        }
        for timer in timers { timer.cancel() }
        liveClicks.stop()
        await writeDown()
        await writeRecords(inTurn: false)
        await quotas.retireAll()
        try? await keys.writeUses(all: true)
        cache.removeAll()
    }

    /// The endpoints of webhooks, and the outbox.
    package var webhooks: any WebhookStore { store.webhooks }

    /// How many writes shared each commit of the store; nil if the store does not report it.
    package var commitSizes: HistogramMetrics? { store.commitSizes }

    /// Throws if the store does not respond. The caller must limit the time.
    package func ping() async throws(StoreError) { try await store.ping() }

    var clickSecret: SipHash? { running.withLock { $0.clickSecret } }

    private func writeDown() async {
        do {
            try await clicks.flush()
            await quotas.releaseLeftovers()
            try await activity.flush()
            warnings.settle(.clicks, "clicks are written down again")
        } catch {
            warnings.raise(.clicks, "clicks of \(clicks.pendingLinks) links wait for the store: \(error.sentence)")
        }
    }

    private func writeRecords(inTurn: Bool) async {
        do {
            try await unknownVisits?.flush()
            try await inTurn ? takeTurnOfRecords() : flushRecords()
            warnings.settle(.records, "records of clicks are written down again")
        } catch {
            let waiting = recordWriter?.metrics.waiting ?? 0
            warnings.raise(.records, "\(waiting) records of clicks wait for the store: \(error.sentence)")
        }
    }

    /// Writes the records of all clicks so far, so that they can be read.
    package func flushRecords() async throws(StoreError) {
        guard let recordWriter else { return }
        clicks.gather()
        try await recordWriter.flush()
    }

    /// The same for many callers, who share a flush a second: each writes a row per link clicked since the last one.
    /// Returns at once if no click is waiting.
    func flushWaitingRecords() async throws(StoreError) {
        clicks.gather()
        guard let recordWriter, recordWriter.metrics.waiting > 0 else { return }
        try await recordFlush.run { [self] () async throws(StoreError) in try await flushRecords() }
    }

    /// Processes records every `clickJournalInterval`.
    func takeTurnOfRecords() async throws(StoreError) {
        guard let recordWriter else { return }
        clicks.gather()
        try await recordWriter.takeTurn()
    }

    func refresh() async {
        do {
            try await applications.refresh()
            try await keys.refresh()
            try await keys.writeUses()
            warnings.settle(.registry, "applications and keys are read again")
        } catch {
            warnings.raise(.registry, "applications and keys were not read again: \(error.sentence)")
        }
    }

    /// Reloads applications and keys, and once more if requested meanwhile. Does not wait: an unresponsive store must
    /// not keep changes of links from being applied.
    func refreshSoon() {
        let isIdle = running.withLock { state in
            let isIdle = state.refreshing == .none
            state.refreshing = isIdle ? .once : .again
            return isIdle
        }
        guard isIdle else { return }
        Task {
            var isDue = true
            while isDue {
                await refresh()
                isDue = running.withLock { state in
                    state.refreshing = state.refreshing == .again ? .once : .none
                    return state.refreshing == .once
                }
            }
        }
    }

    private func updateIndexes() async {
        do {
            while try await store.updateIndexes(all: false) {
                guard running.withLock({ !$0.timers.isEmpty }) else { return }
            }
            warnings.settle(.indexes, "the indexes of listings are updated again")
        } catch {
            warnings.raise(.indexes, "the indexes of listings are not up to date, searches are slow: \(error.sentence)")
        }
    }

    /// Deletes expired idempotency records, claims and event IDs, some thousand per transaction so that other writers
    /// get their turn.
    package func purge() async {
        do {
            while try await store.purge(at: dependencies.now(), limit: 2_000) == 2_000 {}
            warnings.settle(.purge, "old idempotency records are dropped again")
        } catch {
            warnings.raise(.purge, "old idempotency records stay: \(error.sentence)")
        }
        await dropOldClicks()
        await summarizeClicks()
    }

    /// Makes summaries of past days, for some seconds.
    private func summarizeClicks() async {
        guard recordWriter != nil else { return }
        let summarizer = ClickSummarizer(store: store.clickTotals, randomBytes: dependencies.randomBytes)
        let uptime = dependencies.uptime
        let end = uptime() + 5_000
        // Clicks of a day are written in the hour after it at the latest, unless the store was unavailable.
        let now = dependencies.now()
        let last = Timestamp(seconds: now.seconds - 3_600).day
        do throws(StoreError) {
            try await summarizer.run(
                applications.directory.current.applications.map(\.id),
                days: min(last, now.day - configuration.clickTotalsRetentionDays)..<last, hasTime: { uptime() < end })
            warnings.settle(.summaries, "summaries of clicks are made again")
        } catch {
            warnings.raise(.summaries, "summaries of clicks are not made: \(error.sentence)")
        }
    }

    /// Deletes expired click records, and the remaining ones of deleted links, in steps like `purge`.
    private func dropOldClicks() async {
        do {
            let day = dependencies.now().day - configuration.clickRetentionDays
            while try await store.clickRecords.dropClicks(before: day, limit: 2_000) == 2_000 {}
            let totals = dependencies.now().day - configuration.clickTotalsRetentionDays
            while try await store.clickTotals.dropTotals(before: totals, limit: 2_000) == 2_000 {}
            warnings.settle(.retention, "old records of clicks are dropped again")
        } catch {
            warnings.raise(.retention, "old records of clicks stay: \(error.sentence)")
        }
    }
}

extension StoreError {
    package var sentence: String {
        switch self {
        case .unavailable(let sentence), .corrupt(let sentence): sentence
        }
    }
}
