import Synchronization
import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Writes a record of each click to the store, some seconds' worth at a time.
///
/// What the store does not take goes to the spool at once, and from there to the store when it is back: a crash loses
/// only the records since the last flush, whether the store was there or not. If there is no spool, or it takes
/// nothing, records wait in memory, up to a limit beyond which they are dropped and counted.
///
/// A block costs the store one page of its table, regardless of its number of clicks. So if a turn's clicks are
/// spread over many links with a few each, up to two turns are skipped
/// (docs/decisions/2026-11-22-clicks-in-blocks.md).
package final class ClickRecordWriter: Sendable {
    /// Blocks per transaction, so that other writers get their turn, and that a commit, which writes a page per
    /// block, occupies the processor for at most a millisecond.
    private static let batchSize = 300
    /// With fewer blocks, every turn writes.
    private static let manyBlocks = 1_000
    /// The number of clicks per block that are worth a page: with more, SQLite needs a second page.
    private static let worthwhileClicks = 100
    private static let turnsToLeaveOut = 2
    /// The maximum time to yield to others while clicks are sorted, and while some are packed, because further clicks
    /// arrive meanwhile.
    private static let patience = Duration.milliseconds(10)

    private struct BlockPacker {
        /// By day; without one, no visitors are identified.
        var salts: [Int: SipHash] = [:]
        /// Of days whose salt the store could not be asked for, to be stored once it can be.
        var ownSalts: [Int: [UInt8]] = [:]
        /// Clicks that are no longer in the inbox, and not in blocks. Only the running flush takes them.
        var clicks: [SortedClicks] = []
        /// Blocks that the store has not accepted yet. Only the running flush takes them.
        var blocks: ArraySlice<PackedBlock> = []
        var lastNumber: Int64 = 0
        /// The blocks of the last flush; 0 if the store failed, so that the next turn tries again.
        var lastCount = 0
        /// The number of turns skipped since then.
        var leftOut = 0

        /// Whether this turn may be skipped, given the memory of waiting clicks and its limit.
        mutating func leavesOut(waiting: Int, bytes: Int, limit: Int) -> Bool {
            // Expected at the next turn, if clicks arrive at the same rate; the other half of the limit is for an
            // unavailable store.
            let expected = bytes / (leftOut + 1) * (leftOut + 2)
            guard lastCount > ClickRecordWriter.manyBlocks, leftOut < ClickRecordWriter.turnsToLeaveOut,
                waiting < lastCount * ClickRecordWriter.worthwhileClicks, expected <= limit / 2
            else { return false }
            leftOut += 1
            return true
        }

        /// 42 bits of milliseconds, so that blocks are ordered by time, and 21 random bits, so that servers don't
        /// collide. Random bits take a system call, so they are generated once per millisecond and then incremented.
        mutating func number(at now: Timestamp) -> Int64 {
            let moment = now.rawValue & (1 << 42 - 1)
            lastNumber = lastNumber >> 21 < moment ? moment << 21 | .random(in: 0..<1 << 21) : lastNumber + 1
            return lastNumber
        }

        mutating func removeBlocks(_ count: Int) {
            blocks.removeFirst(count)
            // A slice refers to the memory of all.
            if blocks.isEmpty { blocks = [] }
        }

        /// Makes salts of its own for days whose salt the store could not be asked for.
        mutating func addSalts(of days: ClosedRange<Int>, _ make: () -> [UInt8]) {
            for day in days where salts[day] == nil {
                let bytes = make()
                ownSalts[day] = bytes
                salts[day] = SipHash(key: bytes)
            }
        }
    }

    private let store: any LinkStore
    private let now: @Sendable () -> Timestamp
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let yieldToOthers: @Sendable () -> Void
    private let tellsVisitorsApart: Bool
    private let countries: Countries
    private let inbox: Mutex<ClickRecordQueue>
    private let packer = Mutex(BlockPacker())
    private let mutex = AsyncMutex()
    private let replaying = AsyncMutex()
    private let isRelieving = Atomic(false)
    /// Whether a flush of `relieve` runs or waits, so that there is at most one however long the store takes.
    private let isFlushing = Atomic(false)
    private let spilling = AsyncMutex()
    private let isSpilling = Atomic(false)
    private let isStopping = Atomic(false)
    private let spool = Mutex<ClickSpool?>(nil)

    /// - Parameters:
    ///   - limit: memory of waiting clicks, in bytes.
    ///   - yieldToOthers: called between pieces of long background work.
    package init(
        store: any LinkStore, limit: Int, tellsVisitorsApart: Bool, countries: Countries,
        now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        yieldToOthers: @escaping @Sendable () -> Void = {}
    ) {
        self.store = store
        self.tellsVisitorsApart = tellsVisitorsApart
        self.countries = countries
        self.now = now
        self.randomBytes = randomBytes
        self.yieldToOthers = yieldToOthers
        inbox = Mutex(ClickRecordQueue(limit: limit))
    }

    /// Clicks received, and those whose records were dropped or are still waiting in memory.
    package var metrics: (taken: Int, dropped: Int, waiting: Int) {
        inbox.withLock { ($0.taken, $0.dropped, $0.waiting) }
    }

    /// The memory of the waiting clicks, and of their profiles.
    package var waitingBytes: Int { inbox.withLock { $0.bytes + $0.profileBytes } }
    /// Bytes of the spool; 0 without one.
    package var spooledBytes: Int { currentSpool?.bytes ?? 0 }

    /// Clicks dropped since the last call.
    func takeDropped() -> Int { inbox.withLock { $0.takeDropped() } }

    var currentSpool: ClickSpool? { spool.withLock { $0 } }

    /// From now on, what the store does not take goes there.
    func use(_ spool: ClickSpool) { self.spool.withLock { $0 = spool } }

    /// From now on, writing begins before its turn when much waits, and spilling when too much does.
    func beginRelief() {
        isStopping.store(false, ordering: .sequentiallyConsistent)
        isRelieving.store(true, ordering: .relaxed)
    }

    /// Waits until no clicks are on their way to the spool: the last flush would not see them.
    func endRelief() async {
        isRelieving.store(false, ordering: .relaxed)
        isStopping.store(true, ordering: .sequentiallyConsistent)
        await spilling.withTurn {}
    }

    func withInbox<Value>(_ body: (inout ClickRecordQueue) -> Value) -> Value {
        let (value, pressure) = inbox.withLock { inbox in
            inbox.locate = countries.current
            let value = body(&inbox)
            return (value, inbox.takePressure())
        }
        if let pressure { relieve(pressure) }
        return value
    }

    /// In the background, because an event loop may be waiting.
    private func relieve(_ pressure: ClickRecordQueue.Pressure) {
        guard isRelieving.load(ordering: .relaxed) else { return }
        Task(priority: .utility) { [weak self] in
            switch pressure {
            case .write: await self?.flushBusy()
            case .spill: await self?.spillWaiting()
            }
        }
    }

    private func flushBusy() async {
        guard !isFlushing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        defer { isFlushing.store(false, ordering: .releasing) }
        // The next turn reports a store that does not take them.
        repeat { guard (try? await flush()) != nil else { return } } while inbox.withLock { $0.isBusy }
    }

    /// A periodic turn, which usually calls `flush`.
    package func takeTurn() async throws(StoreError) {
        let (waiting, bytes, limit) = inbox.withLock { ($0.waiting, $0.bytes, $0.limit) }
        guard !packer.withLock({ $0.leavesOut(waiting: waiting, bytes: bytes, limit: limit) }) else { return }
        try await flush()
    }

    /// Writes all clicks received before the call; if the store fails, the rest goes to the spool, or stays queued.
    package func flush() async throws(StoreError) {
        try await mutex.withTurn { () async throws(StoreError) in
            // Clicks of a day are here a minute after it, and taken by this flush.
            let day = Timestamp(seconds: self.now().seconds - 60).day
            do throws(StoreError) {
                try await self.prepareSalts()
                // Those that the store has not accepted come first, with the same keys. Nothing else is packed before,
                // because clicks take less memory than blocks.
                try await self.writeBlocks()
                while self.pack() { try await self.writeBlocks() }
                self.takeBatch()
                while self.pack() { try await self.writeBlocks() }
                self.forgetSalts(before: day)
            } catch {
                self.spillAll(day)
                throw error
            }
        }
    }

    private func writeBlocks() async throws(StoreError) {
        while true {
            let blocks = packer.withLock { $0.blocks.prefix(Self.batchSize) }
            guard !blocks.isEmpty else { return }
            do throws(StoreError) {
                try await store.clickRecords.append(blocks.map(\.block))
            } catch {
                packer.withLock { $0.lastCount = 0 }
                throw error
            }
            packer.withLock { $0.removeBlocks(blocks.count) }
            settle(blocks)
        }
    }

    private func settle(_ blocks: some Sequence<PackedBlock>) {
        inbox.withLock { $0.settle(blocks.reduce(0) { $0 + $1.count }) }
    }

    /// Takes the waiting clicks, while the inbox accepts more. All earlier ones have been packed.
    private func takeBatch() {
        packer.withLock {
            $0.lastCount = 0
            $0.leftOut = 0
        }
        guard let clicks = sortWaiting() else { return }
        packer.withLock { $0.clicks.append(clicks) }
    }

    private func sortWaiting() -> SortedClicks? {
        var batch = inbox.withLock { $0.takeAll() }
        var budget = CooperativeYield(Self.patience)
        let clicks = SortedClicks(batch, pause: { budget.spend(on: yieldToOthers) })
        batch.removeAll()
        inbox.withLock { [batch] in $0.reuse(batch) }
        return clicks.count > 0 ? clicks : nil
    }

    /// Packs the next clicks into blocks.
    ///
    /// - Returns: Whether there were any.
    private func pack() -> Bool {
        let now = now()
        var budget = CooperativeYield(Self.patience)
        let yieldToOthers = yieldToOthers
        let (isPacked, costs) = packer.withLock { packer in
            var costs = 0
            while !packer.clicks.isEmpty {
                // In its place: a copy would be one of all clicks.
                let salts = packer.salts
                var clicks = packer.clicks.removeFirst()
                let blocks = clicks.nextBlocks(
                    salts: salts, number: { packer.number(at: now) }, pause: { budget.spend(on: yieldToOthers) })
                if let blocks {
                    packer.clicks.insert(clicks, at: 0)
                    packer.blocks += blocks
                    packer.lastCount += blocks.count
                    return (true, costs)
                }
                costs += clicks.profileCosts
            }
            return (false, costs)
        }
        if costs > 0 { inbox.withLock { $0.settle(0, costs: costs) } }
        return isPacked
    }

    /// Moves everything to the spool that the store does not take. Only the running flush calls it.
    private func spillAll(_ day: Int) {
        guard let spool = writableSpool else { return }
        addOwnSalts()
        guard spillPacked(to: spool) else { return }
        takeBatch()
        let isDone = spillPacked(to: spool)
        packer.withLock { $0.lastCount = 0 }
        if isDone { forgetSalts(before: day) }
    }

    private func spillPacked(to spool: ClickSpool) -> Bool {
        repeat {
            let blocks = packer.withLock { $0.blocks }
            guard !blocks.isEmpty else { continue }
            guard spool.append(Array(blocks)) else { return false }
            packer.withLock { $0.removeBlocks(blocks.count) }
            settle(blocks)
        } while pack()
        return true
    }

    /// Moves waiting clicks to the spool, beside a flush that the store keeps waiting.
    func spillWaiting() async {
        guard let spool = writableSpool, !isSpilling.exchange(true, ordering: .acquiringAndReleasing) else { return }
        defer { isSpilling.store(false, ordering: .releasing) }
        await spilling.withTurn { self.spill(to: spool) }
    }

    private func spill(to spool: ClickSpool) {
        while !isStopping.load(ordering: .sequentiallyConsistent), inbox.withLock({ $0.isCrowded }) {
            addOwnSalts()
            // Of the days of these clicks, also if the last one ends meanwhile.
            let salts = packer.withLock { $0.salts }
            guard var clicks = sortWaiting() else { continue }
            let now = now()
            while true {
                let blocks = clicks.nextBlocks(
                    salts: salts, number: { packer.withLock { $0.number(at: now) } }, pause: yieldToOthers)
                guard let blocks else { break }
                guard spool.append(blocks) else {
                    // They stay in memory, for the store.
                    packer.withLock { [clicks] packer in
                        packer.blocks += blocks
                        packer.clicks.append(clicks)
                    }
                    return
                }
                settle(blocks)
            }
            inbox.withLock { [costs = clicks.profileCosts] in $0.settle(0, costs: costs) }
        }
    }

    private var writableSpool: ClickSpool? { currentSpool.flatMap { $0.isWritable ? $0 : nil } }

    /// Moves what is on the spool to the store. New clicks come first: there is room for the others.
    ///
    /// - Parameter firstDay: clicks of earlier days are left out. Their blocks may have been stored and deleted, and
    ///   would be added to the totals again.
    func replay(from firstDay: Int = 0) async throws(StoreError) {
        guard let spool = currentSpool, !spool.isEmpty else { return }
        try await replaying.withTurn { () async throws(StoreError) in
            while !self.inbox.withLock({ $0.isBusy }), let page = spool.next(limit: Self.batchSize) {
                let blocks = page.blocks.map(\.block).filter { $0.key.day >= firstDay }
                if !blocks.isEmpty { try await self.store.clickRecords.append(blocks) }
                spool.settle(page)
            }
        }
    }

    /// So that blocks can be made while the store can't be asked for the salts.
    private func addOwnSalts() {
        guard tellsVisitorsApart else { return }
        let today = now().day
        packer.withLock { $0.addSalts(of: today...today + 1) { randomBytes(16) } }
    }

    /// Loads the salts of today and tomorrow, shared by all servers of the store, and deletes earlier ones: without
    /// its salt, a visitor's number can't be traced to an address.
    package func prepareSalts() async throws(StoreError) {
        guard tellsVisitorsApart else { return }
        let today = now().day
        let days = [today, today + 1]
        let known = packer.withLock { Set($0.salts.keys).subtracting($0.ownSalts.keys) }
        guard !known.isSuperset(of: days) else { return }
        var salts: [Int: SipHash] = [:]
        for day in days {
            let (randomBytes, own) = (randomBytes, packer.withLock { $0.ownSalts[day] })
            salts[day] = SipHash(key: try await store.secret(Self.saltName(of: day), make: { own ?? randomBytes(16) }))
        }
        let prepared = salts
        packer.withLock { packer in
            packer.salts.merge(prepared) { $1 }
            for day in days { packer.ownSalts[day] = nil }
        }
        try await store.forgetSecrets(StoredSecret.visitorsPrefix..<Self.saltName(of: today))
    }

    /// Salts of past days stay in memory until the day's last clicks are packed.
    private func forgetSalts(before day: Int) {
        guard !isSpilling.load(ordering: .acquiring) else { return }
        packer.withLock { packer in
            guard packer.clicks.isEmpty else { return }
            packer.salts = packer.salts.filter { $0.key >= day }
            packer.ownSalts = packer.ownSalts.filter { $0.key >= day }
        }
    }

    /// Five digits, so that the names are in the order of the days until the year 2243.
    private static func saltName(of day: Int) -> String { "\(StoredSecret.visitorsPrefix)\(day)" }
}
