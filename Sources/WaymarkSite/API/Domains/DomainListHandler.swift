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
        where call.reach.contains(served.id) {
            hosts += served.application.hosts.map { ($0.text, served.id) }
        }
        if call.reach.isAll {
            var names = Set(hosts.map(\.name))
            for host in site.certificates.additionalHosts where names.insert(host).inserted {
                hosts.append((host, nil))
            }
        }
        let statuses = site.certificates.statuses(of: hosts.map(\.name))
        let domains = zip(hosts, statuses).map { host, status in
            DomainResponse(
                domain: host.name, app: host.application?.text, certificate: status.certificate,
                problem: status.problem)
        }
        return .json(.ok, DomainResponse.list(domains))
    }
}

extension Application {
    /// The hosts of its smart links: its domains, then `openHost`.
    package var hosts: [HostName] { domains + (openHost.map { [$0] } ?? []) }
}
