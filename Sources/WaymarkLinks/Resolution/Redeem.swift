/// How a resolve's count of redeems stands.
package struct Redeem: Sendable, Equatable {
    package enum Status: String, Sendable { case redeemed, exhausted, none, unlimited, skipped }
    package var status: Status
    /// nil where nothing is counted.
    package var limit: Int?
    package var used: Int
    package var remaining: Int? { limit.map { max(0, $0 - used) } }
    package init(status: Status, limit: Int?, used: Int) {
        self.status = status
        self.limit = limit
        self.used = used
    }

    /// Whether an answer of this status hands the metadata out.
    package var givesMetadata: Bool { status == .redeemed || status == .unlimited }
}

package enum RedeemOutcome: Sendable, Equatable {
    /// The link as it stands after the redeem, the metadata that this resolve receives, how its count stands, and whether
    /// the idempotency key was answered before.
    case answered(Link, metadata: [UInt8]?, Redeem, isReplay: Bool)
    /// The link is not active; nothing was taken.
    case unavailable(Link, LinkState)
    case unknown
    case mismatch
}
