import Synchronization
import WaymarkLinks
import WaymarkMetrics
import WaymarkService

extension Metrics {
    /// Clicks on their way to ClickHouse; without samples where it is not configured.
    static let shipping: [MetricFamily<Moment>] = [
        .optionalGauge(
            "waymark_clickhouse_lag_seconds",
            "How long the click that waits longest for ClickHouse has been stored; 0 at servers that do not ship."
        ) { moment in
            figures(moment).map { figures in
                let oldest = figures.oldest.load(ordering: .relaxed)
                return oldest == 0 ? 0 : Int(max(0, moment.site.now.rawValue - oldest) / 1_000)
            }
        },
        .optionalGauge(
            "waymark_clickhouse_waiting_clicks", "Clicks that wait for ClickHouse; 0 at servers that do not ship."
        ) {
            figures($0)?.waiting.load(ordering: .relaxed)
        },
        optionalCounter("waymark_clickhouse_clicks_total", "Clicks that were shipped to ClickHouse.") {
            $0.shipped.load(ordering: .relaxed)
        },
        optionalCounter(
            "waymark_clickhouse_counter_rows_total",
            "Rows of counters, such as opens and conversions of a day, that were shipped to ClickHouse."
        ) { $0.counters.load(ordering: .relaxed) },
        optionalCounter(
            "waymark_clickhouse_failed_attempts_total", "Attempts to ship clicks that ClickHouse did not take."
        ) { $0.failedAttempts.load(ordering: .relaxed) },
        optionalCounter(
            "waymark_clickhouse_unreadable_blocks_total",
            "Blocks of clicks that could not be read, and were not shipped."
        ) { $0.unreadable.load(ordering: .relaxed) },
        MetricFamily(
            "waymark_clickhouse_expired_clicks_total", .counter,
            "Clicks that were deleted because of their age before ClickHouse got them."
        ) { moment in
            figures(moment).map { _ in [MetricSample(moment.site.service.expiredUnshippedClicks)] } ?? []
        },
    ]

    /// Queries of reports.
    static let reading: [MetricFamily<Moment>] = [
        queryCounter("waymark_clickhouse_queries_total", "Queries of reports to ClickHouse.") {
            MetricSample($0.queries.load(ordering: .relaxed))
        },
        queryCounter("waymark_clickhouse_failed_queries_total", "Queries of reports that ClickHouse did not answer.") {
            MetricSample($0.failures.load(ordering: .relaxed))
        },
        queryCounter("waymark_clickhouse_query_seconds_total", "How long queries of reports took in all.") {
            MetricSample(.duration($0.nanoseconds.load(ordering: .relaxed)))
        },
    ]

    private static func queryCounter(
        _ name: String, _ help: String, _ read: @escaping @Sendable (QueryMetrics) -> MetricSample
    ) -> MetricFamily<Moment> {
        MetricFamily(name, .counter, help) { moment in
            moment.site.service.dependencies.clickHouse.map { [read($0.metrics)] } ?? []
        }
    }

    private static func figures(_ moment: Moment) -> ShippingMetrics? { moment.site.background.shipping?.metrics }

    private static func optionalCounter(
        _ name: String, _ help: String, _ read: @escaping @Sendable (ShippingMetrics) -> Int
    ) -> MetricFamily<Moment> {
        MetricFamily(name, .counter, help) { moment in
            figures(moment).map { [MetricSample(read($0))] } ?? []
        }
    }
}
