import Synchronization
package import WaymarkLinks

/// Counts what apps do with links, in memory until the next flush: a resolve must not wait for a write of its own.
///
/// A crash loses what was counted since the last flush, as it does with clicks.
package final class ActivityCounter: Sendable {
    private struct Key: Hashable {
        let link: LinkID
        let day: Int
    }

    private let store: any LinkStore
    /// How many links and days may wait while the store is away.
    private let limit: Int
    private let waiting = Mutex<[Key: LinkActivity]>([:])
    /// One flush at a time: a caller that waits for one finds everything in the store.
    private let mutex = AsyncMutex()

    init(store: any LinkStore, limit: Int) {
        self.store = store
        self.limit = limit
    }

    func add(_ counts: LinkActivity, of link: LinkID, at now: Timestamp) {
        add([DailyActivity(link: link, day: now.day, counts: counts)])
    }

    private func add(_ days: [DailyActivity]) {
        waiting.withLock { waiting in
            for day in days {
                let key = Key(link: day.link, day: day.day)
                guard waiting[key] != nil || waiting.count < limit else { continue }
                waiting[key, default: LinkActivity()] += day.counts
            }
        }
    }

    /// Writes down what was counted so far; what could not be written waits on.
    package func flush() async throws(StoreError) {
        try await mutex.withTurn { () async throws(StoreError) in
            let taken = waiting.withLock { waiting in
                defer { waiting = [:] }
                return waiting.map { DailyActivity(link: $0.link, day: $0.day, counts: $1) }
            }
            var rest = taken[...]
            do throws(StoreError) {
                while !rest.isEmpty {
                    try await store.addActivity(Array(rest.prefix(Self.batch)))
                    rest = rest.dropFirst(Self.batch)
                }
            } catch {
                add(Array(rest))
                throw error
            }
        }
    }

    private static let batch = 1_000
}

extension LinkService {
    /// What apps did with a link on these days; with everything that was counted here so far.
    package func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await activity.flush()
        return try await store.activity(of: id, days: days)
    }
}
