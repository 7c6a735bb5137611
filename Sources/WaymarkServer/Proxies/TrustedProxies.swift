import WaymarkBytes
package import WaymarkSockets

/// The proxies that may name their clients.
package struct TrustedProxies: Sendable, Equatable {
    package var networks: [NetworkPrefix]
    /// Trusts every client of a Unix-domain socket.
    package var includesUnixSockets: Bool

    /// Default: none.
    package init(networks: [NetworkPrefix] = [], includesUnixSockets: Bool = false) {
        self.networks = networks
        self.includesUnixSockets = includesUnixSockets
    }

    package var isEmpty: Bool { networks.isEmpty && !includesUnixSockets }

    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    func contains(_ peer: Peer) -> Bool { peer.isUnixSocket ? includesUnixSockets : contains(peer.address) }
}
