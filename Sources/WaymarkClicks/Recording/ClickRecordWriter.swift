import Synchronization
import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Writes a record of each click into the store, some seconds' worth at a time.
///
/// A crash loses the records since the last flush and no others. While the store is away they wait, up to a limit beyond
/// which they are dropped and counted.
///
/// A block costs the store one page of its table, however many clicks are in it. So where the clicks of a turn are spread
/// over many links, a few to each, up to two turns are left out (docs/decisions/2026-11-22-clicks-in-blocks.md).
package final class ClickRecordWriter: Sendable {
    /// Blocks in one transaction, so that other writers get their turn, and that a commit, which writes a page for each of
    /// them in one go, keeps the processor for no longer than a millisecond.
    private static let batchSize = 300
    /// Fewer blocks than these are written with every turn.
    private static let manyBlocks = 1_000
    /// So many clicks to a block are worth its page: with more, SQLite gives it a second one.
    private static let worthwhileClicks = 100
    private static let turnsToLeaveOut = 2
    /// The longest that others go first while clicks are packed: further ones come meanwhile.
    private static let patience = Duration.milliseconds(20)

    /// What is only touched by the one flush at a time.
    private struct BlockPacker {
        /// By day; without one no visitors are told apart.
        var salts: [Int: SipHash] = [:]
        var lastNumber: Int64 = 0
        /// Blocks of the last flush; none where the store did not take them, so that the next turn tries again.
        var lastCount = 0
        /// Turns since then that were left out.
        var leftOut = 0

        /// Whether this turn may be left out, with so many clicks waiting of as many as may wait.
        mutating func leavesOut(waiting: Int, limit: Int) -> Bool {
            // What will wait with the next turn, if as many come as with each so far; the other half of the room is for a store
            // that is away.
            let expected = waiting / (leftOut + 1) * (leftOut + 2)
            guard lastCount > ClickRecordWriter.manyBlocks, leftOut < ClickRecordWriter.turnsToLeaveOut,
                waiting < lastCount * ClickRecordWriter.worthwhileClicks, expected <= limit / 2
            else { return false }
            leftOut += 1
            return true
        }

        /// 42 bits of milliseconds, so that blocks lie in the order of time, and 21 of chance, so that servers don't meet: drawn
        /// once for a moment, because each draw asks the kernel, and counted on from there.
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

    /// - Parameter yieldToOthers: called between pieces of long work that nobody waits for.
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

    /// Clicks that were taken, and those of them whose records were dropped for want of room or still wait.
    package var metrics: (taken: Int, dropped: Int, waiting: Int) {
        inbox.withLock { ($0.taken, $0.dropped, $0.waiting) }
    }

    func withInbox<Value>(_ body: (inout ClickRecordQueue) -> Value) -> Value {
        inbox.withLock { inbox in
            inbox.locate = countries.current
            return body(&inbox)
        }
    }

    /// One of the turns in which what was taken is written down: mostly `flush`.
    package func takeTurn() async throws(StoreError) {
        let (waiting, limit) = inbox.withLock { ($0.waiting, $0.limit) }
        guard !packer.withLock({ $0.leavesOut(waiting: waiting, limit: limit) }) else { return }
        try await flush()
    }

    /// Writes down what was taken before the call; where the store fails, what it did not take stays.
    package func flush() async throws(StoreError) {
        try await mutex.withTurn { () async throws(StoreError) in
            try await self.prepareSalts()
            var rest = self.packAll()[...]
            self.forgetSalts()
            while !rest.isEmpty {
                let batch = rest.prefix(Self.batchSize)
                do throws(StoreError) {
                    try await self.store.clickRecords.append(batch.map(\.block))
                } catch {
                    let left = rest
                    self.inbox.withLock { $0.putBack(left) }
                    self.packer.withLock { $0.lastCount = 0 }
                    throw error
                }
                self.inbox.withLock { $0.settle(batch) }
                rest = rest.dropFirst(batch.count)
            }
        }
    }

    /// Packs what waits, while the inbox goes on taking.
    private func packAll() -> [ClickRecordQueue.PackedBlock] {
        var (batch, sealed) = inbox.withLock { $0.takeAll() }
        let now = now()
        var budget = CooperativeYield(Self.patience)
        let yieldToOthers = yieldToOthers
        let blocks = packer.withLock { [batch] packer in
            let salts = packer.salts
            let blocks = batch.blocks(
                salts: salts, number: { packer.number(at: now) }, pause: { budget.spend(on: yieldToOthers) })
            packer.lastCount = blocks.count
            packer.leftOut = 0
            return blocks
        }
        // Emptied here, where it is the only one: a copy would leave its memory behind.
        batch.removeAll()
        inbox.withLock { [batch] in $0.reuse(batch) }
        return sealed + blocks
    }

    /// The salts of today and tomorrow, the same for every server of the store, and none of any day before: with its salt
    /// goes what could lead from a visitor's number back to an address.
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

    /// Those of days that are over stay in memory until the last clicks of the day are packed.
    private func forgetSalts() {
        let today = now().day
        packer.withLock { packer in packer.salts = packer.salts.filter { $0.key >= today } }
    }

    /// With five digits, so that the names lie in the order of the days until the year 2243.
    private static func saltName(of day: Int) -> String { "\(StoredSecret.visitorsPrefix)\(day)" }
}
