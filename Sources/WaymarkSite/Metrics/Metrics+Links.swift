import Synchronization
import WaymarkLinks
import WaymarkMetrics
import WaymarkService

extension Metrics {
    /// Links in memory and clicks.
    static let links: [MetricFamily<Moment>] = [
        .gauge("waymark_cached_links", "Links in memory.") { $0.site.service.cache.metrics.links },
        .gauge("waymark_cache_bytes", "Estimated bytes of the links in memory.") {
            $0.site.service.cache.metrics.bytes
        },
        .counter("waymark_cache_hits_total", "Visits without a finished answer whose link was in memory.") {
            $0.site.service.cache.metrics.hits
        },
        .counter("waymark_cache_misses_total", "Times that a visited link had to be looked for in the store.") {
            $0.site.service.cache.metrics.misses
        },
        .counter("waymark_cache_evictions_total", "Links dropped from memory to make room.") {
            $0.site.service.cache.metrics.evictions
        },
        .counter("waymark_clicks_total", "Clicks of people that were counted.") { $0.site.service.clicks.recorded },
        .counter("waymark_long_link_clicks_total", "Clicks of people on long dynamic links, which are not stored.") {
            $0.site.service.longLinkClicks.total
        },
        .counter("waymark_clicks_dropped_total", "Clicks that were lost because those of too many links waited.") {
            $0.site.service.clicks.dropped
        },
        .gauge("waymark_clicks_waiting_links", "Links whose clicks wait to be written down.") {
            $0.site.service.clicks.pendingLinks
        },
        .counter("waymark_click_records_total", "Clicks of people and programs that were to be kept as records.") {
            $0.site.service.recordWriter?.metrics.taken ?? 0
        },
        .counter("waymark_click_records_dropped_total", "Records of clicks that were lost because too many waited.") {
            $0.site.service.recordWriter?.metrics.dropped ?? 0
        },
        .gauge("waymark_click_records_waiting", "Records of clicks that wait to be written down.") {
            $0.site.service.recordWriter?.metrics.waiting ?? 0
        },
        .gauge("waymark_click_records_waiting_bytes", "Memory of the records of clicks that wait.") {
            $0.site.service.recordWriter?.waitingBytes ?? 0
        },
        .gauge("waymark_click_records_spooled_bytes", "Bytes of click records in spool files.") {
            $0.site.service.recordWriter?.spooledBytes ?? 0
        },
        .gauge(
            "waymark_click_totals_damaged",
            "Keys of click totals that can't be read and are left out of merging; waymark check --rebuild-totals mends them."
        ) { $0.site.service.damagedTotals },
        MetricFamily("waymark_events_total", .counter, "Events that apps reported, by what became of them.") { moment in
            AppEvent.Kind.allCases.flatMap { kind in
                EventOutcome.allCases.map { outcome in
                    MetricSample(
                        moment.site.service.eventFigures.count(kind, outcome),
                        [MetricLabel("type", kind.rawValue), MetricLabel("outcome", outcome.rawValue)])
                }
            }
        },
        .counters("waymark_deferred_claims_total", by: "match", "Claims of deferred deep links, by how they matched.") {
            moment in
            ClaimMetrics.Ending.allCases.map { ($0.rawValue, moment.site.service.claimFigures.count($0)) }
        },
        .counters(
            "waymark_webhook_attempts_total", by: "outcome", "Requests to endpoints of webhooks, by their answer."
        ) {
            let metrics = $0.site.background.deliveries.metrics
            return [
                ("delivered", metrics.delivered.load(ordering: .relaxed)),
                ("failed", metrics.failedAttempts.load(ordering: .relaxed)),
            ]
        },
        .counter("waymark_webhook_deliveries_failed_total", "Deliveries of webhooks whose last attempt failed.") {
            $0.site.background.deliveries.metrics.givenUp.load(ordering: .relaxed)
        },
        .counter(
            "waymark_webhook_deliveries_dropped_total",
            "Deliveries of link.clicked that were dropped because too many waited."
        ) {
            $0.site.background.deliveries.metrics.dropped.load(ordering: .relaxed)
        },
        .counter("waymark_webhooks_disabled_total", "Endpoints of webhooks that were disabled because they failed.") {
            $0.site.background.deliveries.metrics.disabled.load(ordering: .relaxed)
        },
        .gauge(
            "waymark_webhook_deliveries_waiting",
            "Events and deliveries of webhooks that wait, counted up to 100,000 each."
        ) {
            $0.site.background.deliveries.metrics.waiting.load(ordering: .relaxed)
        },
        .gauge(
            "waymark_webhook_delay_seconds",
            "How long the event or delivery of webhooks that waits longest is overdue, counted like the waiting ones."
        ) { moment in
            let due = moment.site.background.deliveries.metrics.oldestDue.load(ordering: .relaxed)
            return due == 0 ? 0 : Int(max(0, moment.site.now.rawValue - due) / 1_000)
        },
        .gauge("waymark_applications", "Applications.") {
            $0.site.service.applications.directory.current.applications.count
        },
    ]
}
