import WaymarkLinks
import WaymarkMetrics
import WaymarkService
import WaymarkStores

extension Metrics {
    /// Store operations.
    static let store: [MetricFamily<Moment>] = [
        .histograms(
            "waymark_store_duration_seconds", by: "operation",
            "How long the store took, the wait for its turn included."
        ) { moment in
            moment.site.service.storeFigures.durationsByOperation.map { ($0.operation.rawValue, $0.metrics) }
        },
        .counters("waymark_store_failures_total", by: "operation", "What the store failed to do.") { moment in
            moment.site.service.storeFigures.failuresByOperation.map { ($0.operation.rawValue, $0.count) }
        },
        .histogram("waymark_store_commit_writes", "How many writes shared one commit of the store.") {
            $0.site.service.commitSizes
        },
        .gauge("waymark_store_full", "Whether the store can't be written for lack of room: 1 or 0.") { moment in
            moment.site.readiness.last.flatMap(\.self)?.isFull == true ? 1 : 0
        },
        .optionalGauge("waymark_store_free_bytes", "Free bytes of the file system of the database.") {
            $0.site.service.storeWatch.condition.freeBytes
        },
        .optionalGauge("waymark_store_connections", "Connections of all programs to the database server.") {
            $0.site.service.storeWatch.condition.connections
        },
        .optionalGauge(
            "waymark_store_connection_limit", "Connections that the database server takes, without those of superusers."
        ) {
            $0.site.service.storeWatch.condition.connectionLimit
        },
        MetricFamily(
            "waymark_clock_skew_seconds", .gauge,
            "How far the clock is ahead of the database server's; of a file, how far behind its newest link, below zero."
        ) { moment in
            // In nanoseconds, of which an integer holds centuries.
            moment.site.service.storeWatch.clockSkew.map {
                [MetricSample(.duration(Int(max(-.century, min(.century, $0))) * 1_000_000))]
            } ?? []
        },
        .optionalGauge(
            "waymark_backup_timestamp_seconds", "When the last backup by waymark backup ended; 0 if there was none."
        ) {
            ($0.site.service.storeWatch.condition.lastBackup?.seconds).map { Int($0) }
        },
    ]
}

extension Int64 {
    /// In milliseconds.
    fileprivate static let century: Int64 = 100 * 366 * 86_400 * 1_000
}
