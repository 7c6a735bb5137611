import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The responses of `/healthz` and `/readyz`.
enum Health {
    static let alive = Response.json(.ok, Array(#"{"status":"ok"}"#.utf8))
    static let ready = Response.json(.ok, Array(#"{"status":"ready"}"#.utf8))
    static func response(isReady: Bool) -> Response { isReady ? ready : notReady }

    static let notReady = Response.problem(
        .storeUnavailable, "The store can't be reached, or this server is about to stop.")
}
