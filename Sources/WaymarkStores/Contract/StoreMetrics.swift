internal import Dispatch
internal import Synchronization
package import WaymarkMetrics

/// Store operations, as named in metrics.
package enum StoreOperation: String, CaseIterable, Sendable {
    case link, links, list, metadata, create, update, delete, redeem, claim, applications, keys
    case secret, purge, ping, rename, history
    case forgetSecrets = "forget_secrets"
    case recordEvents = "record_events"
    case eventCounts = "event_counts"
    case addActivity = "add_activity"
    case activity
    case addClicks = "add_clicks"
    case addUnknownVisits = "add_unknown_visits"
    case appendClicks = "append_clicks"
    case clickBlocks = "click_blocks"
    case dropClicks = "drop_clicks"
    case clickTotals = "click_totals"
    case dropTotals = "drop_totals"
    case addSummary = "add_summary"
    case reserveClicks = "reserve_clicks"
    case releaseClicks = "release_clicks"
    case updateIndexes = "update_indexes"
    case putApplication = "put_application"
    case deleteApplication = "delete_application"
    case applicationUse = "application_use"
    case folders
    case registerRoute = "register_route"
    case forgetInstallation = "forget_installation"
    case registeredRoutes = "registered_routes"
    case setDerivedParts = "set_derived_parts"
    case insertKey = "insert_key"
    case noteKeyUses = "note_key_uses"
    case deleteKey = "delete_key"
}

/// Durations and failures of a store's operations. A store has one, and measures each operation where it enters a queue
/// of the database, so that the time includes the wait for its turn.
package final class StoreMetrics: Sendable {
    private static let operations = StoreOperation.allCases
    private let durations = operations.map { _ in Histogram(.durations) }
    private let failures = CounterTable(count: operations.count)

    private let isFull = Atomic<Bool>(false)

    package init() {}

    /// Whether an operation failed for lack of room since the last `forgetFull`.
    package var hasFailedAsFull: Bool { isFull.load(ordering: .relaxed) }

    package func forgetFull() { isFull.store(false, ordering: .relaxed) }

    /// By operation, without those that never ran.
    package var durationsByOperation: [(operation: StoreOperation, metrics: HistogramMetrics)] {
        zip(Self.operations, durations).map { ($0, $1.metrics) }.filter { $0.1.count > 0 }
    }

    package var failuresByOperation: [(operation: StoreOperation, count: Int)] {
        Self.operations.enumerated().map { ($1, failures[$0]) }
    }

    /// - Parameter operation: nil if only a lack of room is noted.
    @inlinable
    package func measure<Value>(
        _ operation: StoreOperation?, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let start = Self.now
        do throws(StoreError) {
            let value = try await body()
            record(operation, since: start, failure: nil)
            return value
        } catch {
            record(operation, since: start, failure: error)
            throw error
        }
    }

    /// In nanoseconds.
    package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    package func record(_ operation: StoreOperation?, since start: UInt64, failure: StoreError?) {
        if case .full? = failure { isFull.store(true, ordering: .relaxed) }
        guard let operation, let index = Self.operations.firstIndex(of: operation) else { return }
        durations[index].record(Int(clamping: Self.now - start))
        if failure != nil { failures.add(1, at: index) }
    }
}
