import Synchronization
import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Writes a record of each click to the store, some seconds' worth at a time.
///
/// A crash loses only the records since the last flush. While the store is unavailable they wait, up to a limit
/// beyond which they are dropped and counted.
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
    /// The number of clicks that become blocks at a time, as blocks are larger than waiting clicks.
    private static let packedAtOnce = 1 << 18
    /// The maximum time to yield to others while clicks are packed, because further clicks arrive meanwhile.
    private static let patience = Duration.milliseconds(20)

    /// Only accessed by the running flush.
    private struct BlockPacker {
        /// By day; without one, no visitors are identified.
        var salts: [Int: SipHash] = [:]
        /// Clicks that are no longer in the inbox, and how many of them are in blocks.
        var batch = ClickBatch()
        var packed = 0
        /// Blocks that the store has not accepted yet.
        var blocks: ArraySlice<(block: ClickBlock, count: Int)> = []
        var lastNumber: Int64 = 0
        /// The blocks of the last flush; 0 if the store failed, so that the next turn tries again.
        var lastCount = 0
        /// The number of turns skipped since then.
        var leftOut = 0

        /// Whether this turn may be skipped, given the number of waiting clicks and its limit.
        mutating func leavesOut(waiting: Int, limit: Int) -> Bool {
            // The expected number at the next turn, if clicks arrive at the same rate; the other half of the limit is
            // for an unavailable store.
            let expected = waiting / (leftOut + 1) * (leftOut + 2)
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

    /// - Parameter yieldToOthers: called between pieces of long background work.
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

    /// Clicks received, and those whose records were dropped or are still waiting.
    package var metrics: (taken: Int, dropped: Int, waiting: Int) {
        inbox.withLock { ($0.taken, $0.dropped, $0.waiting) }
    }

    func withInbox<Value>(_ body: (inout ClickRecordQueue) -> Value) -> Value {
        inbox.withLock { inbox in
            inbox.locate = countries.current
            return body(&inbox)
        }
    }

    /// A periodic turn, which usually calls `flush`.
    package func takeTurn() async throws(StoreError) {
        let (waiting, limit) = inbox.withLock { ($0.waiting, $0.limit) }
        guard !packer.withLock({ $0.leavesOut(waiting: waiting, limit: limit) }) else { return }
        try await flush()
    }

    /// Writes all clicks received before the call; if the store fails, the rest stays queued.
    package func flush() async throws(StoreError) {
        try await mutex.withTurn { () async throws(StoreError) in
            try await self.prepareSalts()
            // Those that the store has not accepted come first, with the same keys. Nothing else is packed before,
            // because clicks take less memory than blocks.
            try await self.writeBlocks()
            while self.pack() { try await self.writeBlocks() }
            self.takeBatch()
            while self.pack() { try await self.writeBlocks() }
            self.forgetSalts()
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
            packer.withLock { packer in
                packer.blocks.removeFirst(blocks.count)
                // A slice refers to the memory of all.
                if packer.blocks.isEmpty { packer.blocks = [] }
            }
            inbox.withLock { $0.settle(blocks.reduce(0) { $0 + $1.count }) }
        }
    }

    /// Takes the waiting clicks, while the inbox accepts more. All earlier ones have been packed.
    private func takeBatch() {
        packer.withLock { packer in
            packer.batch = inbox.withLock { $0.takeAll() }
            packer.packed = 0
            packer.lastCount = 0
            packer.leftOut = 0
        }
    }

    /// Packs the next clicks of the batch into blocks, which takes up to twice the memory of the clicks.
    ///
    /// - Returns: Whether there were any.
    private func pack() -> Bool {
        let now = now()
        var budget = CooperativeYield(Self.patience)
        let yieldToOthers = yieldToOthers
        return packer.withLock { packer in
            // Nothing was taken: the inbox keeps the batch that it has for reuse.
            guard packer.batch.count > 0 else { return false }
            let range = packer.packed..<min(packer.packed + Self.packedAtOnce, packer.batch.count)
            guard !range.isEmpty else {
                // Emptied here, where it is the only reference: a copy would lose its memory.
                var batch = ClickBatch()
                swap(&batch, &packer.batch)
                packer.packed = 0
                batch.removeAll()
                inbox.withLock { [batch] in $0.reuse(batch) }
                return false
            }
            let salts = packer.salts
            let batch = packer.batch
            let blocks = batch.blocks(
                of: range, salts: salts, number: { packer.number(at: now) },
                pause: { budget.spend(on: yieldToOthers) })
            packer.blocks = blocks[...]
            packer.packed = range.upperBound
            packer.lastCount += blocks.count
            return true
        }
    }

    /// Loads the salts of today and tomorrow, shared by all servers of the store, and deletes earlier ones: without
    /// its salt, a visitor's number can't be traced to an address.
    package func prepareSalts() async throws(StoreError) {
        guard tellsVisitorsApart else { return }
        let today = now().day
        let days = [today, today + 1]
        guard !packer.withLock({ Set($0.salts.keys) }).isSuperset(of: days) else { return }
        var salts: [Int: SipHash] = [:]
        for day in days {
            let randomBytes = randomBytes
            salts[day] = SipHash(key: try await store.secret(Self.saltName(of: day), make: { randomBytes(16) }))
        }
        let prepared = salts
        packer.withLock { $0.salts.merge(prepared) { $1 } }
        try await store.forgetSecrets(StoredSecret.visitorsPrefix..<Self.saltName(of: today))
    }

    /// Salts of past days stay in memory until the day's last clicks are packed.
    private func forgetSalts() {
        let today = now().day
        packer.withLock { packer in packer.salts = packer.salts.filter { $0.key >= today } }
    }

    /// Five digits, so that the names are in the order of the days until the year 2243.
    private static func saltName(of day: Int) -> String { "\(StoredSecret.visitorsPrefix)\(day)" }
}
