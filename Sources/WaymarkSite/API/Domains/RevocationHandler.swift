import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/domains/{domain}:revoke`: revokes a certificate from an authority, for example because its key is known to
/// others. A new one is ordered at once.
enum RevocationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let text = try RevocationRequest(json: call.body).reason
        guard let reason = RevocationReason(rawValue: text ?? RevocationReason.unspecified.rawValue) else {
            let allowed = RevocationReason.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(invalid: [FieldProblem(field: "reason", problem: "must be one of \(allowed)")])
        }
        let host = (call.parameters.first ?? "").lowercased()
        let served = site.service.applications.directory.current.applications.first {
            $0.application.hosts.contains { $0.text == host }
        }
        if !call.reach.isAll {
            guard let served, call.reach.contains(served.id) else { throw unknown }
        }
        switch await site.certificates.revokeCertificate(of: host, reason: reason) {
        case .revoked:
            var values = AuditValues()
            values.add("reason", reason.rawValue)
            try await site.service.audit(
                .certificateRevoked, AuditObject(.domain, host), of: served?.id, after: values)
            return .noContent
        case .unknown: throw unknown
        case .failed(let sentence):
            var problem = Problem(.requestRefused, sentence)
            problem.status = 409
            problem.title = "The certificate is not revoked"
            throw problem
        }
    }

    private static var unknown: Problem {
        Problem(.resourceUnknown, "The host has no certificate from an authority.")
    }
}
