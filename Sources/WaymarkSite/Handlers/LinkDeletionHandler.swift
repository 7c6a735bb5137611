import WaymarkAPI
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `DELETE /api/v1/links/{domain}/{slug}`.
enum LinkDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, _) = try await LinkLookup.link(call, site)
        guard try await site.service.delete(link.domain, link.slug, for: call.key.application) else {
            throw Problem.linkUnknown
        }
        return .noContent
    }
}
