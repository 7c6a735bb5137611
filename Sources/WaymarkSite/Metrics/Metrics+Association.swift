import WaymarkLinks
import WaymarkMetrics
import WaymarkService
import WaymarkStores

extension Metrics {
    /// Fetches of association files by Apple and Google.
    static let association: [MetricFamily<Moment>] = [
        MetricFamily(
            "waymark_association_fetches_total", .counter,
            "Association files that this server has sent to Apple's and Google's fetchers, as their User-Agents say."
        ) { moment in
            moment.site.observer.counts.map { entry in
                MetricSample(
                    entry.count,
                    [MetricLabel("fetcher", entry.fetcher.rawValue), MetricLabel("status", String(entry.status))])
            }
        },
        .gauges(
            "waymark_association_last_fetch_age_seconds", by: "fetcher",
            "Time since the last fetch of an association file, from any server of the database."
        ) { moment in
            moment.site.observer.lastFetches.map { entry in
                (entry.fetcher.rawValue, Int(max(0, moment.site.now.rawValue - entry.at.rawValue) / 1_000))
            }
        },
        .gauge(
            "waymark_association_overdue_files",
            "Files for Apple that changed more than a day ago and that Apple has not fetched since."
        ) { $0.site.observer.overdue },
    ]
}
