/// Where a server is to listen.
package enum ListeningEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// `127.0.0.1:8080`.
    case network(HostAndPort)
    /// `unix:/run/waymark.sock`: a socket in the file system.
    ///
    /// - Parameter mode: the permissions of its file; whoever may write to it may connect.
    case unix(path: String, mode: UInt16)
    /// `systemd` or `systemd:web`: sockets that systemd has opened and handed over; with a name, those of that name,
    /// without one, all that no other place names.
    case systemd(name: String?)

    /// Owner and group may connect.
    package static let usualMode: UInt16 = 0o660
    /// Bytes of a path that the kernel takes (108 with the NUL behind them on Linux, 104 on Darwin).
    package static let longestPath = 103

    package var description: String {
        switch self {
        case .network(let address): address.description
        case .unix(let path, let mode):
            mode == Self.usualMode ? "unix:\(path)" : "unix:\(path),mode=0\(String(mode, radix: 8))"
        case .systemd(let name): name.map { "systemd:\($0)" } ?? "systemd"
        }
    }
}
