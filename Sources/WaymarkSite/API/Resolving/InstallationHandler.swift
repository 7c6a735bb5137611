import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/installations:forget`: called by an app for its user. Knowing the id is what authorises the call.
enum InstallationHandler {
    static func forget(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body, shape: InstallationRequest.shape)
        let (body, shape) = InstallationRequest.attempt(document)
        guard let body else { throw Problem(invalid: shape) }
        let application = ApplicationID(body.app)
        if !body.app.isEmpty, !call.reach.isAll, !(application.map(call.reach.contains) ?? false) {
            throw Problem(.applicationForbidden, "This key can forget installations of its own application only.")
        }
        var meaning: [FieldProblem] = []
        let served = application.flatMap { site.service.applications.directory.current.application($0) }
        if served == nil { meaning.append(FieldProblem(field: "app", problem: "is not a known application")) }
        if let problem = ReportedText.problem(ofID: body.installID) {
            meaning.append(FieldProblem(field: "installID", problem: problem))
        }
        let problems = FieldProblem.merged(shape: shape, meaning: meaning)
        guard problems.isEmpty, let served else { throw Problem(invalid: problems) }
        // Other calls of apps have no entry in the audit. This one has it only if something was stored, so that nobody can
        // fill the audit with a key out of an app.
        try await AuditCall.$current.withValue(site.auditCall(call.key, call.peer)) {
            try await site.service.forget(installation: body.installID, of: served.id)
        }
        return .noContent
    }
}
