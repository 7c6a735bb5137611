import WaymarkAPI
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `DELETE /api/v1/links/{domain}/{slug}`.
enum LinkDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, _) = try await LinkLookup.link(call, site)
        guard case .version(let version) = call.ifMatch.expectation(current: link.version) else {
            throw Problem.versionMismatch(current: link.version)
        }
        switch try await site.service.delete(link.domain, link.slug, for: call.key.application, expecting: version) {
        case .deleted: return .noContent
        case .unknown: throw Problem.linkUnknown
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        }
    }
}
