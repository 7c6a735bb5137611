import Testing
import WaymarkHTTP
import WaymarkServer

@testable import WaymarkSite

@Suite struct RouteEffortTests {
    /// Whatever takes longer there holds up the redirects of a loop.
    @Test func onlyWhatIsAboutOneThingRunsOnTheLoops() {
        let brief = Site.routes.filter { $0.effort == .brief }.map { "\($0.method.name) \($0.path.text)" }.sorted()
        #expect(
            brief == [
                "DELETE /api/v1/links/{domain}/{slug}", "DELETE /api/v1/links/{slug}",
                "GET /api/v1/links/{domain}/{slug}", "GET /api/v1/links/{slug}",
                "PATCH /api/v1/links/{domain}/{slug}", "PATCH /api/v1/links/{slug}",
                "POST /api/v1/deferred/claim", "POST /api/v1/events", "POST /api/v1/links", "POST /api/v1/resolve",
            ])
    }
}
