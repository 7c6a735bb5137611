internal import GRDB
internal import WaymarkLinks

extension WriteSession: ClaimTransaction {
    func keptClaim(scope: [UInt8], fingerprint: [UInt8], at now: Timestamp) throws -> KeptClaim {
        switch try kept(scope: scope, fingerprint: fingerprint, at: now) {
        case .nothing: .nothing
        case .claim(let record): .claim(record)
        case .mismatch, .answer, .redeem, .event: .mismatch
        }
    }

    func keep(_ claim: ClaimRecord, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) throws {
        try keep(Keeping.claim(claim), scope: scope, fingerprint: fingerprint, until: end)
    }

    func claimedLink(_ id: LinkID) throws -> Link? { try database.link(id) }

    func claimedMetadata(of id: LinkID) throws -> [UInt8]? { try metadata(of: id) }

    func takeRedeem(_ id: LinkID, at now: Timestamp, ignoringMaxClicks: Bool) throws -> RedeemOutcome {
        try redeem(id, at: now, taking: true, ignoringMaxClicks: ignoringMaxClicks, idempotency: nil)
    }
}

extension WriteSession {
    func record(_ events: [AppEvent], at now: Timestamp) throws -> [EventOutcome] {
        try events.map { try record($0, at: now) }
    }

    private func record(_ event: AppEvent, at now: Timestamp) throws -> EventOutcome {
        guard case .nothing = try kept(scope: event.digest, fingerprint: [], at: now) else { return .duplicate }
        try keep(Keeping.event, scope: event.digest, fingerprint: [], until: event.expiresAt)
        guard let id = event.link else { return .unattributed }
        let application = try database.row(
            """
            SELECT application.name FROM link CROSS JOIN application ON application.number = link.application
            WHERE link.id = ?
            """, [id.rawValue]
        ) { try $0.text(0) }
        guard let application, event.application == nil || event.application?.text == application else {
            return .unattributed
        }
        let isOpen = event.kind == .open
        // SQLite would turn a sum past 64 bits into a floating-point number.
        try database.run(
            """
            INSERT INTO link_event (link, opens, installs) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET opens = opens + min(excluded.opens, 9223372036854775807 - opens),
                installs = installs + min(excluded.installs, 9223372036854775807 - installs)
            """, [id.rawValue, isOpen ? 1 : 0, isOpen ? 0 : 1])
        return .counted
    }
}

extension Database {
    func eventCounts(of id: LinkID) throws -> EventCounts {
        let counts = try row("SELECT opens, installs FROM link_event WHERE link = ?", [id.rawValue]) {
            EventCounts(opens: try $0.count(0), installs: try $0.count(1))
        }
        return counts ?? EventCounts()
    }
}
