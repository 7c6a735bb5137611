package import WaymarkLinks

/// An application as a store keeps it: the JSON that was applied, which no store looks into, and what stores need to
/// know of it. `Application` is parsed from `document` by whoever reads it.
package struct StoredApplication: Sendable, Equatable {
    package var id: ApplicationID
    /// The hosts that only this application may have; empty means every host that no application names.
    package var domains: [HostName]
    /// Further hosts that no other application may have as a domain or here, in the order of their letters; none of them is
    /// one of the domains.
    package var otherHosts: [HostName]
    package var document: [UInt8]
    /// Moves with each change; the ETag.
    package var version: Int

    package init(
        id: ApplicationID, domains: [HostName], otherHosts: [HostName] = [], document: [UInt8], version: Int = 1
    ) {
        self.id = id
        self.domains = domains
        self.otherHosts = otherHosts
        self.document = document
        self.version = version
    }
}

package enum PutOutcome: Sendable, Equatable {
    case created(StoredApplication)
    case replaced(StoredApplication)
    case versionMismatch(current: Int?)
    /// `check` refused, given this use.
    case inUse(ApplicationUse)
    /// Another application has one of the domains or other hosts.
    case hostTaken(HostName, by: ApplicationID)
}

package enum DeleteApplicationOutcome: Sendable, Equatable {
    case deleted
    case unknown
    case inUse(links: Int)
    case versionMismatch(current: Int)
}
