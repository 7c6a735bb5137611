import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// Where a dashboard session may be used without TLS: where nobody else can read what the browser sends.
///
/// A browser that has a loopback address in its address line sends to its own machine; there the request may pass through a
/// container's port or a proxy, which arrive from a private network. A page under another name that leads to this machine (DNS
/// rebinding) has that name in `Host`, and is refused.
enum PlainSignIn {
    static let problem = Problem(
        .tlsRequired,
        "Sign in over https, or on the machine that the server runs on, at http://localhost. Further networks may be listed in dashboard.plainNetworks of the configuration."
    )

    /// - Parameter networks: the operator's, whose hosts may have any name.
    static func isAllowed(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, networks: PeerNetworks
    ) -> Bool {
        if peer.isSecure || isOnThisMachine(head, bytes, peer) { return true }
        if peer.isUnixSocket { return !peer.isForwarded && peer.role == .owner }
        return !isUntrustedProxy(peer) && networks.contains(peer)
    }

    /// Whether the browser has a loopback address in its address line, and the request comes from this machine or through a
    /// container's port.
    static func isOnThisMachine(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Bool {
        guard LoopbackHost.isNamed(head, bytes) else { return false }
        if peer.isUnixSocket { return !peer.isForwarded }
        return !isUntrustedProxy(peer) && (peer.isLoopback || peer.isPrivate)
    }

    /// Which client it forwards for, a proxy that isn't trusted can't say.
    private static func isUntrustedProxy(_ peer: Peer) -> Bool {
        peer.isForwarded && !peer.hasTrustedFields && peer.isLoopback
    }
}

/// The names under which a browser reaches its own machine, and which no DNS server can change.
enum LoopbackHost {
    private static let names: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    static func isNamed(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        names.contains(head.host.text(in: bytes).lowercased())
    }
}
