/// A click that an installation may claim, as it was found: the id was checked, the link was not looked up.
package struct ClaimCandidate: Sendable, Equatable {
    /// A digest of the click's id: the claim is kept under it.
    package var scope: [UInt8]
    /// A digest of the installation: only the one that claimed first gets an answer.
    package var installation: [UInt8]
    /// The app that asks; a click on another's link is none for it.
    package var application: ApplicationID
    package var link: LinkID
    /// The click was counted as a person's, so that `maxClicks` no longer stops it.
    package var isCounted: Bool
    package var method: ClaimRecord.Method
    package var platform: Platform
    package var query: String?
    package var answersUntil: Timestamp
    /// When the click's id ends, and with it whatever could be claimed.
    package var expiresAt: Timestamp

    package init(
        scope: [UInt8], installation: [UInt8], application: ApplicationID, link: LinkID, isCounted: Bool,
        method: ClaimRecord.Method, platform: Platform, query: String?, answersUntil: Timestamp, expiresAt: Timestamp
    ) {
        self.scope = scope
        self.installation = installation
        self.application = application
        self.link = link
        self.isCounted = isCounted
        self.method = method
        self.platform = platform
        self.query = query
        self.answersUntil = answersUntil
        self.expiresAt = expiresAt
    }
}

package enum ClaimOutcome: Sendable, Equatable {
    /// The link as it stands, the metadata that this claim receives, the claim as it was made the first time, and whether
    /// its answer was given before: for the idempotency key, or to the installation.
    case answered(Link, metadata: [UInt8]?, ClaimRecord.Match, isReplay: Bool)
    /// No click can be claimed: none was found, its link is gone or not active, another installation has it, or its
    /// answer was given for long enough.
    case none
    /// The same, and the idempotency key was answered so before. A case without a payload, because memcheck cannot follow
    /// the optimized copy of an enum with several.
    case repeatedNone
    /// The idempotency key came with another body before.
    case mismatch
}

/// What is kept under a scope, seen by who wants to claim.
package enum KeptClaim: Sendable {
    case nothing
    /// By another, or something else.
    case mismatch
    case claim(ClaimRecord)
}

/// A store's transaction, as far as a claim needs one. The claim itself is decided here for all stores.
package protocol ClaimTransaction {
    mutating func keptClaim(scope: [UInt8], fingerprint: [UInt8], at now: Timestamp) throws -> KeptClaim
    mutating func keep(_ claim: ClaimRecord, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) throws
    mutating func claimedLink(_ id: LinkID) throws -> Link?
    mutating func claimedMetadata(of id: LinkID) throws -> [UInt8]?
    /// `LinkStore.redeem` without an idempotency key, within this transaction.
    mutating func takeRedeem(_ id: LinkID, at now: Timestamp, ignoringMaxClicks: Bool) throws -> RedeemOutcome
}

extension ClaimTransaction {
    /// The rules of `LinkStore.claim`. The caller has to itself whatever is kept under the scopes, until the commit.
    package mutating func claim(
        _ candidates: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
    ) throws -> ClaimOutcome {
        if let idempotency {
            switch try keptClaim(scope: idempotency.scope, fingerprint: idempotency.fingerprint, at: now) {
            case .nothing: break
            case .mismatch: return .mismatch
            case .claim(let record): return try answer(record.match, isReplay: true)
            }
        }
        var found: ClaimRecord.Match?
        var outcome = ClaimOutcome.none
        for candidate in candidates {
            guard let (match, isKnown) = try match(candidate, at: now) else { continue }
            found = match
            outcome = try answer(match, isReplay: isKnown)
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
        guard let link = try claimedLink(candidate.link), link.application == candidate.application else { return nil }
        switch try keptClaim(scope: candidate.scope, fingerprint: candidate.installation, at: now) {
        case .mismatch: return nil
        case .claim(let record):
            guard let match = record.match, match.answersUntil > now else { return nil }
            return (match, isKnown: true)
        case .nothing: break
        }
        guard
            case .answered(_, _, let redeem, _) = try takeRedeem(
                candidate.link, at: now, ignoringMaxClicks: candidate.isCounted)
        else { return nil }
        let match = ClaimRecord.Match(
            method: candidate.method, platform: candidate.platform, query: candidate.query,
            answersUntil: candidate.answersUntil, redeem: RedeemRecord(link: candidate.link, redeem: redeem))
        try keep(
            ClaimRecord(match: match), scope: candidate.scope, fingerprint: candidate.installation,
            until: candidate.expiresAt)
        return (match, isKnown: false)
    }

    private mutating func answer(_ match: ClaimRecord.Match?, isReplay: Bool) throws -> ClaimOutcome {
        guard let match else { return isReplay ? .repeatedNone : .none }
        // Of a deleted link: not the answer that was given before.
        guard let link = try claimedLink(match.redeem.link) else { return .none }
        let metadata = match.redeem.redeem.givesMetadata ? try claimedMetadata(of: link.id) : nil
        return .answered(link, metadata: metadata, match, isReplay: isReplay)
    }
}
