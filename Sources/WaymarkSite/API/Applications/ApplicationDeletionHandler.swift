import WaymarkAPI
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `DELETE /api/v1/apps/{id}`: refused while links exist.
enum ApplicationDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let id = ApplicationID(call.parameters[0]), call.key.reaches(id),
            let current = site.service.applications.directory.current.application(id)
        else { throw Problem.applicationUnknown }
        guard case .version(let version) = call.ifMatch.expectation(current: current.version) else {
            throw Problem.versionMismatch(current: current.version)
        }
        switch try await site.service.applications.delete(id, expecting: version) {
        case .deleted: return .noContent
        case .unknown: throw Problem.applicationUnknown
        case .readOnly: throw Problem.applicationReadOnly
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        case .inUse(let links):
            throw Problem(.applicationInUse, links == 1 ? "1 link belongs to it." : "\(links) links belong to it.")
        }
    }
}
