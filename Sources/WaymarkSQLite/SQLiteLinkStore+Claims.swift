package import WaymarkLinks

extension SQLiteLinkStore {
    package func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome {
        try await write { session in
            var transaction = session
            return try transaction.claim(candidates, at: now, idempotency: idempotency)
        }
    }

    package func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        guard !events.isEmpty else { return [] }
        return try await write(weight: events.count) { try $0.record(events, at: now) }
    }

    package func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts {
        try await read { try $0.eventCounts(of: id) }
    }
}
