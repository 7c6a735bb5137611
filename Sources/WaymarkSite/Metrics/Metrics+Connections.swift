import WaymarkMetrics
import WaymarkServer

extension Metrics {
    /// Connections, and the loops that they live on.
    static let connections: [MetricFamily<Moment>] = [
        .gauge("waymark_connections_open", "Connections that are open now.") { $0.server.connectionsOpen },
        .gauges(
            "waymark_connections", by: "state",
            "Connections by what they were doing when last looked at, once a second."
        ) { moment in
            ConnectionCensus.State.allCases.map { ($0.rawValue, moment.server.census[$0]) }
        },
        .counter("waymark_connections_accepted_total", "Connections accepted.") { $0.server.connectionsAccepted },
        .counter("waymark_connections_refused_total", "Connections closed because the server was full.") {
            $0.server.connectionsRefused
        },
        .counter("waymark_accept_failures_total", "Connections that could not be accepted.") {
            $0.server.acceptFailures
        },
        .counter("waymark_timeouts_total", "Connections that ran into a deadline.") { $0.server.timeouts },
        .histogram(
            "waymark_event_loop_delay_seconds",
            "How long work given to an event loop waited for its turn; each loop is asked once a second."
        ) { $0.server.delays },
    ]
}
