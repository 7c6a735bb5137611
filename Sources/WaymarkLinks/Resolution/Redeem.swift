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
