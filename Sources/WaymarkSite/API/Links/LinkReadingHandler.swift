import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// `GET /api/v1/links/{domain}/{slug}`.
enum LinkReadingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, application) = try await LinkLookup.link(call, site)
        return .json(.ok, LinkResponse(link, application, at: site.now).json, fields: .eTag(link.version))
    }
}
