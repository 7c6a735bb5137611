package import Logging
import Synchronization
import WaymarkBytes
package import WaymarkLinks
package import WaymarkMetrics
package import WaymarkStores

/// The operations on links: create, find, visit, resolve, change and count. One object serves all event loops.
///
/// Independent of HTTP and of the kind of store. Functions that wait for the store are `async` and throw
/// `StoreError`; those called by event loops are synchronous and never block.
package final class LinkService: Sendable {
    package let applications: ApplicationRegistry
    package let keys: KeyRing
    package let people: People
    /// Nil where nothing is stored when the process ends.
    package let sharedReports: SharedReports?
    package let clicks: ClickCounter
    /// Writes click records; nil if clicks are only counted.
    package let recordWriter: ClickRecordWriter?
    package let liveClicks: LiveClicks
    /// Nil if clicks are only counted.
    package let unknownVisits: UnknownVisitCounter?
    let activity: ActivityCounter
    private let earlierClicks: EarlierClickCounter
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
    package let passwords: LinkPasswords
    /// People's clicks on long links, which belong to no stored link.
    package let longLinkClicks = LoopCounters()
    let randomBits: SecureBits
    let logger: Logger
    package let storeWatch: StoreWatch
    /// Whether the store responds, and which cached links may be served.
    package let storeHealth: StoreHealth
    let warnings: RecurringWarnings
    /// Nil where nothing is stored when the process ends.
    let documents: SealedDocuments?
    let retention: RetentionClock
    /// Clicks that were deleted because of their age before another database for clicks got them.
    package var expiredUnshippedClicks: Int { expiredUnshipped.load(ordering: .relaxed) }
    private let expiredUnshipped = Atomic<Int>(0)
    package let refusedSignIns: RefusedSignIns
    /// Turns of reports, by key.
    package let reportTurns = FairTurns(limit: ServiceConfiguration.reportsAtOnce)
    private let running = Mutex(Running())
    /// One page is read while the next waits in the store, whose connection then is never idle.
    let pageTurns = FairTurns(limit: 2)
    let searchTurns = FairTurns(limit: 2)
    let appConversionNames = Mutex(AppConversionNames())
    /// Read from the store when it is first needed.
    let slugSecret = Mutex<[UInt8]?>(nil)
    /// Nil until the first use.
    let passkeySecretBytes = Mutex<[UInt8]?>(nil)

    /// Of applications whose QR codes were drawn.
    let knownLogos = Mutex<[ApplicationID: [UInt8]]>([:])

    private let loaded = Atomic(false)

    private struct Running {
        var clickSecret: SipHash?
        var timers: [RepeatingTimer] = []
        var refreshing = Refreshing.none
    }

    private enum Refreshing { case none, once, again }

    /// - Parameters:
    ///   - documents: where the day of the last deletion is kept; nil if it is forgotten with the process.
    ///   - readApplication: parses the JSON of an application that was applied earlier.
    package init(
        store: any LinkStore, documents: SealedDocuments? = nil, configuration: ServiceConfiguration,
        dependencies: ServiceDependencies, readApplication: @escaping ApplicationRegistry.Reader, logger: Logger
    ) {
        self.store = store
        storeFigures = store.metrics
        self.configuration = configuration
        self.dependencies = dependencies
        self.logger = logger
        warnings = RecurringWarnings(logger)
        self.documents = documents
        retention = RetentionClock(documents.map { RetentionClock.Storage($0) })
        storeWatch = StoreWatch(
            store: store, metrics: store.metrics, minimumFreeBytes: configuration.minimumFreeDisk,
            dependencies: dependencies, logger: logger)
        storeHealth = StoreHealth(staleness: configuration.staleness)
        applications = ApplicationRegistry(
            store: store, defaultBaseURL: configuration.defaultBaseURL, blockedHosts: configuration.blockedHosts,
            adminKey: configuration.adminKey, sha256: dependencies.sha256, now: dependencies.now,
            read: readApplication)
        keys = KeyRing(store: store, dependencies: dependencies, adminKey: configuration.adminKey)
        people = People(keys: keys)
        refusedSignIns = RefusedSignIns(store: store, now: dependencies.now, logger: logger)
        sharedReports = documents.map { [keys] in SharedReports($0, keys) }
        recordWriter =
            configuration.recordsClicks
            ? ClickRecordWriter(
                store: store, limit: configuration.pendingClickBytes,
                tellsVisitorsApart: configuration.tellsVisitorsApart, countries: countries, now: dependencies.now,
                randomBytes: dependencies.randomBytes, yieldToOthers: dependencies.yieldToOthers) : nil
        let writes = WriteIDs(now: dependencies.now, randomBytes: dependencies.randomBytes)
        clicks = ClickCounter(
            store: store, writes: writes, bufferCapacity: configuration.clickBufferCapacity,
            pendingLimit: configuration.pendingClickLinks, recordWriter: recordWriter)
        liveClicks = LiveClicks(
            clicks: clicks, store: store, interval: configuration.liveClicksInterval, now: dependencies.now)
        unknownVisits = configuration.recordsClicks ? UnknownVisitCounter(store: store) : nil
        activity = ActivityCounter(store: store, writes: writes, limit: configuration.pendingClickLinks)
        earlierClicks = EarlierClickCounter(store, dependencies, logger: logger)
        cache = LinkCache(byteLimit: configuration.cacheBytes)
        quotas = ClickQuotas(store: store, writes: writes, now: dependencies.now)
        recordFlush = SharedFlush(uptime: dependencies.uptime)
        randomBits = SecureBits(randomBytes: dependencies.randomBytes)
        slugs = SlugGenerator(bits: randomBits)
        passwords = LinkPasswords(dependencies)
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
        reportUnreadableApplications()
        try await keys.refresh()
        // Without it only explanations of the past are missing.
        try? await store.noteApplications(at: dependencies.now())
        if serving { beginServing() }
    }

    /// From now on, requests for unknown links, hosts and keys are rejected as unknown.
    package func beginServing() { loaded.store(true, ordering: .releasing) }

    /// Whether data has been loaded: before that, no link, host or key is known.
    package var isLoaded: Bool { loaded.load(ordering: .acquiring) }

    /// Starts periodic work: writing clicks, noticing changes by other processes, deleting old records.
    package func startTimers() {
        openSpool()
        recordWriter?.beginRelief()
        let timers = [
            RepeatingTimer(every: configuration.clickFlushInterval) { [weak self] in await self?.writeDown() },
            RepeatingTimer(every: configuration.clickJournalInterval) { [weak self] in
                await self?.writeRecords(inTurn: true)
            },
            RepeatingTimer(every: configuration.clickFlushInterval) { [weak self] in await self?.replayRecords() },
            RepeatingTimer(every: configuration.refreshInterval) { [weak self] in await self?.refresh() },
            RepeatingTimer(every: configuration.indexInterval) { [weak self] in await self?.updateIndexes() },
            RepeatingTimer(every: configuration.indexInterval) { [weak self] in await self?.countEarlierClicks() },
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
        await writeRecords(inTurn: false, isLast: true)
        await quotas.retireAll()
        try? await keys.writeUses(all: true)
        cache.removeAll()
    }

    /// The endpoints of webhooks, and the outbox.
    package var webhooks: any WebhookStore { store.webhooks }

    /// The imports over the API.
    package var importRuns: any ImportRunStore { store.importRuns }
    /// What was observed of association files.
    package var associationFiles: any AssociationFileStore { store.associationFiles }
    /// Whether other servers may use the same database.
    package var isStoreShared: Bool { store.isShared }

    /// How many writes shared each commit of the store; nil if the store does not report it.
    package var commitSizes: HistogramMetrics? { store.commitSizes }

    var clickSecret: SipHash? { running.withLock { $0.clickSecret } }

    private func writeDown() async {
        do {
            try await clicks.flush()
            await quotas.releaseLeftovers()
            try await activity.flush()
            warnings.settle(.clicks, "clicks are being recorded again")
        } catch {
            warnings.raise(.clicks, "clicks of \(clicks.pendingLinks) links wait for the store: \(error.sentence)")
        }
    }

    func refresh() async {
        do {
            try await applications.refresh()
            reportUnreadableApplications()
            try await keys.refresh()
            try await keys.writeUses()
            warnings.settle(.registry, "applications and keys are read again")
        } catch {
            warnings.raise(.registry, "applications and keys were not read again: \(error.sentence)")
        }
    }

    private func reportUnreadableApplications() {
        let unreadable = applications.directory.current.unreadable.map(\.id.text)
        guard !unreadable.isEmpty else {
            return warnings.settle(.unreadableApplications, "the documents of all applications can be read again")
        }
        warnings.raise(
            .unreadableApplications,
            """
            the documents of these applications are damaged, or of a later version: \(unreadable.joined(separator: ", ")); \
            put them again, or upgrade this server
            """)
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

    /// The time up to which things are deleted because of their age; nil if nothing is.
    package var deletionTime: Timestamp? { retention.time }

    private func countEarlierClicks() async {
        do throws(StoreError) {
            try await earlierClicks.run { [weak self] in self?.running.withLock { !$0.timers.isEmpty } ?? false }
            warnings.settle(.earlierClicks, "the clicks of before the upgrade are counted again")
        } catch {
            warnings.raise(.earlierClicks, "the clicks of before the upgrade are not counted: \(error.sentence)")
        }
    }

    /// Deletes expired idempotency records, claims and event IDs, and old click records and totals, some thousand per
    /// transaction so that other writers get their turn.
    package func purge() async {
        // Nothing by age, if it can't be read; records of deleted links need no clock.
        var reading = RetentionClock.Reading()
        do {
            reading = try await retention.read(now: dependencies.now(), uptime: dependencies.uptime())
            if let reason = reading.reason {
                warnings.raise(.clock, "\(reason)")
            } else {
                warnings.settle(.clock, "old records are deleted again: the clock agrees with the last deletion")
            }
            if let time = reading.time {
                while try await store.purge(at: time, limit: 2_000) == 2_000 {}
                let first = time.advanced(byMilliseconds: Int64(-configuration.auditRetentionDays) * 86_400_000)
                while try await store.audit.purgeAudit(before: first, limit: 2_000) == 2_000 {}
            }
            warnings.settle(.purge, "old idempotency records are dropped again")
        } catch {
            warnings.raise(.purge, "old idempotency records stay: \(error.sentence)")
        }
        await refusedSignIns.settle()
        await dropOldClicks(reading)
        await mergeTotals()
        await summarizeClicks()
        if let time = reading.time {
            do {
                try await reportWeek(at: time)
                warnings.settle(.weeklyReport, "weekly reports are made again")
            } catch {
                warnings.raise(.weeklyReport, "weekly reports wait: \((error as? StoreError)?.sentence ?? "\(error)")")
            }
        }
    }

    /// Rows of totals that can't be read, as far as merging has found them.
    package var damagedTotals: Int { store.clickTotals.damagedTotalsCount() }

    /// Merges rows of totals that several servers wrote, for some seconds. Rows of the last minutes are still added to.
    private func mergeTotals() async {
        let uptime = dependencies.uptime
        let end = uptime() + 5_000
        let quarter = ClickTotal.quarter(ofSecond: dependencies.now().seconds) - 1
        do throws(StoreError) {
            while try await store.clickTotals.mergeTotals(before: quarter, limit: 64) > 0, uptime() < end {}
            let damaged = damagedTotals
            guard damaged == 0 else {
                warnings.raise(
                    .totals, kind: "damaged",
                    "totals of clicks can't be read and are left out of merging: \(damaged); run waymark check --rebuild-totals"
                )
                return
            }
            warnings.settle(.totals, "totals of clicks are merged again")
        } catch {
            warnings.raise(.totals, "totals of several servers stay in pieces; run waymark check: \(error.sentence)")
        }
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

    /// Deletes the remaining click records of deleted links, and those of days that are over for long, in steps like
    /// `purge`.
    private func dropOldClicks(_ reading: RetentionClock.Reading) async {
        do {
            // No click has an earlier day.
            while try await store.clickRecords.dropClicks(before: 0, limit: 2_000) == 2_000 {}
            guard let today = reading.time?.day else { return }
            let (first, firstTotals) = (
                today - configuration.clickRetentionDays, today - configuration.clickTotalsRetentionDays
            )
            var (blocks, rows) = (0, 0)
            blocks = try await dropClicks(before: first)
            var dropped = 2_000
            while dropped == 2_000 {
                dropped = try await store.clickTotals.dropTotals(before: firstTotals, limit: 2_000)
                rows += dropped
            }
            if blocks + rows > 0 {
                let days = reading.days.map { "of \($0) \($0 == 1 ? "day" : "days")" } ?? "of all days"
                logger.notice(
                    """
                    retention deleted \(blocks) blocks of click records before \(Self.date(first)) and \(rows) rows of \
                    totals before \(Self.date(firstTotals)), \(days)
                    """)
            }
            warnings.settle(.retention, "old records of clicks are dropped again")
        } catch {
            warnings.raise(.retention, "old records of clicks stay: \(error.sentence)")
        }
    }

    /// Says which clicks another database has not got, also where some stay.
    private func dropClicks(before day: Int) async throws(StoreError) -> Int {
        // They are deleted even if they can't be counted.
        let waiting = try? await store.clickShipments.waitingClicks(before: day)
        var blocks = 0
        defer {
            if blocks > 0, waiting?.blocks != 0 {
                expiredUnshipped.add(waiting?.clicks ?? 0, ordering: .relaxed)
                let clicks =
                    waiting.map { "\($0.clicks) clicks (\($0.blocks) blocks)" } ?? "an unknown number of clicks"
                logger.warning(
                    """
                    retention deleted \(clicks) before \(Self.date(day)) that ClickHouse has not got; make it take clicks \
                    again, or raise clicks.retentionDays
                    """)
            }
        }
        var dropped = 2_000
        while dropped == 2_000 {
            dropped = try await store.clickRecords.dropClicks(before: day, limit: 2_000)
            blocks += dropped
        }
        return blocks
    }

    private static func date(_ day: Int) -> String {
        String(Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay).rfc3339.prefix(10))
    }
}
