package import Synchronization

/// Counts since the server started, and what waits for ClickHouse.
package final class ShippingMetrics: Sendable {
    package let shipped = Atomic<Int>(0)
    /// Rows of counters.
    package let counters = Atomic<Int>(0)
    package let failedAttempts = Atomic<Int>(0)
    /// Blocks that could not be read, and were left out.
    package let unreadable = Atomic<Int>(0)
    /// Clicks; 0 at servers that do not ship.
    package let waiting = Atomic<Int>(0)
    /// When what waits longest was noted, in milliseconds since 1970; 0 if nothing waits.
    package let oldest = Atomic<Int64>(0)

    package init() {}

    func note(waiting clicks: Int, oldest time: Int64) {
        waiting.store(clicks, ordering: .relaxed)
        oldest.store(time, ordering: .relaxed)
    }
}
