import WaymarkHTTP
import WaymarkMetrics
import WaymarkServer

extension Metrics {
    /// Requests and responses.
    static let requests: [MetricFamily<Moment>] = [
        MetricFamily(
            "waymark_http_requests_total", .counter,
            "Answers by route, method of the route (HEAD counts with GET) and status; route none: no route, or unreadable."
        ) { moment in
            moment.server.requests.answers.map { answers in
                MetricSample(
                    answers.count,
                    [
                        MetricLabel("route", answers.route.path), MetricLabel("method", answers.route.method),
                        MetricLabel("status", String(answers.status)),
                    ])
            }
        },
        .counters("waymark_http_responses_total", by: "class", "Answers by the first digit of their status.") {
            $0.server.responses.enumerated().map { ("\($0 + 1)xx", $1) }
        },
        .counters(
            "waymark_http_lane_requests_total", by: "lane",
            "Requests answered by a finished answer (ready), on the event loop (loop), or outside of it (waiting)."
        ) { moment in
            RequestMetrics.ServedFrom.allCases.map { ("\($0)", moment.server.requests.count($0)) }
        },
        .histograms(
            "waymark_http_request_duration_seconds", by: "lane",
            "From the complete head of a request to its answer, of requests without a finished answer."
        ) { moment in
            [RequestMetrics.ServedFrom.loop, .waiting].map { ("\($0)", moment.server.requests.durations($0)) }
        },
        .histogram(
            "waymark_http_ready_duration_seconds",
            "The same of finished answers: of one in \(RequestMetrics.readySampling) of them, or of all where the access log has them."
        ) { $0.server.requests.durations(.ready) },
        .counters(
            "waymark_http_refused_requests_total", by: "reason",
            "Requests refused by the server itself, because of how they were written or how long they took."
        ) { moment in
            zip(ParseErrorReason.names, moment.server.refusals).map { ($0, $1) }
        },
        .counters(
            "waymark_rate_limited_total", by: "limit",
            "Requests refused with 429, by the limit of the configuration that their caller has used up."
        ) { moment in
            CallerLimits.Kind.allCases.map { ($0.rawValue, moment.site.callers.refused($0)) }
        },
        .counter("waymark_received_bytes_total", "Bytes received, as decrypted where the connection is encrypted.") {
            $0.server.bytesReceived
        },
        .counter("waymark_sent_bytes_total", "Bytes sent, before encryption.") { $0.server.bytesSent },
    ]
}
