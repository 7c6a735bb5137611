import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/deferred/claim`: called by an app on its first launch.
enum ClaimHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body, shape: ClaimRequest.shape)
        let (body, shape) = ClaimRequest.attempt(document)
        guard let body else { throw Problem(invalid: shape) }
        let application = ApplicationID(body.app)
        if !body.app.isEmpty, !call.reach.isAll, !(application.map(call.reach.contains) ?? false) {
            throw Problem(.applicationForbidden, "This key can claim links of its own application only.")
        }
        var meaning: [FieldProblem] = []
        let served = application.flatMap { site.service.applications.directory.current.application($0) }
        if served == nil { meaning.append(FieldProblem(field: "app", problem: "is not a known application")) }
        let platform = Platform(rawValue: body.platform)
        if platform == nil { meaning.append(FieldProblem(field: "platform", problem: ReportedText.platformProblem)) }
        if let problem = ReportedText.problem(ofID: body.installID) {
            meaning.append(FieldProblem(field: "installID", problem: problem))
        }
        let appVersion = body.appVersion.flatMap { AppVersion($0) }
        if body.appVersion != nil, appVersion == nil {
            meaning.append(FieldProblem(field: "appVersion", problem: AppVersion.rule))
        }
        let problems = FieldProblem.merged(shape: shape, meaning: meaning)
        guard problems.isEmpty, let served, let platform else { throw Problem(invalid: problems) }

        let request = ClaimInput(
            application: served.id, platform: platform, installation: body.installID, referrer: body.referrer,
            clipboard: body.clipboard,
            idempotency: call.idempotencyKey.map {
                site.idempotencyKey($0, call.key, "deferred/claim", document)
            })
        switch try await site.service.claim(request) {
        case .mismatch: throw Problem.idempotencyMismatch
        case .unmatched(let isReplay):
            return .json(.ok, ClaimResponse.unmatched.json, fields: .replayed(isReplay))
        case .matched(let resolved, let method):
            let answer = ResolveResponse(resolved, platform, appVersion)
            return .json(
                .ok, ClaimResponse(resolved: answer, method: method.rawValue).json,
                fields: .replayed(resolved.isReplay))
        }
    }
}
