package import WaymarkLinks

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
