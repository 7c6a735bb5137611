package import WaymarkLinks

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
