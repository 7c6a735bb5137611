internal import GRDB
internal import WaymarkLinks

extension WriteSession {
    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) throws -> RedeemOutcome {
        if let idempotency {
            switch try kept(scope: idempotency.scope, fingerprint: idempotency.fingerprint, at: now) {
            case .nothing: break
            case .redeem(let record):
                guard let link = try database.link(record.link) else { return .unknown }
                return try answer(link, record.redeem)
            case .mismatch, .answer, .claim, .event: return .mismatch
            }
        }
        guard var link = try database.link(id) else { return .unknown }
        let redeem: Redeem
        switch link.redeemPlan(at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks) {
        case .unavailable(let state): return .unavailable(link, state)
        case .answer(let answer): redeem = answer
        case .take(let limit):
            let number = try database.row(
                """
                UPDATE link SET redeemed = redeemed + 1
                WHERE id = ? AND has_metadata AND redeemed < redeem_limit RETURNING redeemed
                """, [id.rawValue]
            ) { try $0.count(0) }
            if let number {
                link.redeemed = number
                redeem = RedeemPlan.taken(number, limit: limit)
            } else {
                redeem = RedeemPlan.refused(used: link.redeemed, limit: limit)
            }
        }
        if let idempotency {
            try keep(
                .redeem(RedeemRecord(link: id, redeem: redeem)), scope: idempotency.scope,
                fingerprint: idempotency.fingerprint, until: idempotency.expiresAt)
        }
        return try answer(link, redeem)
    }

    private func answer(_ link: Link, _ redeem: Redeem) throws -> RedeemOutcome {
        .answered(link, metadata: redeem.givesMetadata ? try metadata(of: link.id) : nil, redeem)
    }

    func addClicks(_ counts: [LinkID: Int]) throws {
        let given = counts.lazy.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        guard !given.isEmpty else { return }
        // One statement for all, because a statement for each link costs several times what SQLite does for it. In the
        // order of the links: each page is visited once. CROSS JOIN keeps SQLite to it. SQLite would turn a sum past 64 bits
        // into a floating-point number. WHERE, because without it ON would be read as a condition of the join.
        try database.givingWay {
            try database.run(
                """
                INSERT INTO link_click (link, clicks)
                SELECT link.id, given.value
                FROM json_each(?) AS given CROSS JOIN link ON link.id = CAST(given.key AS INTEGER)
                WHERE true
                ON CONFLICT DO UPDATE SET clicks = clicks + min(excluded.clicks, 9223372036854775807 - clicks)
                """, [Self.object(given)])
        }
    }

    /// `{"7":1,"8":3}`, put together in place: this is done for ten thousand links in a second.
    private static func object(_ counts: [(key: LinkID, value: Int)]) -> String {
        var text = ""
        text.reserveCapacity(counts.count * 16)
        for (id, count) in counts {
            text += text.isEmpty ? "{\"" : ",\""
            text += String(id.rawValue)
            text += "\":"
            text += String(count)
        }
        return text + "}"
    }

    func reserveClicks(_ id: LinkID, upTo count: Int) throws -> Int {
        guard count > 0, let link = try database.link(id) else { return 0 }
        guard let reservation = link.reservation(upTo: count) else { return count }
        guard reservation.granted > 0 else { return 0 }
        try database.run("UPDATE link SET reserved = ? WHERE id = ?", [reservation.reserved, id.rawValue])
        return reservation.granted
    }

    func releaseClicks(_ id: LinkID, count: Int) throws {
        guard count > 0 else { return }
        try database.run("UPDATE link SET reserved = max(0, reserved - ?) WHERE id = ?", [count, id.rawValue])
    }
}
