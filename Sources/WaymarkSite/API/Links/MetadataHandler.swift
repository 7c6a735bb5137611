import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/links/{domain}/{slug}/metadata`: the metadata itself, as it was sent.
enum MetadataHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, _) = try await LinkLookup.link(call, site)
        guard let found = try await site.service.metadata(link.domain, link.slug, for: call.key.application) else {
            throw Problem.linkUnknown
        }
        return .json(.ok, found.metadata ?? Array("null".utf8))
    }
}
