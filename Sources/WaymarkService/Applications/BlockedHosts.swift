package import WaymarkLinks

/// The hosts that the operator blocks, as they were read at one moment.
package struct BlockedHosts: Sendable {
    package let hosts: HostSet
    /// Moves with each reading, so that two of them are told apart without comparing hosts.
    let generation: Int

    package static let none = BlockedHosts(hosts: HostSet(), generation: 0)

    init(hosts: HostSet, generation: Int) {
        self.hosts = hosts
        self.generation = generation
    }
}
