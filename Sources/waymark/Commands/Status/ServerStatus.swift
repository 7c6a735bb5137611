import WaymarkJSON

/// What `waymark status` shows of a server: a line for each part, computed from its metrics.
struct ServerStatus {
    struct Line: Equatable {
        var part: String
        /// For people, one line.
        var text: String
        /// Whether an operator must act.
        var isFailing = false
    }

    private(set) var version: String
    private(set) var lines: [Line] = []
    var isFailing: Bool { lines.contains(where: \.isFailing) }

    /// Certificates from files that expire within this many seconds need action; as in deploy/prometheus.
    static let certificateSeconds = 3.0 * 86_400
    /// The fraction of the time between planned renewal and expiry. A certificate from an authority needs action when
    /// less is left, whatever its lifetime: 7.5 days of 90, 2 hours of 24; as in deploy/prometheus.
    static let renewalFraction = 0.25

    /// - Parameters:
    ///   - isReady: whether `/readyz` is 200.
    ///   - links: how many links there are; nil if nobody asked.
    ///   - now: in seconds since 1970.
    init(_ metrics: MetricSamples, isReady: Bool, links: String?, now: Double) {
        version = metrics["waymark_build_info"].first?.labels["version"] ?? "?"
        func count(_ name: String, _ label: (name: String, value: String)? = nil) -> String {
            Self.number(metrics.sum(name, label) ?? 0)
        }
        func seconds(since name: String) -> String {
            metrics.sum(name).map { Self.duration(now - $0) } ?? "unknown"
        }

        add("uptime", seconds(since: "process_start_time_seconds"))
        add(
            "ready", isReady ? "yes" : Self.absence(metrics), isFailing: !isReady)
        let operations = metrics.sum("waymark_store_duration_seconds_count") ?? 0
        let free = metrics.sum("waymark_store_free_bytes").map { ", \(Self.bytes($0)) free on its disk" } ?? ""
        add("store", "\(Self.number(operations)) operations, \(count("waymark_store_failures_total")) failed\(free)")
        if let backup = metrics.sum("waymark_backup_timestamp_seconds") {
            add("backup", backup == 0 ? "none by waymark backup" : "\(Self.duration(now - backup)) ago")
        }
        add(
            "links",
            [
                links, "\(count("waymark_cached_links")) in memory",
                Self.counted(metrics.sum("waymark_applications") ?? 0, "application"),
            ].compactMap(\.self).joined(separator: ", "))
        add(
            "requests",
            "\(count("waymark_http_responses_total")), \(count("waymark_http_responses_total", ("class", "5xx"))) failed (5xx)"
        )
        let lost =
            (metrics.sum("waymark_clicks_dropped_total") ?? 0)
            + (metrics.sum("waymark_click_records_dropped_total") ?? 0)
        let bytes = metrics.sum("waymark_click_records_spooled_bytes") ?? 0
        let spooled = bytes > 0 ? ", \(Self.bytes(bytes)) of records in files" : ""
        add(
            "clicks",
            "\(count("waymark_clicks_total")); waiting: those of "
                + Self.counted(metrics.sum("waymark_clicks_waiting_links") ?? 0, "link") + ", "
                + Self.counted(metrics.sum("waymark_click_records_waiting") ?? 0, "record") + spooled
                + "; \(Self.number(lost)) lost")
        add(
            "webhooks",
            "attempts: \(count("waymark_webhook_attempts_total", ("outcome", "delivered"))) delivered, "
                + "\(count("waymark_webhook_attempts_total", ("outcome", "failed"))) failed; "
                + "\(count("waymark_webhook_deliveries_waiting")) waiting; "
                + Self.counted(metrics.sum("waymark_webhook_deliveries_failed_total") ?? 0, "event") + " given up, "
                + "\(Self.number(metrics.sum("waymark_webhook_deliveries_dropped_total") ?? 0)) dropped, "
                + Self.counted(metrics.sum("waymark_webhooks_disabled_total") ?? 0, "endpoint") + " disabled")
        if let lag = metrics.sum("waymark_clickhouse_lag_seconds") {
            add(
                "clickhouse",
                "\(count("waymark_clickhouse_clicks_total")) clicks shipped; "
                    + Self.counted(metrics.sum("waymark_clickhouse_waiting_clicks") ?? 0, "click") + " waiting, "
                    + "for \(Self.duration(lag)) at most; "
                    + Self.counted(metrics.sum("waymark_clickhouse_failed_attempts_total") ?? 0, "attempt") + " failed")
        }
        addVerification(metrics)
        addCertificates(metrics, now: now)
        let isRefused = metrics.sum("waymark_config_last_reload_successful") == 0
        let age = seconds(since: "waymark_config_last_reload_success_timestamp_seconds")
        add(
            "configuration",
            isRefused ? "the last reload was refused; in use is that of \(age) ago" : "read \(age) ago",
            isFailing: isRefused)
    }

