import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// What a server that shows a demonstration answers by itself: who is signed in, and that nothing can be changed.
enum Demo {
    /// Nil for a request that is answered as usual.
    static func response(to route: SiteRoute, at now: Timestamp) -> Response? {
        if case .session(.session) = route.access {
            switch route.method {
            case .get: return session(until: now.advanced(byMilliseconds: 12 * 60 * 60 * 1_000))
            case .delete: return .noContent
            default: return .problem(refusal)
            }
        }
        if case .session(.sharedReport) = route.access { return nil }
        guard !route.method.isSafe, !questions.contains(route.path.text) else { return nil }
        // Requests without a key get 401 there, as usual.
        if case .mcp = route.access { return nil }
        return .problem(refusal)
    }

    /// Paths that take a body and change nothing.
    private static let questions: Set = [
        "/api/v1/explain", "/api/v1/explain:difference", "/api/v1/links/{domain}/{slug}:rehearse",
    ]

    private static let refusal = Problem(
        .scopeMissing, "This is a demonstration with made-up data: it can be read, and nothing can be changed.")

    private static func session(until end: Timestamp) -> Response {
        let caller = KeyIdentity.demo
        return .json(
            .ok,
            SessionResponse(
                name: caller.name, app: nil, scopes: caller.scopes.map(\.rawValue), expiresAt: end.wholeSecond,
                isDemo: true
            ).json)
    }
}
