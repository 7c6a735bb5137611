import WaymarkBytes
import WaymarkServer
import WaymarkSockets

extension Configuration {
    /// The URL at which this machine reaches the operators' paths of a server with this configuration: `adminListen`, else
    /// the first of `listen` with a port, else of `tlsListen`. Nil if none has one.
    var localURL: String? {
        let listeners = self.adminListen.map { [$0.endpoint] } ?? self.listen.map(\.endpoint)
        if let url = Self.url(of: listeners, scheme: "http") { return url }
        return self.adminListen == nil ? Self.url(of: self.tlsListen.map(\.endpoint), scheme: "https") : nil
    }

    /// The same of a running server, which knows the port that the kernel chose.
    ///
    /// - Parameter domain: a host that the server has a certificate for; nil: unknown.
    func operatorOrigin(_ listeners: [Server.BoundListener], domain: String?) -> String? {
        let role: ListenerRole = self.adminListen == nil ? .public : .admin
        let bound = listeners.filter { $0.role == role && $0.path == nil }
        if let plain = bound.first(where: { !$0.isSecure })?.address {
            return Self.url(host: plain.address.text, port: plain.port, scheme: "http")
        }
        guard let secure = bound.first?.address else { return nil }
        guard let domain else { return Self.url(host: secure.address.text, port: secure.port, scheme: "https") }
        return "https://" + domain + (secure.port == 443 ? "" : ":\(secure.port)")
    }

    private static func url(of endpoints: [ListeningEndpoint], scheme: String) -> String? {
        for case .network(let address) in endpoints where address.port != 0 {
            return url(host: address.host, port: address.port, scheme: scheme)
        }
        return nil
    }

    private static func url(host: String, port: UInt16, scheme: String) -> String {
        let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        return "\(scheme)://\(HostAndPort(host: host, port: port))"
    }
}
