package import Synchronization

/// Counts since the server started.
package final class WebhookMetrics: Sendable {
    package let delivered = Atomic<Int>(0)
    /// Attempts that failed, whatever became of their deliveries.
    package let failedAttempts = Atomic<Int>(0)
    /// Deliveries given up.
    package let givenUp = Atomic<Int>(0)
    package let disabled = Atomic<Int>(0)

    package init() {}
}
