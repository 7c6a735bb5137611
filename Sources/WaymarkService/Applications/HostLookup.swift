package import WaymarkLinks

/// Where the slugs that arrive at one host are looked for.
package struct HostLookup: Sendable, Equatable {
    /// One domain to look on, and the applications whose links count there.
    package struct Candidate: Sendable, Equatable {
        package let domain: HostName
        package let applications: [ApplicationID]
        package let isOpenHost: Bool
    }

    /// In the order in which they are looked at; the first link found wins.
    package let candidates: [Candidate]
    /// Whose host this is; more than one only where several applications serve every host.
    package let applications: [ApplicationID]
}
