package import Synchronization

/// Counts since the server started, and what waits.
package final class WebhookMetrics: Sendable {
    package let delivered = Atomic<Int>(0)
    /// Attempts that failed, whatever became of their deliveries.
    package let failedAttempts = Atomic<Int>(0)
    /// Deliveries given up.
    package let givenUp = Atomic<Int>(0)
    package let disabled = Atomic<Int>(0)
    /// Events and deliveries that wait, up to `waitingLimit`; 0 at servers that do not dispatch.
    package let waiting = Atomic<Int>(0)
    /// Counting more would take the database too long.
    static let waitingLimit = 100_000

    package init() {}
}