    /// Only of a server that has verified links: others have nothing to show.
    private mutating func addVerification(_ metrics: MetricSamples) {
        func links(_ state: String) -> Double { metrics.sum("waymark_verification_links", ("state", state)) ?? 0 }
        let (good, broken, unknown) = (links("good"), links("broken"), links("unknown"))
        guard good + broken + unknown > 0 else { return }
        let kinds = metrics["waymark_verification_findings"].filter { $0.value > 0 }
            .sorted { ($1.value, $0.labels["code"] ?? "") < ($0.value, $1.labels["code"] ?? "") }
            .map { "\($0.labels["code"] ?? "?") \(Self.number($0.value))" }
        let lag = metrics.sum("waymark_verification_lag_seconds") ?? 0
        add(
            "verification",
            "\(Self.counted(broken, "link")) broken, \(Self.number(good)) good, \(Self.number(unknown)) unknown"
                + (kinds.isEmpty ? "" : "; findings: " + kinds.joined(separator: ", "))
                + (lag > 0 ? "; the next round has been due for \(Self.duration(lag))" : ""))
    }

    private mutating func addCertificates(_ metrics: MetricSamples, now: Double) {
        let renewals = Dictionary(
            metrics["waymark_acme_renewal_timestamp_seconds"].map { ($0.labels["host"] ?? "", $0.value) },
            uniquingKeysWith: min)
        for sample in metrics["waymark_tls_certificate_expiry_timestamp_seconds"].sorted(by: { $0.value < $1.value }) {
            let left = sample.value - now
            let name = sample.labels["certificate"] ?? ""
            let needed =
                renewals[name].map { (sample.value - $0) * Self.renewalFraction } ?? Self.certificateSeconds
            add(
                "certificate",
                left < 0 ? "\(name) has expired" : "\(name) expires in \(Self.duration(left))",
                isFailing: left < max(0, needed))
        }
    }

    private static func absence(_ metrics: MetricSamples) -> String {
        metrics.sum("waymark_store_full") == 1
            ? "no: the disk that holds the database is full, nothing can be written"
            : "no: the store is unavailable, or the server is starting or stopping"
    }

    private mutating func add(_ part: String, _ text: String, isFailing: Bool = false) {
        lines.append(Line(part: part, text: text.oneLine, isFailing: isFailing))
    }

    var json: JSONValue {
        let parts = lines.map { line in
            JSONValue(
                ["part": JSONValue(line.part), "text": JSONValue(line.text), "failing": JSONValue(line.isFailing)]
                    as JSONObject)
        }
        return JSONValue(
            ["version": JSONValue(version), "failing": JSONValue(isFailing), "parts": JSONValue(parts)] as JSONObject)
    }

    /// Counts as people read them: `1,234,567`.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        var digits = String(Int(value.rounded()))
        var groups: [String] = []
        while digits.count > 3, digits.allSatisfy(\.isNumber) {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    /// `1 link`, `1,204 links`.
    static func counted(_ value: Double, _ noun: String) -> String {
        "\(number(value)) \(noun)\(value == 1 ? "" : "s")"
    }

    /// `3 MiB`, `1,204 GiB`.
    static func bytes(_ value: Double) -> String {
        value < 10 * 1_073_741_824
            ? "\(number(value / 1_048_576)) MiB" : "\(number(value / 1_073_741_824)) GiB"
    }

    /// The two largest units: `3 d 4 h`.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e15 else { return "unknown" }
        let whole = Int(max(0, seconds))
        let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")]
        let first = units.firstIndex { whole >= $0.0 } ?? units.count - 1
        var left = whole
        return units[first...].prefix(2).compactMap { size, name in
            let count = left / size
            left %= size
            return count == 0 && whole >= 1 ? nil : "\(count) \(name)"
        }.joined(separator: " ")
    }
}
