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
    /// The rule by which the click was led on, if known.
    package var rule: ClickedRule?

    package init(
        scope: [UInt8], installation: [UInt8], application: ApplicationID, link: LinkID, isCounted: Bool,
        method: ClaimRecord.Method, platform: Platform, opened: String?, answersUntil: Timestamp, expiresAt: Timestamp,
        longLink: Link? = nil, rule: ClickedRule? = nil
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
        self.rule = rule
    }
}

package enum ClaimOutcome: Sendable, Equatable {
    /// The current link, the metadata for this claim, the claim as first made, and whether its response is repeated:
    /// for the idempotency key, or for the installation.
    case answered(Link, metadata: [UInt8]?, ClaimRecord.Match, isReplay: Bool)
    /// No click can be claimed: there is none, its link is deleted or not active, another installation has claimed
    /// it, or the time for repeating the response is over.
    case none
    /// The same, as a repeated response for the idempotency key.
    case repeatedNone
    /// The idempotency key was used with another body before.
    case mismatch
}

extension LinkTransaction {
    /// The rules of `LinkStore.claim`.
    package mutating func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) throws -> ClaimOutcome {
        if let idempotency {
            switch try record(of: idempotency.key, at: now) {
            case .nothing: break
            case .record(.claim(let claim)): return try outcome(claim.match, candidates, isReplay: true)
            case .mismatch, .record: return .mismatch
            }
        }
        var found: ClaimRecord.Match?
        var outcome = ClaimOutcome.none
        for candidate in candidates {
            guard let (match, isKnown) = try match(candidate, at: now) else { continue }
            found = match
            outcome = try self.outcome(match, [candidate], isReplay: isKnown)
            break
        }
        if let idempotency {
            try add(.claim(ClaimRecord(match: found)), of: idempotency.key, until: idempotency.expiresAt)
        }
        return outcome
    }

    /// The claim, and whether it was made before.
    private mutating func match(
        _ candidate: ClaimCandidate, at now: Timestamp
    ) throws -> (ClaimRecord.Match, isKnown: Bool)? {
        guard let link = try candidate.longLink ?? link(candidate.link),
            link.application == candidate.application
        else { return nil }
        let key = RequestKey(scope: candidate.scope, fingerprint: candidate.installation)
        switch try record(of: key, at: now) {
        case .nothing: break
        case .record(.claim(let claim)):
            guard let match = claim.match, match.answersUntil > now else { return nil }
            return (match, isKnown: true)
        case .mismatch, .record: return nil
        }
        guard let redeem = try redeem(candidate, at: now) else { return nil }
        let match = ClaimRecord.Match(
            method: candidate.method, platform: candidate.platform, opened: candidate.opened,
            answersUntil: candidate.answersUntil, redeem: RedeemRecord(link: candidate.link, redeem: redeem),
            rule: candidate.rule)
        try add(.claim(ClaimRecord(match: match)), of: key, until: candidate.expiresAt)
        // Later conversions name the installation. To forget it, all its claims must be known by this record, which therefore
        // lasts as long as the last of them.
        let end = try end(ofScope: candidate.installation)
        try add(
            .claim(ClaimRecord(match: match)),
            of: RequestKey(scope: candidate.installation, fingerprint: candidate.installation),
            until: max(candidate.expiresAt, end ?? candidate.expiresAt))
        try report(
            .deferredClaimed, link, at: now,
            [
                .init("method", candidate.method.rawValue), .init("platform", candidate.platform.rawValue),
                .init("rule", candidate.rule?.text), .init("variant", candidate.rule?.variant),
            ])
        return (match, isKnown: false)
    }

    /// Nil if the link is not active. Long links always are, and have no metadata.
    private mutating func redeem(_ candidate: ClaimCandidate, at now: Timestamp) throws -> Redeem? {
        guard candidate.longLink == nil else { return Redeem(status: .none, limit: nil, used: 0) }
        guard
            case .answered(_, _, let redeem, _) = try redeem(
                candidate.link, at: now, taking: true, ignoringMaxClicks: candidate.isCounted, idempotency: nil)
        else { return nil }
        return redeem
    }

    private mutating func outcome(
        _ match: ClaimRecord.Match?, _ candidates: [ClaimCandidate], isReplay: Bool
    ) throws -> ClaimOutcome {
        guard let match else { return isReplay ? .repeatedNone : .none }
        // The link has been deleted since, so the earlier response is not repeated.
        let longLink = candidates.first { $0.link == match.redeem.link }?.longLink
        guard let link = try longLink ?? self.link(match.redeem.link) else { return .none }
        let metadata = match.redeem.redeem.givesMetadata ? try metadata(of: link.id) : nil
        return .answered(link, metadata: metadata, match, isReplay: isReplay)
    }
}
