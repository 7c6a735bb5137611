import Synchronization
import WaymarkMetrics
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// The last reload of the configuration, or the start, for metrics.
final class ReloadMetrics: Sendable {
    private let isSuccessful = Atomic<Bool>(true)
    /// Unix time in seconds.
    private let successTime = Atomic<Int64>(WallClock.milliseconds() / 1_000)

    func note(isSuccessful success: Bool) {
        isSuccessful.store(success, ordering: .relaxed)
        if success { successTime.store(WallClock.milliseconds() / 1_000, ordering: .relaxed) }
    }

    var families: [MetricFamily<Void>] {
        [
            .gauges("waymark_build_info", by: "version", "Which version this is; always 1.") {
                [(Version.text, 1)]
            },
            .gauge("waymark_config_last_reload_successful", "Whether the configuration read last was taken: 1 or 0.") {
                self.isSuccessful.load(ordering: .relaxed) ? 1 : 0
            },
            .gauge(
                "waymark_config_last_reload_success_timestamp_seconds",
                "When the configuration in use was read, in seconds since 1970."
            ) { Int(self.successTime.load(ordering: .relaxed)) },
        ]
    }
}
