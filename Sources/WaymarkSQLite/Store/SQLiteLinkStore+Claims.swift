package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome {
        try await write(as: .claim) { try $0.claim(candidates, at: now, idempotency: idempotency) }
    }

    package func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        guard !events.isEmpty else { return [] }
        return try await write(as: .recordEvents, weight: events.count) { try $0.record(events, at: now) }
    }
}
