package import WaymarkSockets

/// Who asks: the other end of a connection, or the client that a trusted proxy spoke for.
package struct Peer: Sendable, Hashable {
    /// IPv4 clients are the same value on IPv4 and on dual-stack sockets.
    package let address: IPAddress
    /// Which kind of listener the connection came through.
    package let role: ListenerRole
    /// Whether the connection is encrypted up to this process.
    package let isSecure: Bool

    package init(address: IPAddress, role: ListenerRole = .public, isSecure: Bool = false) {
        self.address = address
        self.role = role
        self.isSecure = isSecure
    }

    /// A peer from text such as `192.0.2.1` or `2001:db8::1`; nil where that is no address.
    package init?(addressText: some StringProtocol, role: ListenerRole = .public, isSecure: Bool = false) {
        guard let address = IPAddress(addressText) else { return nil }
        self.init(address: address, role: role, isSecure: isSecure)
    }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { address.isLoopback }

    package var isIPv4: Bool { address.isIPv4 }

    /// `192.0.2.1`, or IPv6 as RFC 5952 writes it. Made anew with each call.
    package var addressText: String { address.text }

    /// The 128 bits of the address (IPv4 in its mapped form), most significant first.
    package var addressBits: (high: UInt64, low: UInt64) { (address.high, address.low) }

    /// What one subscriber has: the whole IPv4 address, the first 64 bits of an IPv6 one. For counting, not for showing.
    package var subscriber: Peer {
        isIPv4 ? self : Peer(address: IPAddress(high: address.high, low: 0), role: role, isSecure: isSecure)
    }
}
