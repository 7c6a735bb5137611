import Synchronization
import WaymarkLinks

/// Writes a record of each click into the store, some seconds' worth at a time.
///
/// A crash loses the records since the last flush and no others. While the store is away they wait, up to a limit beyond
/// which they are dropped and counted.
package final class ClickJournal: Sendable {
    /// Blocks in one transaction, so that other writers get their turn.
    private static let batchSize = 1_000

    private let store: any LinkStore
    private let now: @Sendable () -> Timestamp
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let tellsVisitorsApart: Bool
    private let inbox: Mutex<ClickInbox>
    private let turnstile = Turnstile()

    init(
        store: any LinkStore, limit: Int, tellsVisitorsApart: Bool, surroundings: ServiceSurroundings
    ) {
        self.store = store
        self.tellsVisitorsApart = tellsVisitorsApart
        now = surroundings.now
        randomBytes = surroundings.randomBytes
        inbox = Mutex(ClickInbox(limit: limit))
    }

    /// Clicks that were taken, and those of them whose records were dropped for want of room or still wait.
    package var figures: (taken: Int, dropped: Int, waiting: Int) {
        inbox.withLock { ($0.taken, $0.dropped, $0.waiting) }
    }

    func withInbox<Value>(_ body: (inout ClickInbox) -> Value) -> Value {
        inbox.withLock { inbox in body(&inbox) }
    }

    /// Writes down what was taken before the call; where the store fails, what it did not take stays.
    func flush() async throws(StoreError) {
        try await turnstile.withTurn { () async throws(StoreError) in
            try await self.prepareSalts()
            var rest = self.inbox.withLock { $0.takeAll(at: self.now()) }[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Self.batchSize)
                do throws(StoreError) {
                    try await self.store.clickRecords.append(batch.map(\.block))
                } catch {
                    let left = rest
                    self.inbox.withLock { $0.putBack(left) }
                    throw error
                }
                self.inbox.withLock { $0.settle(batch) }
                rest = rest.dropFirst(batch.count)
            }
        }
    }

    /// The salts of today and tomorrow, the same for every server of the store, and none of any day before: with its salt
    /// goes what could lead from a visitor's number back to an address.
    func prepareSalts() async throws(StoreError) {
        guard tellsVisitorsApart else { return }
        let today = now().day
        let days = [today, today + 1]
        guard inbox.withLock({ $0.saltedDays }) != Set(days) else { return }
        var salts: [Int: SipHash] = [:]
        for day in days {
            let randomBytes = randomBytes
            salts[day] = SipHash(key: try await store.secret(Self.saltName(of: day), make: { randomBytes(16) }))
        }
        let prepared = salts
        inbox.withLock { $0.set(prepared) }
        for day in today - 7..<today { try await store.forgetSecret(Self.saltName(of: day)) }
    }

    private static func saltName(of day: Int) -> String { "\(StoredSecret.visitorsPrefix)\(day)" }
}
