package import Logging
import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// Ships clicks to ClickHouse. Each server with ClickHouse in its configuration runs one; the one that holds the database's lock
/// does the work, one batch after the other.
package final class ClickDispatcher: Sendable {
    /// Between looks at what waits and what is ordered, and at the version of the tables.
    private static let countInterval: Duration = .seconds(5)
    private static let tablesInterval: Duration = .seconds(60)
    /// Between two passes over the counters, at least. One that took longer is followed by a pause as long as it.
    private static let counterInterval: Duration = .seconds(60)
    /// How long a stop waits for the attempt under way. The next server to ship repeats it.
    private static let patience: Duration = .seconds(2)

    package let metrics = ShippingMetrics()
    private let store: any SealingStore
    private let client: ClickHouseClient
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let warnings: RecurringWarnings
    private let state = Mutex(State())
    private let bell = WakeBell()

    private struct State {
        var task: Task<Void, Never>?
        var isRunning = false
        var isOn = false
        /// Whether this server has not shipped since it got the lock, or since the database failed.
        var begins = true
        var failures = 0
        var tables: (tables: ClickHouseTables, at: ContinuousClock.Instant)?
        var counted: ContinuousClock.Instant?
        /// The last note that waited when this server began to ship, as long as it or earlier ones wait. A database that failed over
        /// may have lost that they arrived, so their clicks are looked for.
        var doubted: Int64?
        var backfill: Backfill?
        /// The pass over the counters that is under way, when it began, and when the next one is due.
        var sweep: CounterSweep?
        var sweepBegan = ContinuousClock.now
        var sweepDue = ContinuousClock.now
    }

    private var shipments: any ClickShipmentStore { store.clickShipments }

    package init(
        store: any SealingStore, client: ClickHouseClient, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.client = client
        self.sha256 = sha256
        self.now = now
        self.logger = logger
        warnings = RecurringWarnings(logger, quietFor: .seconds(300))
    }

    package func start() {
        let task = Task(priority: .utility) { [self] in
            while !Task.isCancelled { await bell.wait(milliseconds: await turn()) }
            state.withLock { $0.isRunning = false }
        }
        state.withLock { state in
            state.task = task
            state.isRunning = true
        }
    }

    /// Ends the loop.
    package func stop() async {
        state.withLock { $0.task.take() }?.cancel()
        bell.ring()
        let end = ContinuousClock.now + Self.patience
        while state.withLock({ $0.isRunning }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// - Returns: Milliseconds until the next turn, at least 1.
    func turn() async -> Int64 {
        do {
            if !state.withLock({ $0.isOn }) {
                try await shipments.setShipsClicks(true)
                state.withLock { $0.isOn = true }
            }
            guard try await shipments.holdsShipping() else {
                state.withLock { state in
                    state.tables = nil
                    state.backfill = nil
                    state.sweep = nil
                    state.begins = true
                }
                metrics.note(waiting: 0, oldest: 0)
                return ShippingPace.idleInterval
            }
            try await look()
            var rest = ShippingPace.interval
            if let shipment = try await shipments.shipment(limit: ShippingPace.batch) {
                let isDoubted = state.withLock { $0.doubted != nil }
                let sending = try await shipper().ship(shipment, today: now().day, isDoubted: isDoubted)
                try await shipments.finishShipment(shipment.number)
                report(sending.unreadable)
                metrics.shipped.add(sending.clicks, ordering: .relaxed)
                rest = ShippingPace.rest(after: sending.clicks)
            } else {
                metrics.note(waiting: 0, oldest: 0)
                state.withLock { $0.doubted = nil }
            }
            // What has been noted before goes first, so that a long backfill waits in ClickHouse's place and not here.
            if rest > 0, try await backfills() { rest = 0 }
            if rest > 0 { await sweepCounters() }
            settle()
            return max(1, rest)
        } catch {
            guard !Task.isCancelled else { return 1 }
            return raise(error)
        }
    }

    /// A step of a backfill; false if none is ordered.
    private func backfills() async throws -> Bool {
        guard var backfill = state.withLock({ $0.backfill }) else { return false }
        try await backfill.step(shipments, shipper(), now: now())
        if backfill.isAtEnd {
            try await store.forgetSecrets(BackfillOrder.secretName..<BackfillOrder.secretName + "~")
            logger.notice(
                "blocks of the days to backfill that ClickHouse lacked, and that are shipped now: \(backfill.noted)")
        }
        state.withLock { $0.backfill = backfill.isAtEnd ? nil : backfill }
        return true
    }

    /// A page of the counters, if it is time. A failure holds up no clicks.
    private func sweepCounters() async {
        let start = ContinuousClock.now
        let firstDay = now().day - client.settings.retentionDays + 1
        let next = state.withLock { state -> CounterSweep? in
            guard state.sweepDue <= start else { return nil }
            if state.sweep == nil { state.sweepBegan = start }
            return state.sweep ?? CounterSweep(firstDay: firstDay)
        }
        guard var sweep = next else { return }
        do {
            let before = sweep.sent
            try await sweep.step(shipments, client, try await tables(), now: now())
            metrics.counters.add(sweep.sent - before, ordering: .relaxed)
            warnings.settle(.counters, "counters of apps and conversions are shipped to ClickHouse again")
            let (isAtEnd, end) = (sweep.isAtEnd, ContinuousClock.now)
            state.withLock { [sweep] state in
                state.sweep = isAtEnd ? nil : sweep
                if isAtEnd { state.sweepDue = end + max(Self.counterInterval, end - state.sweepBegan) }
            }
        } catch {
            guard !Task.isCancelled else { return }
            state.withLock { $0.sweepDue = ContinuousClock.now + Self.counterInterval }
            let isMissing = (error as? ClickHouseFailure)?.isOfMissingTables ?? false
            let reason =
                isMissing ? "it has no tables for them; run waymark clickhouse migrate" : Self.reason(error).sentence
            warnings.raise(.counters, "counters of apps and conversions are not shipped to ClickHouse: \(reason)")
        }
    }

    private func shipper() async throws(ClickHouseFailure) -> ClickShipper {
        ClickShipper(client: client, tables: try await tables(), sha256: sha256)
    }

    /// At what waits, and at orders.
    private func look() async throws(StoreError) {
        let now = ContinuousClock.now
        let (isDue, begins) = state.withLock { state in
            let begins = state.begins
            if !begins, let last = state.counted, now - last < Self.countInterval { return (false, false) }
            state.begins = false
            state.counted = now
            return (true, begins)
        }
        guard isDue else { return }
        let (clicks, oldest) = try await shipments.waitingShipments()
        metrics.note(waiting: clicks, oldest: oldest?.rawValue ?? 0)
        let notes = try await shipments.waitingNotes()
        state.withLock { state in
            if begins { state.doubted = notes?.upperBound }
            if let doubted = state.doubted, notes.map({ $0.lowerBound > doubted }) ?? true { state.doubted = nil }
        }
        let order = try await store.secrets(prefix: BackfillOrder.secretName).lazy.compactMap { BackfillOrder($0) }
            .first
        state.withLock { state in
            if state.backfill?.order != order { state.backfill = order.map { Backfill($0) } }
        }
    }

    /// Asked again at times, because another program may migrate them.
    private func tables() async throws(ClickHouseFailure) -> ClickHouseTables {
        let now = ContinuousClock.now
        if let known = state.withLock({ $0.tables }), now - known.at < Self.tablesInterval { return known.tables }
        let tables = try await client.tables()
        state.withLock { $0.tables = (tables, now) }
        return tables
    }

    private func report(_ unreadable: [ClickBlock.Key]) {
        guard let first = unreadable.first else { return }
        metrics.unreadable.add(unreadable.count, ordering: .relaxed)
        logger.error(
            "blocks of clicks can't be read and did not go to ClickHouse: \(unreadable.count), first block \(first.number) of link \(first.link.rawValue); run waymark check"
        )
    }

    private static func reason(_ error: any Error) -> (kind: String, sentence: String) {
        switch error {
        case let failure as ClickHouseFailure: (failure.kind, failure.sentence)
        case let failure as StoreError: ("store", failure.sentence)
        default: ("other", "\(error)")
        }
    }

    private func raise(_ error: any Error) -> Int64 {
        let (kind, sentence) = Self.reason(error)
        if error is ClickHouseFailure { metrics.failedAttempts.add(1, ordering: .relaxed) }
        let failures = state.withLock { state in
            state.failures += 1
            state.tables = nil
            if error is StoreError { state.begins = true }
            return state.failures
        }
        warnings.raise(.shipping, kind: kind, "clicks wait for ClickHouse: \(sentence)")
        return ShippingPace.delay(after: failures, jitter: .random(in: 0...1))
    }

    private func settle() {
        state.withLock { $0.failures = 0 }
        warnings.settle(.shipping, "clicks are shipped to ClickHouse again")
    }
}
