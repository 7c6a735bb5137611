package import Synchronization

/// Counts since the server started, and what waits.
package final class WebhookMetrics: Sendable {
    package let delivered = Atomic<Int>(0)
    /// Attempts that failed, whatever became of their deliveries.
    package let failedAttempts = Atomic<Int>(0)
    /// Deliveries given up.
    package let givenUp = Atomic<Int>(0)
    package let disabled = Atomic<Int>(0)
    /// Deliveries of `link.clicked` that were dropped because too many waited.
    package let dropped = Atomic<Int>(0)
    /// Events and deliveries that wait, up to `waitingLimit`; 0 at servers that do not dispatch.
    package let waiting = Atomic<Int>(0)
    /// When the event or delivery that waits longest was due, in milliseconds since 1970; 0 if none is overdue.
    package let oldestDue = Atomic<Int64>(0)
    /// Counting more would take the database too long.
    static let waitingLimit = 100_000

    package init() {}

    func noteNothingWaits() {
        waiting.store(0, ordering: .relaxed)
        oldestDue.store(0, ordering: .relaxed)
    }
}
