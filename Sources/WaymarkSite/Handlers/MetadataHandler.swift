import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/links/{domain}/{slug}/metadata`: the metadata itself, as it was sent.
enum MetadataHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let host = HostName(call.parameters[0]), let slug = Slug(call.parameters[1]),
            let found = try await site.service.metadata(host, slug, for: call.key.application)
        else { throw Problem.linkUnknown }
        return .json(.ok, found.metadata ?? Array("null".utf8))
    }
}
