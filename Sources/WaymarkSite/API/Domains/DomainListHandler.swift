import WaymarkAPI
import WaymarkHTTP
package import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/domains`: the hosts of applications, and the state of their certificates. A key of one application sees only
/// that one's.
enum DomainListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        var domains: [DomainResponse] = []
        for served in site.service.applications.directory.current.applications
        where call.key.application == nil || call.key.application == served.id {
            for host in served.application.hosts {
                domains.append(DomainResponse(host.text, of: served.id, site.certificates.status(of: host.text)))
            }
        }
        if call.key.application == nil {
            for host in site.certificates.furtherHosts where !domains.contains(where: { $0.domain == host }) {
                domains.append(DomainResponse(host, of: nil, site.certificates.status(of: host)))
            }
        }
        return .json(.ok, DomainResponse.list(domains))
    }
}

extension Application {
    /// The hosts of its smart links: its domains, then `openHost`.
    package var hosts: [HostName] { domains + (openHost.map { [$0] } ?? []) }
}

extension DomainResponse {
    fileprivate init(_ host: String, of application: ApplicationID?, _ status: DomainStatus) {
        self.init(
            domain: host, app: application?.text,
            certificate: status.certificate.map { certificate in
                Certificate(
                    source: certificate.source.rawValue, since: Timestamp(seconds: certificate.since).rfc3339,
                    until: Timestamp(seconds: certificate.until).rfc3339,
                    renewsAt: certificate.renewsAt.map { Timestamp(seconds: $0).rfc3339 })
            },
            problem: status.problem.map { problem in
                Problem(
                    at: Timestamp(seconds: problem.at).rfc3339, detail: problem.detail,
                    nextAttempt: problem.nextAttempt.map { Timestamp(seconds: $0).rfc3339 })
            })
    }
}
