import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/apps/{id}`: the application as it was applied.
enum ApplicationReadingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let id = ApplicationID(call.parameters[0]), call.key.reaches(id),
            let served = site.service.applications.directory.current.application(id)
        else { throw Problem.applicationUnknown }
        return .json(.ok, served.document, fields: .eTag(served.version))
    }
}

extension Problem {
    static let applicationUnknown = Problem(
        .applicationUnknown, "No application has this id, or none that this key may see.")

    static let applicationReadOnly = Problem(
        .applicationReadOnly, "The application comes from the configuration's applications file: change it there.")
}
