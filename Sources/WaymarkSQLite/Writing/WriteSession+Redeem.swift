internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession {
    func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) throws -> RedeemOutcome {
        if let idempotency {
            switch try kept(scope: idempotency.scope, fingerprint: idempotency.fingerprint, at: now) {
            case .nothing: break
            case .redeem(let record):
                guard let link = try database.link(record.link) else { return .unknown }
                return try answer(link, record.redeem, isReplay: true)
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
                try report(.linkRedeemed, link, at: now, [])
            } else {
                redeem = RedeemPlan.refused(used: link.redeemed, limit: limit)
            }
        }
        if let idempotency, idempotency.stores(redeem) {
            try keep(
                .redeem(RedeemRecord(link: id, redeem: redeem)), scope: idempotency.scope,
                fingerprint: idempotency.fingerprint, until: idempotency.expiresAt)
        }
        return try answer(link, redeem, isReplay: false)
    }

    private func answer(_ link: Link, _ redeem: Redeem, isReplay: Bool) throws -> RedeemOutcome {
        .answered(
            link, metadata: redeem.givesMetadata ? try metadata(of: link.id) : nil, redeem, isReplay: isReplay)
    }

    func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) throws -> Int {
        if let granted = try result(of: write) { return granted }
        guard count > 0, let link = try database.link(id) else { return 0 }
        guard let reservation = link.reservation(upTo: count) else { return count }
        guard reservation.granted > 0 else { return 0 }
        try database.run("UPDATE link SET reserved = ? WHERE id = ?", [reservation.reserved, id.rawValue])
        try remember(write, result: reservation.granted)
        if reservation.reserved == link.content.maxClicks { try report(.linkExhausted, link, at: write.issuedAt, []) }
        return reservation.granted
    }

    func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) throws {
        guard try count > 0 && result(of: write) == nil else { return }
        try remember(write)
        try database.run("UPDATE link SET reserved = max(0, reserved - ?) WHERE id = ?", [count, id.rawValue])
    }
}
