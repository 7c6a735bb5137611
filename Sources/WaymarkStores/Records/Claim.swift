package import WaymarkLinks

/// A click that an installation may claim: its ID was verified, but the link was not looked up yet.
package struct ClaimCandidate: Sendable, Equatable {
    /// A digest of the click ID: the key of the stored claim.
    package var scope: [UInt8]
    /// A digest of the installation: only the first one to claim gets a response.
    package var installation: [UInt8]
    /// The claiming app; a click on another app's link does not match.
    package var application: ApplicationID
    package var link: LinkID
    /// The click was counted as a person's, so `maxClicks` does not apply any more.
    package var isCounted: Bool
    package var method: ClaimRecord.Method
    package var platform: Platform
    package var opened: String?
    package var answersUntil: Timestamp
    /// When the click ID, and so its claim, expires.
    package var expiresAt: Timestamp
    /// The clicked link if it is a long link, which no store has.
    package var longLink: Link?

    package init(
        scope: [UInt8], installation: [UInt8], application: ApplicationID, link: LinkID, isCounted: Bool,
        method: ClaimRecord.Method, platform: Platform, opened: String?, answersUntil: Timestamp, expiresAt: Timestamp,
        longLink: Link? = nil
    ) {
        self.scope = scope
        self.installation = installation
        self.application = application
        self.link = link
        self.isCounted = isCounted
        self.method = method
        self.platform = platform
        self.opened = opened
        self.answersUntil = answersUntil
        self.expiresAt = expiresAt
        self.longLink = longLink
    }
}

package enum ClaimOutcome: Sendable, Equatable {
    /// The current link, the metadata for this claim, the claim as first made, and whether its response is repeated:
    /// for the idempotency key, or for the installation.
    case answered(Link, metadata: [UInt8]?, ClaimRecord.Match, isReplay: Bool)
    /// No click can be claimed: there is none, its link is deleted or not active, another installation has claimed
    /// it, or the time for repeating the response is over.
    case none
    /// The same, as a repeated response for the idempotency key. A case without a payload, because memcheck cannot
    /// follow the optimized copy of an enum with several.
    case repeatedNone
    /// The idempotency key was used with another body before.
    case mismatch
}

/// The record stored under a scope, as seen by a claimant.
package enum KeptClaim: Sendable {
    case nothing
    /// Stored by another claimant, or not a claim.
    case mismatch
    case claim(ClaimRecord)
}

/// The transaction that a claim needs from a store. The claim itself is decided here for all stores.
package protocol ClaimTransaction {
    mutating func keptClaim(scope: [UInt8], fingerprint: [UInt8], at now: Timestamp) throws -> KeptClaim
    mutating func keep(_ claim: ClaimRecord, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) throws
    mutating func claimedLink(_ id: LinkID) throws -> Link?
    mutating func claimedMetadata(of id: LinkID) throws -> [UInt8]?
    /// `LinkStore.redeem` without an idempotency key, within this transaction.
    mutating func takeRedeem(_ id: LinkID, at now: Timestamp, ignoringMaxClicks: Bool) throws -> RedeemOutcome
    /// Adds an event of a link to the outbox if it has a subscriber.
    mutating func report(
        _ type: EventType, _ link: Link, at now: Timestamp,
        _ attributes: @autoclosure () -> [OutboxEvent.Attribute]
    ) throws
}

extension ClaimTransaction {
    /// The rules of `LinkStore.claim`. The caller must have exclusive access to the records of these scopes until the
    /// commit.
    package mutating func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) throws -> ClaimOutcome {
        if let idempotency {
            switch try keptClaim(scope: idempotency.scope, fingerprint: idempotency.fingerprint, at: now) {
            case .nothing: break
            case .mismatch: return .mismatch
            case .claim(let record): return try answer(record.match, candidates, isReplay: true)
            }
        }
        var found: ClaimRecord.Match?
        var outcome = ClaimOutcome.none
        for candidate in candidates {
            guard let (match, isKnown) = try match(candidate, at: now) else { continue }
            found = match
            outcome = try answer(match, [candidate], isReplay: isKnown)
            break
        }
        if let idempotency {
            try keep(
                ClaimRecord(match: found), scope: idempotency.scope, fingerprint: idempotency.fingerprint,
                until: idempotency.expiresAt)
        }
        return outcome
    }

    /// The claim, and whether it was made before.
    private mutating func match(
        _ candidate: ClaimCandidate, at now: Timestamp
    ) throws -> (ClaimRecord.Match, isKnown: Bool)? {
        guard let link = try candidate.longLink ?? claimedLink(candidate.link),
            link.application == candidate.application
        else { return nil }
        switch try keptClaim(scope: candidate.scope, fingerprint: candidate.installation, at: now) {
        case .mismatch: return nil
        case .claim(let record):
            guard let match = record.match, match.answersUntil > now else { return nil }
            return (match, isKnown: true)
        case .nothing: break
        }
        guard let redeem = try redeem(candidate, at: now) else { return nil }
        let match = ClaimRecord.Match(
            method: candidate.method, platform: candidate.platform, opened: candidate.opened,
            answersUntil: candidate.answersUntil, redeem: RedeemRecord(link: candidate.link, redeem: redeem))
        try keep(
            ClaimRecord(match: match), scope: candidate.scope, fingerprint: candidate.installation,
            until: candidate.expiresAt)
        // Later conversions name the installation.
        try keep(
            ClaimRecord(match: match), scope: candidate.installation, fingerprint: candidate.installation,
            until: candidate.expiresAt)
        try report(
            .deferredClaimed, link, at: now,
            [.init("method", candidate.method.rawValue), .init("platform", candidate.platform.rawValue)])
        return (match, isKnown: false)
    }

    /// Nil if the link is not active. Long links always are, and have no metadata.
    private mutating func redeem(_ candidate: ClaimCandidate, at now: Timestamp) throws -> Redeem? {
        guard candidate.longLink == nil else { return Redeem(status: .none, limit: nil, used: 0) }
        guard
            case .answered(_, _, let redeem, _) = try takeRedeem(
                candidate.link, at: now, ignoringMaxClicks: candidate.isCounted)
        else { return nil }
        return redeem
    }

    private mutating func answer(
        _ match: ClaimRecord.Match?, _ candidates: [ClaimCandidate], isReplay: Bool
    ) throws -> ClaimOutcome {
        guard let match else { return isReplay ? .repeatedNone : .none }
        // The link has been deleted since, so the earlier response is not repeated.
        let longLink = candidates.first { $0.link == match.redeem.link }?.longLink
        guard let link = try longLink ?? claimedLink(match.redeem.link) else { return .none }
        let metadata = match.redeem.redeem.givesMetadata ? try claimedMetadata(of: link.id) : nil
        return .answered(link, metadata: metadata, match, isReplay: isReplay)
    }
}
