#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension WorkingSet: ClaimTransaction {
        func keptClaim(scope: [UInt8], fingerprint: [UInt8], at now: Timestamp) -> KeptClaim {
            guard let record = record(scope: scope, at: now) else { return .nothing }
            guard record.fingerprint == fingerprint, case .claim(let claim) = record.kept else { return .mismatch }
            return .claim(claim)
        }

        mutating func keep(_ claim: ClaimRecord, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) {
            keep(Record.Kept.claim(claim), scope: scope, fingerprint: fingerprint, until: end)
        }

        func claimedLink(_ id: LinkID) -> Link? { rows[id]?.link }

        func claimedMetadata(of id: LinkID) throws -> [UInt8]? { try openedMetadata(of: id) }

        mutating func takeRedeem(
            _ id: LinkID, at now: Timestamp, ignoringMaxClicks: Bool
        ) throws -> RedeemOutcome {
            try redeem(id, at: now, taking: true, ignoringMaxClicks: ignoringMaxClicks, idempotency: nil)
        }

        mutating func record(_ events: [AppEvent], at now: Timestamp) -> [EventOutcome] {
            events.map { record($0, at: now) }
        }

        private mutating func record(_ event: AppEvent, at now: Timestamp) -> EventOutcome {
            guard record(scope: event.digest, at: now) == nil else { return .duplicate }
            keep(Record.Kept.event, scope: event.digest, fingerprint: [], until: event.expiresAt)
            guard let id = event.link, let link = rows[id]?.link, event.counts(for: link) else { return .unattributed }
            self.events[id, default: EventCounts()].add(event.kind)
            return .counted
        }
    }
#endif
