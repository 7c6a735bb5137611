package import WaymarkLinks

/// The effect of a redeem on a link, decided in advance.
package enum RedeemPlan: Sendable, Equatable {
    /// The link is not active.
    case unavailable(LinkState)
    /// No redeem needs to be taken.
    case answer(Redeem)
    /// Take one redeem if fewer than `limit` are taken.
    case take(limit: Int)
}

extension Link {
    /// The parameters are those of `LinkStore.redeem`.
    package func redeemPlan(at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool) -> RedeemPlan {
        let state = state(at: now, ignoringMaxClicks: ignoringMaxClicks)
        guard state == .active else { return .unavailable(state) }
        let isCounted = hasMetadata && content.redeemLimit > 0
        if isCounted && taking { return .take(limit: content.redeemLimit) }
        let status: Redeem.Status = !taking ? .skipped : hasMetadata ? .unlimited : .none
        return .answer(
            Redeem(status: status, limit: isCounted ? content.redeemLimit : nil, used: isCounted ? redeemed : 0))
    }

    /// Whether an equal request still returns this link.
    package func isGivenAgain(at now: Timestamp) -> Bool {
        guard version == 1 else { return false }
        let state = state(at: now)
        return state == .active || state == .scheduled
    }
}

package enum RedeemOutcome: Sendable, Equatable {
    /// The link after the redeem, the metadata for this resolve, the redeem count, and whether the idempotency key
    /// had been used before.
    case answered(Link, metadata: [UInt8]?, Redeem, isReplay: Bool)
    /// The link is not active; no redeem was taken.
    case unavailable(Link, LinkState)
    case unknown
    case mismatch
}
