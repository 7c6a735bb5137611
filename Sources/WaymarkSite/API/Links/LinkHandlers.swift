import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/links/{domain}/{slug}`.
enum LinkReadingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, application) = try await LinkLookup.link(call, site)
        var response = LinkResponse(link, application, at: site.now)
        response.verified = try await site.verified([link])[link.id]
        return .json(.ok, response.json, fields: .eTag(link.version))
    }
}

/// `DELETE /api/v1/links/{domain}/{slug}`.
enum LinkDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, _) = try await LinkLookup.link(call, site)
        guard case .version(let version) = call.ifMatch.expectation(current: link.version) else {
            throw Problem.versionMismatch(current: link.version)
        }
        switch try await site.service.delete(link.domain, link.slug, for: call.reach, expecting: version) {
        case .deleted: return .noContent
        case .unknown: throw Problem.linkUnknown
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        }
    }
}

/// `GET /api/v1/links/{domain}/{slug}/metadata`: the metadata as sent.
enum MetadataHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, _) = try await LinkLookup.link(call, site)
        guard let found = try await site.service.metadata(link.domain, link.slug, for: call.reach) else {
            throw Problem.linkUnknown
        }
        return .json(.ok, found.metadata ?? Array("null".utf8))
    }
}
