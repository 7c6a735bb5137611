package import WaymarkLinks

extension MemoryLinkStore {
    package func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome {
        try withState { state in
            if let idempotency, let record = state.records[idempotency.scope], record.expiresAt > now {
                guard record.fingerprint == idempotency.fingerprint, case .redeem(let kept) = record.kept else {
                    return .mismatch
                }
                guard let link = state.links[kept.link] else { return .unknown }
                return .answered(
                    link, metadata: kept.redeem.givesMetadata ? state.metadata[kept.link] : nil, kept.redeem,
                    isReplay: true)
            }
            let outcome = state.redeem(id, at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks)
            if let idempotency, case .answered(_, _, let redeem, _) = outcome, idempotency.stores(redeem) {
                state.records[idempotency.scope] = .init(
                    fingerprint: idempotency.fingerprint, expiresAt: idempotency.expiresAt,
                    kept: .redeem(RedeemRecord(link: id, redeem: redeem)))
            }
            return outcome
        }
    }

    package func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError) {
        try withState { state in
            guard state.result(of: write) == nil else { return }
            state.remember(write)
            for (id, count) in counts.links where count > 0 {
                guard let clicks = state.links[id]?.clicks else { continue }
                let (sum, overflow) = clicks.addingReportingOverflow(count)
                state.links[id]?.clicks = overflow ? .max : sum
                state.links[id]?.addFreeClicks(counts.free[id] ?? 0)
            }
        }
    }

    package func reserveClicks(
        _ id: LinkID, upTo count: Int, as write: WriteID
    ) async throws(StoreError) -> Int {
        try withState { state in
            if let granted = state.result(of: write) { return granted }
            guard let link = state.links[id], count > 0 else { return 0 }
            guard let reservation = link.reservation(upTo: count) else { return count }
            state.links[id]?.reservedClicks = reservation.reserved
            state.remember(write, result: reservation.granted)
            if reservation.granted > 0, reservation.reserved == link.content.maxClicks {
                state.report(.linkExhausted, link, at: write.issuedAt, [])
            }
            return reservation.granted
        }
    }

    package func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError) {
        try withState { state in
            guard state.result(of: write) == nil, let link = state.links[id], count > 0 else { return }
            state.remember(write)
            state.links[id]?.reservedClicks = max(0, link.reservedClicks - min(count, link.reservedClicks))
        }
    }

    package func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try withState { state in
            let over = state.records.filter { $0.value.expiresAt <= now }.keys.prefix(max(0, limit))
            for scope in over { state.records[scope] = nil }
            let silent = state.batches.filter { $0.value.expiresAt <= now }.keys.prefix(max(0, limit - over.count))
            for writer in silent { state.batches[writer] = nil }
            return over.count + silent.count
        }
    }
}

extension MemoryLinkState {
    mutating func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool
    ) -> RedeemOutcome {
        guard var link = links[id] else { return .unknown }
        let redeem: Redeem
        switch link.redeemPlan(at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks) {
        case .unavailable(let linkState): return .unavailable(link, linkState)
        case .answer(let answer): redeem = answer
        case .take(let limit) where link.redeemed < limit:
            link.redeemed += 1
            links[id] = link
            redeem = RedeemPlan.taken(link.redeemed, limit: limit)
            report(.linkRedeemed, link, at: now, [])
        case .take(let limit): redeem = RedeemPlan.refused(used: link.redeemed, limit: limit)
        }
        return .answered(link, metadata: redeem.givesMetadata ? metadata[id] : nil, redeem, isReplay: false)
    }

    func result(of write: WriteID) -> Int? { batches[write.writer]?.result(of: write) }

    mutating func remember(_ write: WriteID, result: Int = 0) {
        batches[write.writer] = WrittenBatch(write, result: result)
    }
}
