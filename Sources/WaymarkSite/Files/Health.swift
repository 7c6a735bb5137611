import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkStores

/// The responses of `/healthz` and `/readyz`.
enum Health {
    static let alive = Response.json(.ok, Array(#"{"status":"ok"}"#.utf8))
    static let ready = Response.json(.ok, Array(#"{"status":"ready"}"#.utf8))
    static let full = Response.problem(
        {
            var problem = Problem.storeFull
            // For load balancers, which expect 503.
            problem.status = 503
            return problem
        }())

    static func response(_ failure: StoreError?) -> Response {
        switch failure {
        case nil: ready
        case .full?: full
        case .unavailable?, .corrupt?, .upgradePending?: notReady
        }
    }

    static let notReady = Response.problem(
        .storeUnavailable, "The store can't be reached, or this server is about to stop.")
}
