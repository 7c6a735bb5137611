internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

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
        let type = event.kind == .open ? EventType.appOpened : .appInstalled
        if try subscriptions().includes(type), let link = try database.link(id), event.counts(for: link) {
            try report(type, link, at: now, [])
        }
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
        // SQLite would convert a sum beyond 64 bits to floating point.
        try database.run(
            """
            INSERT INTO link_event (link, opens, installs) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET opens = opens + min(excluded.opens, 9223372036854775807 - opens),
                installs = installs + min(excluded.installs, 9223372036854775807 - installs)
            """, [id.rawValue, isOpen ? 1 : 0, isOpen ? 0 : 1])
        return .counted
    }
}

extension WriteSession {
    func addActivity(_ days: [DailyActivity], as write: WriteID) throws {
        guard try result(of: write) == nil else { return }
        try remember(write)
        for day in days {
            let counts = day.counts.values
            try database.run(
                """
                INSERT INTO link_activity (
                    link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE EXISTS (SELECT 1 FROM link WHERE id = ?1)
                ON CONFLICT DO UPDATE SET
                    opens = opens + min(excluded.opens, 9223372036854775807 - opens),
                    installs = installs + min(excluded.installs, 9223372036854775807 - installs),
                    resolves = resolves + min(excluded.resolves, 9223372036854775807 - resolves),
                    redeems = redeems + min(excluded.redeems, 9223372036854775807 - redeems),
                    claims = claims + min(excluded.claims, 9223372036854775807 - claims),
                    android_install_events = android_install_events
                        + min(excluded.android_install_events, 9223372036854775807 - android_install_events),
                    android_installs = android_installs
                        + min(excluded.android_installs, 9223372036854775807 - android_installs)
                """,
                [
                    day.link.rawValue, day.day, counts[0], counts[1], counts[2], counts[3], counts[4], counts[5],
                    counts[6],
                ])
        }
    }
}

extension Database {
    func activity(of id: LinkID, days: Range<Int>) throws -> [DailyActivity] {
        try rows(
            """
            SELECT day, opens, installs, resolves, redeems, claims, android_install_events, android_installs
            FROM link_activity WHERE link = ? AND day >= ? AND day < ? ORDER BY day
            """, [id.rawValue, days.lowerBound, days.upperBound]
        ) { row in
            DailyActivity(
                link: id, day: Int(try row.number(0)),
                counts: LinkActivity(values: try (1...7).map { try row.count($0) }))
        }
    }

    func eventCounts(of id: LinkID) throws -> EventCounts {
        let counts = try row("SELECT opens, installs FROM link_event WHERE link = ?", [id.rawValue]) {
            EventCounts(opens: try $0.count(0), installs: try $0.count(1))
        }
        return counts ?? EventCounts()
    }
}
