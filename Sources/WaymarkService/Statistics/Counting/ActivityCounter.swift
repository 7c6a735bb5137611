import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// Counts apps' activity for links in memory until the next flush: a resolve must not wait for a write of its own.
///
/// A crash loses the counts since the last flush, as for clicks.
package final class ActivityCounter: Sendable {
    private struct Key: Hashable {
        let link: LinkID
        let day: Int
    }

    private struct Batch {
        let write: WriteID
        let days: [DailyActivity]
    }

    private struct State {
        var waiting: [Key: LinkActivity] = [:]
        /// Sent, but not known to be written. Nothing else is sent before it is settled.
        var unsettled: Batch?
    }

    private let store: any LinkStore
    private let writes: WriteIDs
    /// Maximum number of links and days that wait while the store is unavailable.
    private let limit: Int
    private let state = Mutex(State())
    /// One flush at a time: when it returns, everything counted before is in the store.
    private let mutex = AsyncMutex()

    package init(store: any LinkStore, writes: WriteIDs, limit: Int) {
        self.store = store
        self.writes = writes
        self.limit = limit
    }

    package func add(_ counts: LinkActivity, of link: LinkID, at now: Timestamp) {
        add([DailyActivity(link: link, day: now.day, counts: counts)])
    }

    private func add(_ days: [DailyActivity]) {
        state.withLock { state in
            for day in days {
                let key = Key(link: day.link, day: day.day)
                guard state.waiting[key] != nil || state.waiting.count < limit else { continue }
                state.waiting[key, default: LinkActivity()] += day.counts
            }
        }
    }

    /// Writes all counts so far; if the store fails, they stay queued.
    package func flush() async throws(StoreError) {
        try await mutex.withTurn { () async throws(StoreError) in
            if let batch = state.withLock({ $0.unsettled }) { try await send(batch) }
            let taken = state.withLock { state in
                defer { state.waiting = [:] }
                return state.waiting.map { DailyActivity(link: $0.link, day: $0.day, counts: $1) }
            }
            var rest = taken[...]
            while !rest.isEmpty {
                let batch = Batch(write: writes.next(), days: Array(rest.prefix(Self.batchSize)))
                rest = rest.dropFirst(Self.batchSize)
                do throws(StoreError) {
                    try await send(batch)
                } catch {
                    state.withLock { $0.unsettled = batch }
                    add(Array(rest))
                    throw error
                }
            }
        }
    }

    private func send(_ batch: Batch) async throws(StoreError) {
        try await store.addActivity(batch.days, as: batch.write)
        writes.settle(batch.write)
        state.withLock { $0.unsettled = nil }
    }

    private static let batchSize = 1_000
}
