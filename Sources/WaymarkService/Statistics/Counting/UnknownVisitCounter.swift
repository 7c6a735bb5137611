import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// Counts visits of addresses that no link has, so that operators find links that are missing. In bounded memory; a crash loses
/// the counts since the last flush.
package final class UnknownVisitCounter: Sendable {
    private struct Key: Hashable {
        var application: ApplicationID
        var day: Int
    }

    /// Applications and days at a time.
    private static let keyLimit = 100
    /// Addresses of all of them between two flushes, of at most 300 bytes; visits of further ones are only counted.
    package static let addressLimit = 20_000

    private let store: any LinkStore
    private let pending = Mutex<[Key: UnknownVisits]>([:])

    package init(store: any LinkStore) { self.store = store }

    /// Addresses that have not been written yet.
    package var addressCount: Int { pending.withLock { $0.values.reduce(0) { $0 + $1.addressCount } } }

    /// - Parameters:
    ///   - address: Host and path, without a query.
    ///   - isPersons: Whether a person visited rather than a program.
    package func record(_ address: String, of application: ApplicationID, at now: Timestamp, isPersons: Bool) {
        let count = isPersons ? ClickCount(people: 1) : ClickCount(bots: 1)
        let key = Key(application: application, day: now.day)
        pending.withLock { pending in
            guard pending[key] != nil || pending.count < Self.keyLimit else { return }
            let others = pending.values.reduce(0) { $0 + $1.addressCount }
            if others < Self.addressLimit {
                pending[key, default: UnknownVisits()].add(count, of: address)
            } else {
                pending[key, default: UnknownVisits()].add(count)
            }
        }
    }

    /// Writes all visits so far; if the store fails, they stay.
    package func flush() async throws(StoreError) {
        let taken = pending.withLock { pending in
            defer { pending = [:] }
            return pending
        }
        guard !taken.isEmpty else { return }
        do throws(StoreError) {
            try await store.clickTotals.addUnknownVisits(
                taken.map { UnknownVisitsOfDay(application: $0.application, day: $0.day, visits: $1) })
        } catch {
            pending.withLock { pending in
                for (key, visits) in taken { pending[key, default: UnknownVisits()].merge(visits) }
            }
            throw error
        }
    }
}
