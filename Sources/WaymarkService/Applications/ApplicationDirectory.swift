package import WaymarkLinks

/// All applications at one moment, and which hosts lead to them. Immutable.
package final class ApplicationDirectory: Sendable {
    /// By id.
    package let applications: [ServedApplication]
    private let byID: [ApplicationID: ServedApplication]
    private let hosts: [HostName: HostLookup]
    private let everyOtherHost: HostLookup?
    /// Whether some host looks at several domains.
    let hides: Bool
    /// Where smart links stand: no destination may lead back there.
    package let smartlinkHosts: SmartlinkHosts
    private let defaultBaseURL: WebURL?

    package init(_ applications: [ServedApplication], defaultBaseURL: WebURL? = nil) {
        self.applications = applications.sorted { $0.id.text < $1.id.text }
        byID = Dictionary(applications.map { ($0.id, $0) }) { first, _ in first }
        hosts = Self.namedHosts(self.applications)
        everyOtherHost = Self.everyOtherHost(self.applications)
        self.defaultBaseURL = defaultBaseURL
        smartlinkHosts = SmartlinkHosts(applications.lazy.map(\.application), defaultBaseURL: defaultBaseURL)
        hides = hosts.values.contains { $0.candidates.count > 1 } || (everyOtherHost?.candidates.count ?? 0) > 1
    }

    package func application(_ id: ApplicationID) -> ServedApplication? { byID[id] }

    /// The one for links that name no application: nil unless there is exactly one.
    package var only: ServedApplication? { applications.count == 1 ? applications.first : nil }

    /// Where smart links will stand once the application is there.
    package func smartlinkHosts(with application: Application) -> SmartlinkHosts {
        let others = applications.map(\.application).filter { $0.id != application.id }
        return SmartlinkHosts(others + [application], defaultBaseURL: defaultBaseURL)
    }

    /// nil: a host that belongs to no application.
    package func lookup(at host: HostName) -> HostLookup? { hosts[host] ?? everyOtherHost }

    /// The applications of a host, by id; empty for a host that belongs to none.
    package func applications(at host: HostName) -> [ServedApplication] {
        lookup(at: host)?.applications.compactMap { byID[$0] } ?? []
    }

    /// The domains that some host looks at behind this one: a link that appears on `domain` hides theirs.
    func domainsHidden(behind domain: HostName) -> Set<HostName> {
        var hidden: Set<HostName> = []
        for candidates in hosts.values.map(\.candidates) + [everyOtherHost?.candidates ?? []] where candidates.count > 1
        {
            guard let first = candidates.firstIndex(where: { $0.domain == domain }) else { continue }
            hidden.formUnion(candidates[(first + 1)...].map(\.domain))
        }
        return hidden
    }

    func leadsLike(_ other: ApplicationDirectory) -> Bool {
        hosts == other.hosts && everyOtherHost == other.everyOtherHost
    }

    /// A sentence for each host that several applications have, as a database of an earlier version may: the one that is
    /// named first, by id, has it.
    package var conflicts: [String] {
        var owners: [HostName: ApplicationID] = [:]
        var sentences: [String] = []
        for application in applications.map(\.application) {
            for host in application.domains + application.otherHosts {
                if let owner = owners[host], owner != application.id {
                    sentences.append(
                        "host \(host.text) is claimed by the applications \(owner.text) and \(application.id.text)")
                } else {
                    owners[host] = application.id
                }
            }
        }
        return sentences
    }

    /// A host is first of all the domain that it is named as; an `openHost` only where it is nobody's domain, and of the
    /// first application that has it.
    private static func namedHosts(_ applications: [ServedApplication]) -> [HostName: HostLookup] {
        var hosts: [HostName: HostLookup] = [:]
        for served in applications {
            for domain in served.application.domains where hosts[domain] == nil {
                let candidate = HostLookup.Candidate(domain: domain, applications: [served.id], isOpenHost: false)
                hosts[domain] = HostLookup(candidates: [candidate], applications: [served.id])
            }
        }
        for served in applications {
            guard let host = served.application.openHost, hosts[host] == nil else { continue }
            let candidates = served.linkDomains.map {
                HostLookup.Candidate(domain: $0, applications: [served.id], isOpenHost: true)
            }
            hosts[host] = HostLookup(candidates: candidates, applications: [served.id])
        }
        return hosts
    }

    private static func everyOtherHost(_ applications: [ServedApplication]) -> HostLookup? {
        let unbound = applications.filter { $0.application.domains.isEmpty }
        guard !unbound.isEmpty else { return nil }
        let candidates = unbound.flatMap { served in
            served.linkDomains.map {
                HostLookup.Candidate(domain: $0, applications: [served.id], isOpenHost: false)
            }
        }
        return HostLookup(candidates: merged(candidates), applications: unbound.map(\.id))
    }

    /// One place for each domain: a slug stands on it only once, whichever application it belongs to.
    private static func merged(_ candidates: [HostLookup.Candidate]) -> [HostLookup.Candidate] {
        var merged: [HostLookup.Candidate] = []
        for candidate in candidates {
            if let known = merged.firstIndex(where: { $0.domain == candidate.domain }) {
                merged[known] = HostLookup.Candidate(
                    domain: candidate.domain, applications: merged[known].applications + candidate.applications,
                    isOpenHost: candidate.isOpenHost)
            } else {
                merged.append(candidate)
            }
        }
        return merged
    }
}
