import WaymarkServer
import WaymarkSockets

extension Configuration {
    /// The URL at which this machine reaches the operators' paths of a server with this configuration: `adminListen`, else
    /// the first of `listen` with a port. Nil if neither has one.
    var localURL: String? {
        let listeners = self.adminListen.map { [$0.endpoint] } ?? self.listen.map(\.endpoint)
        for case .network(let address) in listeners where address.port != 0 {
            let host = ["0.0.0.0", "::"].contains(address.host) ? "127.0.0.1" : address.host
            return "http://\(HostAndPort(host: host, port: address.port))"
        }
        return nil
    }
}
