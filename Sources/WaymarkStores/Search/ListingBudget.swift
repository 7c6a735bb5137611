/// Time limit for one page of a listing, which then ends with the links found so far and a cursor.
package struct ListingBudget: Sendable {
    package static let usual = ListingBudget(.milliseconds(50), uptime: { origin.duration(to: .now) })
    /// For counting, which should be exact up to ten thousand links.
    package static let counting = ListingBudget(.milliseconds(500), uptime: { origin.duration(to: .now) })
    private static let origin = ContinuousClock.now

    private let limit: Duration
    private let uptime: @Sendable () -> Duration

    /// - Parameter uptime: a monotonic clock.
    package init(_ limit: Duration, uptime: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.uptime = uptime
    }

    /// Starts the clock, so that waiting in a queue does not count.
    package func begin() -> Running { Running(limit: limit, begun: uptime(), uptime: uptime) }

    package struct Running {
        fileprivate let limit: Duration
        fileprivate let begun: Duration
        fileprivate let uptime: @Sendable () -> Duration

        package var isSpent: Bool { uptime() - begun >= limit }

        /// How many more links can be examined in the remaining time, estimated from those before; 0 once it is spent.
        package func affords(after examined: Int, atMost most: Int) -> Int {
            let spent = uptime() - begun
            guard spent < limit else { return 0 }
            guard spent > .zero else { return most }
            let share = (limit - spent) / spent
            return max(1, Int(min(Double(most), Double(examined) * share)))
        }
    }
}
