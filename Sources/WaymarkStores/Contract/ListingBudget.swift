/// How long one page of a listing may look at links. Then it ends, with what was found so far and a place to go on from.
package struct ListingBudget: Sendable {
    package static let usual = ListingBudget(.milliseconds(50), uptime: { origin.duration(to: .now) })
    private static let origin = ContinuousClock.now

    private let limit: Duration
    private let uptime: @Sendable () -> Duration

    /// - Parameter uptime: The time since some moment that is always the same, on a clock that never goes back.
    package init(_ limit: Duration, uptime: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.uptime = uptime
    }

    /// The clock begins now: waiting for a turn is not looking at links.
    package func begin() -> Running { Running(limit: limit, begun: uptime(), uptime: uptime) }

    package struct Running {
        fileprivate let limit: Duration
        fileprivate let begun: Duration
        fileprivate let uptime: @Sendable () -> Duration

        package var isSpent: Bool { uptime() - begun >= limit }

        /// How many more links can be looked at in the time that is left, going by those before; none once it is spent.
        package func affords(after examined: Int, atMost most: Int) -> Int {
            let spent = uptime() - begun
            guard spent < limit else { return 0 }
            guard spent > .zero else { return most }
            let share = (limit - spent) / spent
            return max(1, Int(min(Double(most), Double(examined) * share)))
        }
    }
}
