package import WaymarkLinks

extension LinkTransaction {
    /// The rules of `LinkStore.redeem`.
    package mutating func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) throws -> RedeemOutcome {
        if let idempotency {
            switch try record(of: idempotency.key, at: now) {
            case .nothing: break
            case .record(.redeem(let record)):
                guard let link = try link(record.link) else { return .unknown }
                return try outcome(link, record.redeem, isReplay: true)
            case .mismatch, .record: return .mismatch
            }
        }
        guard var link = try link(id) else { return .unknown }
        let redeem: Redeem
        switch link.redeemPlan(at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks) {
        case .unavailable(let state): return .unavailable(link, state)
        case .answer(let answer): redeem = answer
        case .take(let limit):
            if try takeRedeem(of: &link, limit: limit) {
                redeem = Redeem(status: .redeemed, limit: limit, used: link.redeemed)
                try report(.linkRedeemed, link, at: now, [])
            } else {
                // A limit may have been patched to below what is used.
                redeem = Redeem(status: .exhausted, limit: limit, used: link.redeemed)
            }
        }
        if let idempotency, idempotency.stores(redeem) {
            try add(
                .redeem(RedeemRecord(link: id, redeem: redeem)), of: idempotency.key, until: idempotency.expiresAt)
        }
        return try outcome(link, redeem, isReplay: false)
    }

    private mutating func outcome(_ link: Link, _ redeem: Redeem, isReplay: Bool) throws -> RedeemOutcome {
        .answered(
            link, metadata: redeem.givesMetadata ? try metadata(of: link.id) : nil, redeem, isReplay: isReplay)
    }

    /// The rules of `LinkStore.reserveClicks`.
    package mutating func reserveClicks(_ id: LinkID, upTo count: Int, as write: WriteID) throws -> Int {
        if let granted = try result(of: write) { return granted }
        guard count > 0, let link = try link(id) else { return 0 }
        guard let reservation = link.reservation(upTo: count) else { return count }
        guard reservation.granted > 0 else { return 0 }
        try setReservedClicks(reservation.reserved, of: link)
        try remember(write, result: reservation.granted)
        if reservation.reserved == link.content.maxClicks { try report(.linkExhausted, link, at: write.issuedAt, []) }
        return reservation.granted
    }

    /// The rules of `LinkStore.releaseClicks`.
    package mutating func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) throws {
        guard try count > 0 && result(of: write) == nil else { return }
        try remember(write, result: 0)
        try subtractReservedClicks(count, of: id)
    }

    /// The rules of `LinkStore.record`.
    package mutating func record(_ events: [AppEvent], at now: Timestamp) throws -> [EventOutcome] {
        try events.map { try record($0, at: now) }
    }

    private mutating func record(_ event: AppEvent, at now: Timestamp) throws -> EventOutcome {
        guard try isNew(event: event.digest, at: now, until: event.expiresAt) else { return .duplicate }
        guard let id = event.link, let application = try application(ofLink: id), event.counts(for: application) else {
            return .unattributed
        }
        try count(event.kind, for: id)
        let type = event.kind == .open ? EventType.appOpened : .appInstalled
        if try hasSubscriber(of: type), let link = try readableLink(id) { try report(type, link, at: now, []) }
        return .counted
    }

    /// Records the digest if it is not yet recorded.
    private mutating func isNew(event digest: [UInt8], at now: Timestamp, until end: Timestamp) throws -> Bool {
        let key = RequestKey(scope: digest, fingerprint: [])
        guard case .nothing = try record(of: key, at: now) else { return false }
        try add(.event, of: key, until: end)
        return true
    }

    /// The rules of `ConversionStore.record`.
    package mutating func record(_ conversions: [Conversion], at now: Timestamp) throws -> [EventOutcome] {
        try conversions.map { try record($0, at: now) }
    }

    private mutating func record(_ conversion: Conversion, at now: Timestamp) throws -> EventOutcome {
        guard try isNew(event: conversion.digest, at: now, until: conversion.expiresAt) else { return .duplicate }
        var conversion = conversion
        var id = conversion.link
        for installation in conversion.installations where id == nil {
            let found = try record(of: RequestKey(scope: installation, fingerprint: installation), at: now)
            guard case .record(.claim(let claim)) = found else { continue }
            id = claim.match?.redeem.link
            conversion.rule = claim.match?.rule
        }
        guard let id, let link = try link(id),
            conversion.application == nil || conversion.application == link.application
        else { return .unattributed }
        try add(ConversionTotal(conversion), to: ConversionKey(conversion, of: link))
        try report(
            .conversionRecorded, link, at: now,
            [
                .init("id", conversion.id), .init("name", conversion.name), .init("at", conversion.at.rfc3339),
                .init("rule", conversion.rule?.text), .init("variant", conversion.rule?.variant),
                .init("amount", conversion.value?.amount.text), .init("currency", conversion.value?.currency),
                .init("reportedBy", conversion.isFromApp ? "app" : "backEnd"),
            ])
        return .counted
    }
}
