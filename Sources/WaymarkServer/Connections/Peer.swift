package import WaymarkSockets

/// Who asks: the other end of a connection, or the client that a trusted proxy spoke for.
package struct Peer: Sendable, Hashable {
    /// IPv4 clients are the same value on IPv4 and on dual-stack sockets. Zero where `isUnixSocket`.
    package let address: IPAddress
    /// Which kind of listener the connection came through.
    package let role: ListenerRole
    /// Whether the client's connection is encrypted: up to this process, or to a trusted proxy by its account.
    package let isSecure: Bool
    /// The other end is a process of this machine that came through a Unix-domain socket; it has no address.
    package let isUnixSocket: Bool
    /// A proxy asks for somebody else, whether or not what it says about them could be used.
    package let isForwarded: Bool
    /// A proxy that may say for whom it asks; what it says is then in another value of this type.
    package let isTrustedProxy: Bool
    /// A trusted proxy wrote the request's fields: what it says in them about its client can be believed. Not so where only
    /// the connection began with a PROXY header, whose sender passes the client's own fields on.
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

    /// A peer from text such as `192.0.2.1` or `2001:db8::1`; nil where that is no address.
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

    /// Somebody on this machine who asks for themselves. A client that a proxy calls 127.0.0.1 is none: that is on the
    /// proxy's machine, if anywhere.
    package var isLocal: Bool { !isForwarded && (isUnixSocket || address.isLoopback) }

    /// The same, asking for somebody else.
    var forwarding: Peer {
        Peer(address: address, role: role, isSecure: isSecure, isUnixSocket: isUnixSocket, isForwarded: true)
    }

    package var isIPv4: Bool { address.isIPv4 }

    /// `192.0.2.1`, or IPv6 as RFC 5952 writes it; `unix` where there is no address. Made anew with each call.
    package var addressText: String { isUnixSocket ? "unix" : address.text }

    /// The 128 bits of the address (IPv4 in its mapped form), most significant first.
    package var addressBits: (high: UInt64, low: UInt64) { (address.high, address.low) }

    /// What one subscriber has: the whole IPv4 address, the first 64 bits of an IPv6 one. For counting, not for showing.
    package var subscriber: Peer {
        isIPv4 ? self : Peer(address: IPAddress(high: address.high, low: 0), role: role, isSecure: isSecure)
    }
}
