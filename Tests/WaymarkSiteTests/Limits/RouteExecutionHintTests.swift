import Testing
import WaymarkHTTP
import WaymarkServer

@testable import WaymarkSite

@Suite struct RouteExecutionHintTests {
    /// Whatever takes longer there holds up the redirects of a loop.
    @Test func `only routes about one thing run on the loops`() {
        let onEventLoop = Site.routes.filter { $0.executionHint == .onEventLoop }.map {
            "\($0.method.name) \($0.path.text)"
        }.sorted()
        #expect(
            onEventLoop == [
                "DELETE /api/v1/links/{domain}/{slug}", "DELETE /api/v1/links/{slug}",
                "GET /api/v1/links/{domain}/{slug}", "GET /api/v1/links/{slug}",
                "PATCH /api/v1/links/{domain}/{slug}", "PATCH /api/v1/links/{slug}",
                "POST /api/v1/deferred/claim", "POST /api/v1/events", "POST /api/v1/links", "POST /api/v1/resolve",
            ])
    }
}
