import WaymarkAPI
import WaymarkHTTP
package import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/domains`: the hosts of applications, and the state of their certificates. A key of one application sees only
/// that one's.
enum DomainListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        var hosts: [(name: String, application: ApplicationID?)] = []
        for served in site.service.applications.directory.current.applications
        where call.key.application == nil || call.key.application == served.id {
            hosts += served.application.hosts.map { ($0.text, served.id) }
        }
        if call.key.application == nil {
            var names = Set(hosts.map(\.name))
            for host in site.certificates.additionalHosts where names.insert(host).inserted {
                hosts.append((host, nil))
            }
        }
        let statuses = site.certificates.statuses(of: hosts.map(\.name))
        return .json(
            .ok, DomainResponse.list(zip(hosts, statuses).map { DomainResponse($0.name, of: $0.application, $1) }))
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
