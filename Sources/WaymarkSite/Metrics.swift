import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// `/metrics`, in Prometheus' text format (version 0.0.4).
enum Metrics {
    static func response(_ site: Site) -> Response {
        Response(.ok, fields: fields, body: .bytes(Array(text(site).utf8)))
    }

    private static let fields = HeaderBlock(
        (.contentType, "text/plain; version=0.0.4; charset=utf-8"), (.cacheControl, "no-store"))

    private static func text(_ site: Site) -> String {
        let server = site.currentStatistics
        let cache = site.service.cache.size
        var text = MetricsText()
        text.family("waymark_http_responses_total", .counter, "Answers by the first digit of their status.")
        for (place, count) in server.responses.enumerated() {
            text.sample("waymark_http_responses_total", labels: "class=\"\(place + 1)xx\"", count)
        }
        text.single("waymark_connections_open", .gauge, "Connections that are open now.", server.connectionsOpen)
        text.single(
            "waymark_connections_accepted_total", .counter, "Connections accepted.", server.connectionsAccepted)
        text.single(
            "waymark_connections_refused_total", .counter, "Connections closed because the server was full.",
            server.connectionsRefused)
        text.single(
            "waymark_accept_failures_total", .counter, "Connections that could not be accepted.",
            server.acceptFailures)
        text.single("waymark_timeouts_total", .counter, "Connections that ran into a deadline.", server.timeouts)
        text.single("waymark_received_bytes_total", .counter, "Bytes received.", server.bytesReceived)
        text.single("waymark_sent_bytes_total", .counter, "Bytes sent.", server.bytesSent)
        text.single("waymark_cached_links", .gauge, "Links in memory.", cache.links)
        text.single("waymark_cache_bytes", .gauge, "Estimated bytes of the links in memory.", cache.bytes)
        text.single(
            "waymark_clicks_waiting_links", .gauge, "Links whose clicks wait to be written down.",
            site.service.clicks.pendingLinks)
        text.single(
            "waymark_clicks_dropped_total", .counter, "Clicks that were lost because a buffer was full.",
            site.service.clicks.dropped)
        text.family("waymark_rate_limited_total", .counter, "Requests refused because their caller sent too many.")
        for kind in CallerLimits.Kind.allCases {
            text.sample(
                "waymark_rate_limited_total", labels: "limit=\"\(kind.rawValue)\"", site.callers.refused(kind))
        }
        text.single(
            "waymark_applications", .gauge, "Applications.",
            site.service.applications.directory.current.applications.count)
        return text.text
    }
}

/// Lines of the format, each family with its help and type in front.
private struct MetricsText {
    enum Kind: String { case counter, gauge }

    private(set) var text = ""

    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ name: String, labels: String = "", _ value: Int) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        family(name, kind, help)
        sample(name, value)
    }
}
