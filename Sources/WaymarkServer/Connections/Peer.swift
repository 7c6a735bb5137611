package import WaymarkBytes
package import WaymarkSockets

/// The other end of a connection, or the client that a trusted proxy named.
package struct Peer: Sendable, Hashable {
    /// IPv4 clients have the same value on IPv4 and on dual-stack sockets. Zero if `isUnixSocket`.
    package let address: IPAddress
    /// The role of the listener that the connection came through.
    package let role: ListenerRole
    /// Whether the client's connection is encrypted, up to this process or, as reported by a trusted proxy, up to
    /// that proxy.
    package let isSecure: Bool
    /// The other end is a process of this machine, connected through a Unix-domain socket; it has no address.
    package let isUnixSocket: Bool
    /// The request was forwarded by a proxy, whether or not the client's address could be read.
    package let isForwarded: Bool
    /// A proxy that may name its client; the client is then another value of this type.
    package let isTrustedProxy: Bool
    /// A trusted proxy wrote the request's forwarding fields, so they can be believed. False if only the connection
    /// began with a PROXY header, because the proxy then passes the client's own fields on.
    package let hasTrustedFields: Bool

    package init(
        address: IPAddress, role: ListenerRole = .public, isSecure: Bool = false, isUnixSocket: Bool = false,
        isForwarded: Bool = false, isTrustedProxy: Bool = false, hasTrustedFields: Bool = false
    ) {
        self.address = address
        self.role = role
        self.isSecure = isSecure
        self.isUnixSocket = isUnixSocket
        self.isForwarded = isForwarded
        self.isTrustedProxy = isTrustedProxy
        self.hasTrustedFields = hasTrustedFields
    }

    /// A peer from text such as `192.0.2.1` or `2001:db8::1`; nil if that is not an address.
    package init?(
        addressText: some StringProtocol, role: ListenerRole = .public, isSecure: Bool = false,
        isForwarded: Bool = false, hasTrustedFields: Bool = false
    ) {
        guard let address = IPAddress(addressText) else { return nil }
        self.init(
            address: address, role: role, isSecure: isSecure, isForwarded: isForwarded,
            hasTrustedFields: hasTrustedFields)
    }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { address.isLoopback }

    /// Whether the address belongs to a network of one site or link: RFC 1918, RFC 4193, RFC 4291 section 2.5.6.
    package var isPrivate: Bool { Self.privateNetworks.contains { $0.contains(address) } }

    private static let privateNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fe80::/10"]
        .compactMap { NetworkPrefix($0) }

    /// Whether the client runs on this machine and the request is not forwarded. A client that a proxy names as
    /// 127.0.0.1 is not local: that address is relative to the proxy's machine.
    package var isLocal: Bool { !isForwarded && (isUnixSocket || address.isLoopback) }

    /// The same peer, marked as forwarding.
    var forwarding: Peer {
        Peer(address: address, role: role, isSecure: isSecure, isUnixSocket: isUnixSocket, isForwarded: true)
    }

    package var isIPv4: Bool { address.isIPv4 }

    /// `192.0.2.1`, or IPv6 as RFC 5952 writes it; `unix` if there is no address. Computed on each call.
    package var addressText: String { isUnixSocket ? "unix" : address.text }

    /// The 128 bits of the address (IPv4 in its mapped form), most significant first.
    package var addressBits: (high: UInt64, low: UInt64) { (address.high, address.low) }

    /// One subscriber's addresses: the whole IPv4 address, the first 64 bits of an IPv6 one. For counting, not for
    /// display.
    package var subscriber: Peer {
        isIPv4 ? self : Peer(address: IPAddress(high: address.high, low: 0), role: role, isSecure: isSecure)
    }
}

/// Networks of clients that an operator lists.
package struct PeerNetworks: Sendable, Equatable {
    private let networks: [NetworkPrefix]

    /// Default: none.
    package init(_ networks: [NetworkPrefix] = []) { self.networks = networks }

    package func contains(_ peer: Peer) -> Bool {
        !peer.isUnixSocket && networks.contains { $0.contains(peer.address) }
    }
}
