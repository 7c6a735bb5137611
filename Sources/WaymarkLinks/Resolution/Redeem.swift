/// The redeem count of a resolve.
package struct Redeem: Sendable, Equatable {
    package enum Status: String, Sendable { case redeemed, exhausted, none, unlimited, skipped }
    package var status: Status
    /// Nil if redeems are not counted.
    package var limit: Int?
    package var used: Int
    package var remaining: Int? { limit.map { max(0, $0 - used) } }
    package init(status: Status, limit: Int?, used: Int) {
        self.status = status
        self.limit = limit
        self.used = used
    }

    /// Whether a response with this status includes the metadata.
    package var givesMetadata: Bool { status == .redeemed || status == .unlimited }
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
