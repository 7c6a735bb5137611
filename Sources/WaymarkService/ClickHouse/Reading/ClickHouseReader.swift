package import Logging
import Synchronization

/// Asks ClickHouse for the numbers of reports, each within limits of time, memory and size. Whatever fails there, the report has the
/// time to be counted from the database's records instead.
package final class ClickHouseReader: Sendable {
    /// Of all queries of one report. The rest of the eight seconds that a report may take is for the records.
    static let patience: Duration = .seconds(5)
    /// Of the first query, which tells whether ClickHouse is there.
    private static let greeting: Duration = .seconds(2)
    /// How long reports don't ask after ClickHouse did not answer the first query.
    private static let rest: Duration = .seconds(5)
    /// Reports that ask at once; others are counted from records.
    static let reportLimit = 4
    private static let rowLimit = 500_000
    private static let byteLimit = 32 << 20
    private static let memoryLimit = 4_000_000_000

    package let metrics = QueryMetrics()
    private let client: ClickHouseClient
    private let warnings: RecurringWarnings
    private let state = Mutex(State())

    private struct State {
        var awayUntil: ContinuousClock.Instant?
        /// Reports that ask.
        var reports = 0
    }

    package init(_ client: ClickHouseClient, logger: Logger) {
        self.client = client
        warnings = RecurringWarnings(logger, quietFor: .seconds(300))
    }

    /// The queries of one report, one after the other.
    struct Session: Sendable {
        fileprivate let reader: ClickHouseReader
        fileprivate let deadline: ContinuousClock.Instant
        let tables: ClickHouseTables

        func answer(to query: String) async throws(ClickHouseFailure) -> ClickHouseAnswer {
            // ClickHouse gives up first, so that a query that is too heavy does not look like a server that is away.
            let seconds = max(2, try reader.seconds(until: deadline))
            let options: [ClickHouseClient.Option] = [
                ("max_execution_time", "\(seconds - 1)"), ("max_memory_usage", "\(memoryLimit)"),
                ("max_result_rows", "\(rowLimit)"), ("max_result_bytes", "\(byteLimit)"),
                ("result_overflow_mode", "throw"), ("max_query_size", "1048576"),
                // Each query may get another replica.
                ("max_replica_delay_for_distributed_queries", "30"),
                ("fallback_to_stale_replicas_for_distributed_queries", "0"),
            ]
            let bytes = try await reader.timed { () async throws(ClickHouseFailure) in
                try await reader.client.answer(
                    to: query, options: options, timeout: seconds, byteLimit: ClickHouseReader.byteLimit)
            }
            return ClickHouseAnswer(bytes, rowLimit: ClickHouseReader.rowLimit)
        }
    }

    /// Whether it is worth asking: ClickHouse was not away a moment ago.
    var isWorthAsking: Bool { state.withLock { $0.awayUntil.map { $0 <= ContinuousClock.now } ?? true } }

    /// Runs the queries of a report.
    ///
    /// - Parameter end: when the queries must have ended, if that is before their own time is over.
    /// - Returns: Nil if ClickHouse can't answer, or has enough to do: then the database's records have to.
    /// - Throws: What `body` throws, but no `ClickHouseFailure`.
    func report<Value>(
        until end: ContinuousClock.Instant, _ body: (Session) async throws -> Value?
    ) async throws -> Value? {
        let now = ContinuousClock.now
        let deadline = min(now + Self.patience, end)
        guard deadline - now > .seconds(1), isWorthAsking, takePlace() else { return nil }
        defer { state.withLock { $0.reports -= 1 } }
        var isAnswered = false
        do {
            let patience = try seconds(until: min(now + Self.greeting, deadline))
            let tables = try await timed { () async throws(ClickHouseFailure) in
                try await client.tables(timeout: patience)
            }
            isAnswered = true
            let value = try await body(Session(reader: self, deadline: deadline, tables: tables))
            settle()
            return value
        } catch let failure as ClickHouseFailure {
            try Task.checkCancellation()
            raise(failure, isAway: !isAnswered)
            return nil
        }
    }

    private func takePlace() -> Bool {
        state.withLock { state in
            guard state.reports < Self.reportLimit else { return false }
            state.reports += 1
            return true
        }
    }

    private func seconds(until deadline: ContinuousClock.Instant) throws(ClickHouseFailure) -> Int {
        let rest = deadline - ContinuousClock.now
        guard rest > .milliseconds(500) else { throw .late }
        return max(1, Int((rest + .milliseconds(500)).components.seconds))
    }

    private func timed<Value>(
        _ query: () async throws(ClickHouseFailure) -> Value
    ) async throws(ClickHouseFailure) -> Value {
        let began = ContinuousClock.now
        defer { metrics.note(ContinuousClock.now - began) }
        return try await query()
    }

    private func raise(_ failure: ClickHouseFailure, isAway: Bool) {
        metrics.noteFailure()
        switch failure {
        case .connection where isAway, .late where isAway:
            state.withLock { $0.awayUntil = ContinuousClock.now + Self.rest }
        default: break
        }
        warnings.raise(
            .shippedReports, kind: failure.kind, "reports are counted without ClickHouse: \(failure.sentence)")
    }

    private func settle() {
        state.withLock { $0.awayUntil = nil }
        warnings.settle(.shippedReports, "ClickHouse answers reports again")
    }
}
