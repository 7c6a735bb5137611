package import WaymarkLinks

extension MemoryLinkStore {
    package func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ClaimOutcome {
        try withState { (state) throws(StoreError) -> ClaimOutcome in
            do {
                return try state.claim(candidates, at: now, idempotency: idempotency)
            } catch let error as StoreError {
                throw error
            } catch {
                throw .corrupt("a claim failed: \(error)")
            }
        }
    }

    package func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        try withState { state in
            events.map { event in
                if let record = state.records[event.digest], record.expiresAt > now { return .duplicate }
                state.records[event.digest] = .init(fingerprint: [], expiresAt: event.expiresAt, kept: .event)
                guard let id = event.link, let link = state.links[id], event.counts(for: link) else {
                    return .unattributed
                }
                state.events[id, default: EventCounts()].add(event.kind)
                state.report(event.kind == .open ? .appOpened : .appInstalled, link, at: now, [])
                return .counted
            }
        }
    }

    package func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts {
        try withState { $0.events[id] ?? EventCounts() }
    }

    package func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError) {
        try withState { state in
            guard state.result(of: write) == nil else { return }
            state.remember(write)
            for day in days where state.links[day.link] != nil {
                state.activity[day.link, default: [:]][day.day, default: LinkActivity()] += day.counts
            }
        }
    }

    package func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try withState { state in
            (state.activity[id] ?? [:]).filter { days.contains($0.key) }.sorted { $0.key < $1.key }
                .map { DailyActivity(link: id, day: $0.key, counts: $0.value) }
        }
    }
}

extension MemoryLinkState: ClaimTransaction {
    mutating func keptClaim(scope: [UInt8], fingerprint: [UInt8], at now: Timestamp) -> KeptClaim {
        guard let record = records[scope], record.expiresAt > now else { return .nothing }
        guard record.fingerprint == fingerprint, case .claim(let claim) = record.kept else { return .mismatch }
        return .claim(claim)
    }

    mutating func keep(_ claim: ClaimRecord, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) {
        records[scope] = Record(fingerprint: fingerprint, expiresAt: end, kept: .claim(claim))
    }

    mutating func claimedLink(_ id: LinkID) -> Link? { links[id] }

    mutating func claimedMetadata(of id: LinkID) -> [UInt8]? { metadata[id] }

    mutating func takeRedeem(_ id: LinkID, at now: Timestamp, ignoringMaxClicks: Bool) -> RedeemOutcome {
        redeem(id, at: now, taking: true, ignoringMaxClicks: ignoringMaxClicks)
    }
}
