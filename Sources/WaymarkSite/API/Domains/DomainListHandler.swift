import WaymarkAPI
import WaymarkHTTP
package import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/domains`: the hosts of applications, the state of their certificates, and who has fetched their association files. A
/// key of one application sees only that one's.
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
        let named = hosts.compactMap { $0.application == nil ? nil : HostName($0.name) }
        let observations = await site.observer.observations(of: named)
        let domains = zip(hosts, statuses).map { host, status in
            let name = host.application == nil ? nil : HostName(host.name)
            return DomainResponse(
                domain: host.name, app: host.application?.text, certificate: status.certificate,
                problem: status.problem,
                association: name.map { name in
                    AssociationFileName.allCases.compactMap { file in
                        observations[AssociationFileKey(name, file)].map { DomainResponse.AssociationFile(file, $0) }
                    }
                } ?? [])
        }
        return .json(.ok, DomainResponse.list(domains))
    }
}

extension Application {
    /// The hosts of its smart links: its domains, then `openHost`.
    package var hosts: [HostName] { domains + (openHost.map { [$0] } ?? []) }
}

extension DomainResponse.AssociationFile {
    fileprivate init(_ name: AssociationFileName, _ seen: AssociationObserver.Observation) {
        self.init(
            name: name.rawValue, etag: seen.tag.map { "\"\($0)\"" }, since: seen.since?.rfc3339,
            apple: seen.fetches[.apple].map { Fetch($0) }, google: seen.fetches[.google].map { Fetch($0) },
            devicesMayHoldOldUntil: seen.outlook.heldUntil?.rfc3339, isPending: seen.outlook.isPending)
    }
}

extension DomainResponse.AssociationFile.Fetch {
    fileprivate init(_ fetch: AssociationFetch) {
        self.init(
            last: fetch.at.rfc3339, status: fetch.status, etag: fetch.tag.isEmpty ? nil : "\"\(fetch.tag)\"")
    }
}
