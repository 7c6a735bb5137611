package import WaymarkLinks
import WaymarkStores

/// A snapshot of all applications and their hosts. Immutable.
package final class ApplicationDirectory: Sendable {
    /// Sorted by ID.
    package let applications: [ServedApplication]
    private let byID: [ApplicationID: ServedApplication]
    private let hosts: [HostName: HostLookup]
    private let everyOtherHost: HostLookup?
    /// Whether any host searches several domains.
    let hides: Bool
    /// The hosts of smart links: destinations must not lead back to them.
    package let smartlinkHosts: SmartlinkHosts
    private let defaultBaseURL: WebURL?
    /// Google API keys, each with the application that accepts it.
    private let firebaseKeys: [(key: [UInt8], application: ApplicationID)]
    /// Whether an application serves Firebase Dynamic Links.
    package let servesFirebase: Bool
    /// Whether an application serves long links, of Firebase or of Branch.
    package let servesLongLinks: Bool
    /// Whether an application appends paths behind slugs.
    package let appendsExtraPaths: Bool
    /// Whether an application ignores the case of slugs.
    private let ignoresSlugCase: Bool
    /// Stored applications whose documents can't be read; sorted by ID. One that was served before is still among the
    /// applications.
    let unreadable: [UnreadableApplication]

    package init(
        _ applications: [ServedApplication], defaultBaseURL: WebURL? = nil, unreadable: [UnreadableApplication] = []
    ) {
        self.unreadable = unreadable.sorted { $0.id.text < $1.id.text }
        self.applications = applications.sorted { $0.id.text < $1.id.text }
        byID = Dictionary(applications.map { ($0.id, $0) }) { first, _ in first }
        hosts = Self.namedHosts(self.applications)
        everyOtherHost = Self.everyOtherHost(self.applications)
        self.defaultBaseURL = defaultBaseURL
        smartlinkHosts = SmartlinkHosts(applications.lazy.map(\.application), defaultBaseURL: defaultBaseURL)
        let firebase = self.applications.filter { $0.application.firebase?.isEnabled == true }
        servesFirebase = !firebase.isEmpty
        servesLongLinks = self.applications.contains(where: \.application.servesLongLinks)
        firebaseKeys = firebase.flatMap { served in
            (served.application.firebase?.apiKeys ?? []).map { (Array($0.utf8), served.id) }
        }
        appendsExtraPaths = self.applications.contains { $0.application.appendsExtraPath }
        ignoresSlugCase = self.applications.contains { $0.application.ignoresSlugCase }
        hides = hosts.values.contains { $0.candidates.count > 1 } || (everyOtherHost?.candidates.count ?? 0) > 1
    }

    /// All that are stored, also those whose documents can't be read: their clicks are counted.
    package var stored: [ApplicationID] {
        Set(applications.map(\.id)).union(unreadable.map(\.id)).sorted { $0.text < $1.text }
    }

    package func application(_ id: ApplicationID) -> ServedApplication? { byID[id] }

    /// The application that accepts a Google API key. All keys are compared, each in constant time.
    package func application(firebaseKey key: [UInt8]) -> ApplicationID? {
        var found: ApplicationID?
        for known in firebaseKeys where KeyTable.equal(known.key, key) && found == nil { found = known.application }
        return found
    }

    /// The application for links that name none; nil unless there is exactly one.
    package var only: ServedApplication? {
        applications.count == 1 && unreadable.allSatisfy { $0.id == applications[0].id } ? applications.first : nil
    }

    /// The hosts of smart links once the application is added.
    package func smartlinkHosts(with application: Application) -> SmartlinkHosts {
        let others = applications.map(\.application).filter { $0.id != application.id }
        return SmartlinkHosts(others + [application], defaultBaseURL: defaultBaseURL)
    }

    /// Nil: a host that belongs to no application.
    package func lookup(at host: HostName) -> HostLookup? { hosts[host] ?? everyOtherHost }

    /// Whether an application has the host by name, and not because it has all hosts.
    package func isNamed(_ host: HostName) -> Bool { hosts[host] != nil }

    /// Whether a host without a lookup belongs to an application that can't be read.
    package func isUnreadable(_ host: HostName) -> Bool {
        unreadable.contains { $0.hosts.contains(host) || $0.servesAllHosts }
    }

    /// The applications of a host by ID; empty for a host that belongs to none.
    package func applications(at host: HostName) -> [ServedApplication] {
        lookup(at: host)?.applications.compactMap { byID[$0] } ?? []
    }

    /// The domains that some host searches after this one: a link created on `domain` hides theirs.
    func domainsHidden(behind domain: HostName) -> Set<HostName> {
        var hidden: Set<HostName> = []
        for candidates in hosts.values.map(\.candidates) + [everyOtherHost?.candidates ?? []] where candidates.count > 1
        {
            guard let first = candidates.firstIndex(where: { $0.domain == domain }) else { continue }
            hidden.formUnion(candidates[(first + 1)...].map(\.domain))
        }
        return hidden
    }

    /// Whether an application of the host appends paths behind slugs.
    package func appendsExtraPaths(at host: HostName) -> Bool {
        appendsExtraPaths && applications(at: host).contains { $0.application.appendsExtraPath }
    }

    /// Under which a candidate's link with this slug is cached: whatever the case where all of its applications ignore it.
    func key(of slug: Slug, in candidate: HostLookup.Candidate) -> LinkKey {
        let ignoresCase =
            ignoresSlugCase
            && candidate.applications.allSatisfy {
                byID[$0]?.application.ignoresSlugCase == true
            }
        return ignoresCase ? LinkKey(candidate.domain, caseFolded: slug) : LinkKey(candidate.domain, slug)
    }

    /// Whether calls of Firebase or HOKO have their paths at the host: an application there serves them, or none is there.
    package func reservesCompatibility(at host: HostName) -> Bool {
        let rules = applications(at: host).map(\.application.slugRules)
        return rules.isEmpty || rules.contains { $0.contains(.reserveCompatibility) }
    }

    func leadsLike(_ other: ApplicationDirectory) -> Bool {
        hosts == other.hosts && everyOtherHost == other.everyOtherHost && unreadable == other.unreadable
            && applications.filter(\.application.ignoresSlugCase).map(\.id)
                == other.applications.filter(\.application.ignoresSlugCase).map(\.id)
    }

    /// A sentence for each host claimed by several applications, which is possible in a database of an earlier
    /// version: the first one by ID gets it.
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

    /// A host is primarily the domain of that name; it is an `openHost` only if it is not a domain, and then of the
    /// first application that claims it.
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

    /// One candidate per domain: a slug exists only once on it, whichever application it belongs to.
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

/// A stored application whose document is damaged, or written by a later version.
package struct UnreadableApplication: Sendable, Equatable {
    package let id: ApplicationID
    let version: Int
    let hosts: Set<HostName>
    let servesAllHosts: Bool
    /// As `ServedApplication.blockingGeneration`.
    let blockingGeneration: Int

    init(_ stored: StoredApplication, blockingGeneration: Int) {
        id = stored.id
        version = stored.version
        hosts = Set(stored.domains + stored.otherHosts)
        servesAllHosts = stored.domains.isEmpty
        self.blockingGeneration = blockingGeneration
    }
}

/// Where the slugs of a host are looked up.
package struct HostLookup: Sendable, Equatable {
    /// A domain to search, and the applications whose links count there.
    package struct Candidate: Sendable, Equatable {
        package let domain: HostName
        package let applications: [ApplicationID]
        package let isOpenHost: Bool
    }

    /// In order of search; the first link found wins.
    package let candidates: [Candidate]
    /// The host's applications; more than one only if several applications serve all hosts.
    package let applications: [ApplicationID]
}

/// The hosts blocked by the operator, as last loaded.
package struct BlockedHosts: Sendable {
    package let hosts: HostSet
    /// Incremented by each load, so that two can be compared without comparing hosts.
    let generation: Int

    package static let none = BlockedHosts(hosts: HostSet(), generation: 0)

    init(hosts: HostSet, generation: Int) {
        self.hosts = hosts
        self.generation = generation
    }
}
