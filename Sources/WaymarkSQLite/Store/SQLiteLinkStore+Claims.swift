package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome {
        try await write(as: .claim) { session in
            var transaction = session
            return try transaction.claim(candidates, at: now, idempotency: idempotency)
        }
    }

    package func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        guard !events.isEmpty else { return [] }
        return try await write(as: .recordEvents, weight: events.count) { try $0.record(events, at: now) }
    }

    package func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts {
        try await read(as: .eventCounts) { try $0.eventCounts(of: id) }
    }

    package func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError) {
        guard !days.isEmpty else { return }
        try await self.write(as: .addActivity, weight: days.count) { try $0.addActivity(days, as: write) }
    }

    package func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await read(as: .activity) { try $0.activity(of: id, days: days) }
    }
}
