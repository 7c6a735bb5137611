import Foundation
import Testing
import WaymarkJSON

@testable import waymark

@Suite struct ServerStatusTests {
    private static let healthy = """
        # HELP waymark_build_info Always 1.
        # TYPE waymark_build_info gauge
        waymark_build_info{version="0.2.0"} 1
        process_start_time_seconds 1000
        waymark_store_duration_seconds_count{operation="insert"} 1200
        waymark_store_duration_seconds_count{operation="link"} 34
        waymark_store_failures_total{operation="insert"} 0
        waymark_http_responses_total{class="3xx"} 1234567
        waymark_http_responses_total{class="5xx"} 3
        waymark_clicks_total 99
        waymark_clicks_dropped_total 2
        waymark_click_records_dropped_total 3
        waymark_webhook_attempts_total{outcome="delivered"} 7
        waymark_webhook_attempts_total{outcome="failed"} 1
        waymark_webhook_deliveries_dropped_total 4
        waymark_tls_certificate_expiry_timestamp_seconds{certificate="go.pem"} 1000000
        waymark_config_last_reload_successful 1
        waymark_config_last_reload_success_timestamp_seconds 1000

        """

    private static func status(_ text: String = healthy, isReady: Bool = true, now: Double = 94_600) -> ServerStatus {
        ServerStatus(MetricSamples(text), isReady: isReady, links: "5 links", now: now)
    }

    @Test func aHealthyServerHasALineForEachPart() {
        let status = Self.status()
        #expect(status.version == "0.2.0")
        #expect(!status.isFailing)
        #expect(
            status.lines.map { "\($0.part): \($0.text)" } == [
                "uptime: 1 d 2 h", "ready: yes", "store: 1,234 operations, 0 failed",
                "links: 5 links, 0 in memory, 0 applications", "requests: 1,234,570, 3 failed (5xx)",
                "clicks: 99; waiting: those of 0 links, 0 records; 5 lost",
                "webhooks: attempts: 7 delivered, 1 failed; 0 waiting; 0 events given up, 4 dropped, 0 endpoints disabled",
                "certificate: go.pem expires in 10 d 11 h", "configuration: read 1 d 2 h ago",
            ])
    }

    @Test func clicksForClickHouseHaveALineWhereTheyAreShipped() {
        let metrics = """
            waymark_clickhouse_lag_seconds 75
            waymark_clickhouse_waiting_clicks 1
            waymark_clickhouse_clicks_total 50000
            waymark_clickhouse_failed_attempts_total 2

            """
        let line = Self.status(Self.healthy + metrics).lines.first { $0.part == "clickhouse" }
        #expect(line?.text == "50,000 clicks shipped; 1 click waiting, for 1 min 15 s at most; 2 attempts failed")
    }

    @Test func `verified links have a line where there are any`() {
        let metrics = """
            waymark_verification_links{state="good"} 1200
            waymark_verification_links{state="broken"} 1
            waymark_verification_links{state="unknown"} 2
            waymark_verification_findings{code="http-status"} 1
            waymark_verification_findings{code="robots"} 2
            waymark_verification_findings{code="team-id"} 0
            waymark_verification_lag_seconds 75

            """
        let line = Self.status(Self.healthy + metrics).lines.first { $0.part == "verification" }
        #expect(
            line?.text == "1 link broken, 1,200 good, 2 unknown; findings: robots 2, http-status 1; "
                + "the next round has been due for 1 min 15 s")
        #expect(line?.isFailing == false)
        #expect(!Self.status(Self.healthy).lines.contains { $0.part == "verification" })
    }

    @Test(arguments: [
        ("ready", healthy, false, 94_600.0), ("certificate", healthy, true, 900_000),
        ("certificate", healthy, true, 1_000_001),
        (
            "configuration", healthy.replacingOccurrences(of: "reload_successful 1", with: "reload_successful 0"), true,
            94_600
        ),
    ])
    func findsWhatNeedsAction(part: String, text: String, isReady: Bool, now: Double) {
        let status = Self.status(text, isReady: isReady, now: now)
        #expect(status.isFailing)
        #expect(status.lines.filter(\.isFailing).map(\.part) == [part])
        #expect(status.json["failing"] == true)
    }

    /// The certificate expires at 1,000,000.
    @Test(arguments: [
        // Of 24 hours: renewed 8 hours before its end.
        (971_200.0, 971_200.0, false), (971_200, 992_799, false), (971_200, 992_801, true), (971_200, 1_000_001, true),
        // Of 90 days: 30 days before.
        (-1_592_000, 351_999, false), (-1_592_000, 352_001, true),
        // A renewal that is planned after the end does not hide it.
        (1_100_000, 999_999, false), (1_100_000, 1_000_001, true),
    ])
    func findsCertificatesThatWereNotRenewedInTime(renewal: Double, now: Double, isFailing: Bool) {
        let text = Self.healthy + "waymark_acme_renewal_timestamp_seconds{host=\"go.pem\"} \(renewal)\n"
        #expect(Self.status(text, now: now).isFailing == isFailing)
    }

    @Test(arguments: [
        ("a 1", ["a": [MetricSamples.Sample(labels: [:], value: 1)]]),
        ("a{b=\"c\",d=\"e\"} 1.5 1700000000", ["a": [.init(labels: ["b": "c", "d": "e"], value: 1.5)]]),
        (#"a{b="c\"},=d"} 2"#, ["a": [.init(labels: ["b": #"c\"},=d"#], value: 2)]]),
        ("a +Inf\na 2", ["a": [.init(labels: [:], value: .infinity), .init(labels: [:], value: 2)]]),
        ("# a 1\n\na\na x\na{b 1\na{b=\"c 1\na{b=\"c\\", ["a": []]),
    ])
    func readsSamplesAndSkipsTheRest(text: String, expected: [String: [MetricSamples.Sample]]) {
        let samples = MetricSamples(text)
        for (name, values) in expected { #expect(samples[name] == values) }
    }

    @Test(arguments: [
        (0.0, "0 s"), (59, "59 s"), (60, "1 min"), (3_661, "1 h 1 min"), (86_400, "1 d"), (-5, "0 s"),
        (.infinity, "unknown"),
    ])
    func durationsHaveTwoUnits(seconds: Double, text: String) {
        #expect(ServerStatus.duration(seconds) == text)
    }

    @Test(arguments: [(0.0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1000")])
    func numbersAreGrouped(value: Double, text: String) {
        #expect(ServerStatus.number(value) == text)
    }
}
