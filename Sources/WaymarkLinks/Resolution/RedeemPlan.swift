/// What a redeem does to a link, decided before anything is taken; every store carries the same plan out.
package enum RedeemPlan: Sendable, Equatable {
    /// The link is not active.
    case unavailable(LinkState)
    /// Nothing is to be taken.
    case answer(Redeem)
    /// One redeem is to be taken where fewer than `limit` are: the store's one conditional statement. The answer is
    /// then `taken(_:)` or `refused(_:)`.
    case take(limit: Int)

    /// The answer where the statement took the redeem that made the count `number`.
    package static func taken(_ number: Int, limit: Int) -> Redeem {
        Redeem(status: .redeemed, limit: limit, used: number)
    }

    /// The answer where the statement found no redeem left. A limit may have been patched to below `used`.
    package static func refused(used: Int, limit: Int) -> Redeem {
        Redeem(status: .exhausted, limit: limit, used: used)
    }
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

    /// Whether the link may be given again for its identity at that moment.
    package func isGivenAgain(at now: Timestamp) -> Bool {
        guard version == 1 else { return false }
        let state = state(at: now)
        return state == .active || state == .scheduled
    }
}
