import WaymarkMetrics
import WaymarkServer

extension Metrics {
    /// Connections and event loops.
    static let connections: [MetricFamily<Moment>] = [
        .gauge("waymark_ready", "Whether /readyz would say yes: 1 or 0.") { moment in
            moment.site.mayBeReady && moment.site.readiness.last.flatMap(\.self) == nil ? 1 : 0
        },
        .gauge("waymark_connections_open", "Connections that are open now.") { $0.server.connectionsOpen },
        .gauges(
            "waymark_connections", by: "state",
            "Connections by what they were doing when last looked at, once a second."
        ) { moment in
            let connectionStates = moment.server.connectionStates
            return [
                ("handshake", connectionStates.shakingHands), ("idle", connectionStates.idle),
                ("reading", connectionStates.readingHead + connectionStates.readingBody),
                ("working", connectionStates.answering),
                ("writing", connectionStates.writing), ("closing", connectionStates.lingering),
            ]
        },
        .gauge(
            "waymark_connection_held_bytes",
            "Memory that connections held for parts of requests and answers when last looked at."
        ) { $0.server.connectionStates.heldBytes },
        .counter("waymark_connections_accepted_total", "Connections accepted.") { $0.server.connectionsAccepted },
        .counter(
            "waymark_connections_refused_total",
            "Connections turned away: the server was full, the address had its share, or descriptors had run out."
        ) { $0.server.connectionsRefused },
        .counter("waymark_connections_refused_by_address_total", "Of them, those whose address had its share.") {
            $0.server.connectionsRefusedByAddress
        },
        .counter("waymark_connections_evicted_total", "Idle connections closed to make room for new ones.") {
            $0.server.connectionsEvicted
        },
        .counter(
            "waymark_requests_shed_total",
            "Requests told 503, because too many were waiting or their bodies would have taken too much memory."
        ) { $0.server.requestsShed },
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
