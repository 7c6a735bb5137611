import Dispatch
import Synchronization
import WaymarkLinks
package import WaymarkMetrics
import WaymarkStores

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
    case registerRoute = "register_route"
    case registeredRoutes = "registered_routes"
    case insertKey = "insert_key"
    case deleteKey = "delete_key"
}

/// Durations and failures of a store's operations.
package final class StoreMetrics: Sendable {
    private let durations = StoreOperation.allCases.map { _ in Histogram(.durations) }
    private let failures = CounterTable(count: StoreOperation.allCases.count)

    private let isFull = Atomic<Bool>(false)

    init() {}

    /// Whether an operation failed for lack of room since the last `forgetFull`.
    var hasFailedAsFull: Bool { isFull.load(ordering: .relaxed) }

    func forgetFull() { isFull.store(false, ordering: .relaxed) }

    /// By operation, without those that never ran.
    package var durationsByOperation: [(operation: StoreOperation, metrics: HistogramMetrics)] {
        zip(StoreOperation.allCases, durations).map { ($0, $1.metrics) }.filter { $0.1.count > 0 }
    }

    package var failuresByOperation: [(operation: StoreOperation, count: Int)] {
        StoreOperation.allCases.enumerated().map { ($1, failures[$0]) }
    }

    func measure<Value>(
        _ operation: StoreOperation, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let index = StoreOperation.allCases.firstIndex(of: operation) ?? 0
        let start = DispatchTime.now().uptimeNanoseconds
        do throws(StoreError) {
            let value = try await body()
            durations[index].record(Int(clamping: DispatchTime.now().uptimeNanoseconds - start))
            return value
        } catch {
            durations[index].record(Int(clamping: DispatchTime.now().uptimeNanoseconds - start))
            failures.add(1, at: index)
            if case .full = error { isFull.store(true, ordering: .relaxed) }
            throw error
        }
    }
}
