#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension WorkingSet {
        mutating func redeem(
            _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
        ) throws -> RedeemOutcome {
            if let idempotency, let record = record(scope: idempotency.scope, at: now) {
                guard record.fingerprint == idempotency.fingerprint, case .redeem(let kept) = record.kept else {
                    return .mismatch
                }
                guard let row = rows[kept.link] else { return .unknown }
                return try answer(row.link, kept.redeem, isReplay: true)
            }
            guard var row = rows[id] else { return .unknown }
            let redeem: Redeem
            switch row.link.redeemPlan(at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks) {
            case .unavailable(let state): return .unavailable(row.link, state)
            case .answer(let answer): redeem = answer
            case .take(let limit):
                // Its redeems were not counted when the rows were locked: a patch has changed it since.
                guard row.isLocked else { throw PostgresFailure.raced }
                if row.link.redeemed < limit {
                    counts[id, default: Counts(redeemed: row.link.redeemed)].taken += 1
                    row.link.redeemed += 1
                    rows[id] = row
                    redeem = RedeemPlan.taken(row.link.redeemed, limit: limit)
                    report(.linkRedeemed, row.link, at: now, [])
                } else {
                    redeem = RedeemPlan.refused(used: row.link.redeemed, limit: limit)
                }
            }
            if let idempotency, idempotency.stores(redeem) {
                keep(
                    .redeem(RedeemRecord(link: id, redeem: redeem)), scope: idempotency.scope,
                    fingerprint: idempotency.fingerprint, until: idempotency.expiresAt)
            }
            return try answer(row.link, redeem, isReplay: false)
        }

        private func answer(_ link: Link, _ redeem: Redeem, isReplay: Bool) throws(StoreError) -> RedeemOutcome {
            .answered(
                link, metadata: redeem.givesMetadata ? try openedMetadata(of: link.id) : nil, redeem,
                isReplay: isReplay)
        }

        func openedMetadata(of id: LinkID) throws(StoreError) -> [UInt8]? {
            guard let stored = metadata[id] else { return nil }
            return try metadataKeys.opened(stored, of: .link(id))
        }

        mutating func addClicks(_ clicks: ClickCounts, as write: WriteID) {
            guard result(of: write) == nil else { return }
            remember(write)
            for (id, count) in clicks.links where count > 0 {
                guard var row = rows[id] else { continue }
                let added = min(count, .max - row.link.clicks)
                counts[id, default: Counts(redeemed: row.link.redeemed)].clicks += added
                row.link.clicks += added
                if let free = clicks.free[id] {
                    counts[id]?.free += row.link.addFreeClicks(free)
                }
                rows[id] = row
            }
        }

        mutating func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) -> Int {
            if let granted = result(of: write) { return granted }
            guard count > 0, let row = rows[id] else { return 0 }
            guard let reservation = row.link.reservation(upTo: count) else { return count }
            guard reservation.granted > 0 else { return 0 }
            setReserved(reservation.reserved, of: row)
            remember(write, result: reservation.granted)
            if reservation.reserved == row.link.content.maxClicks {
                report(.linkExhausted, row.link, at: write.issuedAt, [])
            }
            return reservation.granted
        }

        mutating func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) {
            guard result(of: write) == nil, count > 0, let row = rows[id] else { return }
            remember(write)
            setReserved(max(0, row.link.reservedClicks - min(count, row.link.reservedClicks)), of: row)
        }

        private mutating func setReserved(_ reserved: Int, of row: Row) {
            let id = row.link.id
            counts[id, default: Counts(redeemed: row.link.redeemed)].reserved += reserved - row.link.reservedClicks
            rows[id]?.link.reservedClicks = reserved
        }
    }
#endif
