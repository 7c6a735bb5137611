package import Synchronization

/// Queries of reports to ClickHouse since the server started.
package final class QueryMetrics: Sendable {
    /// All of them, also those that failed.
    package let queries = Atomic<Int>(0)
    package let failures = Atomic<Int>(0)
    package let nanoseconds = Atomic<Int>(0)

    package init() {}

    func note(_ duration: Duration) {
        queries.add(1, ordering: .relaxed)
        let (seconds, attoseconds) = duration.components
        nanoseconds.add(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000), ordering: .relaxed)
    }

    /// A query did not answer, or its answer is none to what was asked.
    func noteFailure() { failures.add(1, ordering: .relaxed) }
}
