import WaymarkBytes
import WaymarkServer
import WaymarkSockets

extension Configuration {
    /// The URL at which this machine reaches the operators' paths of a server with this configuration: `adminListen`, else
    /// the first of `listen` with a port. Nil if neither has one.
    var localURL: String? {
        let listeners = self.adminListen.map { [$0.endpoint] } ?? self.listen.map(\.endpoint)
        for case .network(let address) in listeners where address.port != 0 {
            return Self.url(host: address.host, port: address.port)
        }
        return nil
    }

    /// The same of a running server, which knows the port that the kernel chose.
    func operatorOrigin(_ listeners: [Server.BoundListener]) -> String? {
        let role: ListenerRole = self.adminListen == nil ? .public : .admin
        let bound = listeners.first { $0.role == role && !$0.isSecure && $0.path == nil }?.address
        return bound.map { Self.url(host: $0.address.text, port: $0.port) }
    }

    private static func url(host: String, port: UInt16) -> String {
        let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        return "http://\(HostAndPort(host: host, port: port))"
    }
}
