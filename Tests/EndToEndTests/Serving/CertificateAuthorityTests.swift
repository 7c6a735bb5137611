import Foundation
import TLSTestSupport
import Testing
import WaymarkJSON
import WaymarkTestSupport

extension EndToEnd {
    /// Servers that get their certificates from an authority that everybody can install.
    @Suite(.enabled(if: Pebble.isInstalled, "pebble is not installed"))
    struct CertificateAuthorityTests {
        /// Ports that the authority connects to.
        private struct Ports {
            let http: UInt16
            let tls: UInt16

            init() throws {
                // Each keeps its port until both are chosen.
                let listeners = [try SocketListener(), try SocketListener()]
                (http, tls) = (listeners[0].port, listeners[1].port)
            }
        }

        private func configuration(_ pebble: Pebble, _ ports: Ports, tls: UInt16? = nil) -> JSONObject {
            [
                "listen": ["127.0.0.1:\(ports.http)"], "tlsListen": ["127.0.0.1:\(tls ?? ports.tls)"],
                "acme": [
                    "email": "operator@example.com", "agreeToTerms": true, "directory": JSONValue(pebble.directory),
                    "authority": JSONValue(pebble.authorityFile),
                ],
            ]
        }

        private func certificate(_ server: RunningServer, _ host: String = Shop.host) throws -> JSONValue? {
            let domains = try server.exchange(.api("GET", "/domains")).json["domains"]?.array
            let domain = domains?.first { $0["domain"]?.string == host }
            guard let certificate = domain?["certificate"], !certificate.isNull else { return nil }
            return certificate
        }

        private func count(_ name: String, _ server: RunningServer, _ host: String = Shop.host) throws -> Int {
            let lines = try server.exchange(.get("/metrics")).text.split(separator: "\n")
            let line = lines.first { $0.hasPrefix("\(name){host=\"\(host)\"}") }
            return line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
        }

        @Test func `a domain gets a certificate and keeps it without the authority`() throws {
            let ports = try Ports()
            var pebble: Pebble? = try Pebble(.init(httpPort: ports.http, tlsPort: ports.tls))
            let installation = try Installation(configuration: configuration(try #require(pebble), ports))
            let server = try installation.start()
            let issued = try eventually("a certificate", within: 60) { try certificate(server) }
            #expect(issued["source"] == "acme")
            let client = try SecureConnection(port: ports.tls)
            #expect(client.shownName == Shop.host)
            #expect(try client.exchange(.get("/healthz")).status == 200)
            let page = try String(
                contentsOf: Executable.package.appendingPathComponent("docs/operations/metrics.md"), encoding: .utf8)
            let metrics = try server.exchange(.get("/metrics")).text
            let documented = page.matches(of: /\| `(waymark_acme_[a-z_]+)`/).map { String($0.1) }
            #expect(documented.count == 4)
            for name in documented { #expect(metrics.contains("# TYPE \(name) "), "\(name) is not shown") }
            #expect(throws: SecureConnection.Failure.self) {
                try SecureConnection(port: ports.tls, .init(serverName: "other.example.com"))
            }
            #expect(try server.stop() == .exit(0))
            pebble = nil
            let again = try installation.start()
            #expect(try SecureConnection(port: ports.tls).shownName == Shop.host)
            #expect(try count("waymark_acme_orders_total", again) == 0)
        }

        @Test func `port 80 is enough`() throws {
            let ports = try Ports()
            let pebble = try Pebble(.init(httpPort: ports.http, tlsPort: ports.tls))
            // Nothing listens where the authority expects TLS.
            let elsewhere = try Ports().tls
            let installation = try Installation(configuration: configuration(pebble, ports, tls: elsewhere))
            let server = try installation.start()
            _ = try eventually("a certificate", within: 60) { try certificate(server) }
            #expect(try SecureConnection(port: elsewhere).shownName == Shop.host)
            #expect(try count("waymark_acme_orders_total", server) == 2)
        }

        @Test func `a revoked certificate is replaced`() throws {
            let ports = try Ports()
            let pebble = try Pebble(.init(httpPort: ports.http, tlsPort: ports.tls))
            let server = try Installation(configuration: configuration(pebble, ports)).start()
            _ = try eventually("a certificate", within: 60) { try certificate(server) }
            let arguments = ["domains", "revoke", Shop.host, "--reason", "keyCompromise"]
            let revoked = try Installation().run(
                arguments + ["--url", "http://127.0.0.1:\(server.port)"],
                environment: ["WAYMARK_KEY": Installation.adminKey])
            #expect(revoked.end == .exit(0), "\(revoked)")
            try eventually("another certificate", within: 60) { try count("waymark_acme_renewals_total", server) == 2 }
            // It is counted before handshakes use it.
            try eventually("its use", holds: { (try? SecureConnection(port: ports.tls))?.shownName == Shop.host })
        }

        @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
        func `one of two servers orders for both`() throws {
            let database = try PostgresServer()
            let url = try database.database()
            let ports = try Ports()
            // The authority reaches only the first server, whichever orders.
            let pebble = try Pebble(.init(httpPort: ports.http, tlsPort: ports.tls))
            let servers = try [ports, try Ports()].map { ports in
                var members = configuration(pebble, ports)
                members["database"] = JSONValue(url)
                return try Installation(configuration: members).start()
            }
            let news = #"{"id": "news", "name": "News", "domains": ["news.example.com"]}"#
            #expect(try servers[1].exchange(.api("PUT", "/apps/news", news)).status == 201)
            for host in [Shop.host, "news.example.com"] {
                for server in servers {
                    _ = try eventually("a certificate of \(host)", within: 60) { try certificate(server, host) }
                }
                let orders = try servers.map { try count("waymark_acme_orders_total", $0, host) }
                #expect(orders.reduce(0, +) == 1, "\(host): \(orders)")
            }
        }
    }
}
