import TLSTestSupport
import Testing
import WaymarkServer
import WaymarkSockets
import WaymarkTLS
import WaymarkTestSupport

/// Outgoing connections under an authority of their own instead of the system's.
@Suite struct AuthorityFileTests {
    /// Connects on a thread that may block.
    private actor Connector {
        private let executor = BlockingExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        /// The response to a request; or why there was none.
        func answer(port: UInt16, authority: String?) -> Result<String, OutgoingConnection.Failure> {
            do throws(OutgoingConnection.Failure) {
                let connection = try OutgoingConnection(
                    host: "localhost", port: Int(port), isSecure: true, patience: 10, address: "127.0.0.1",
                    authority: authority)
                try connection.send(Array("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
                var bytes: [UInt8] = []
                while case let piece = try connection.receive(), !piece.isEmpty { bytes += piece }
                return .success(String(decoding: bytes, as: UTF8.self))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test func trustOnlyItsAuthority() async throws {
        let (own, other) = (try TestAuthority(), try TestAuthority())
        let files = own.issue("local", names: ["localhost"], serial: 1)
        let store = try TestCertificates.store([
            CertificateFiles(certificate: files.certificate, privateKey: files.privateKey)
        ])
        try await withTLSServer(.standard, store) { _, port in
            let connector = Connector()
            let good = await connector.answer(port: port, authority: own.path("ca.pem"))
            let text = try good.get()
            #expect(text.hasSuffix("/hello"))
            for authority in [other.path("ca.pem"), nil] {
                guard case .failure(.encryption) = await connector.answer(port: port, authority: authority) else {
                    Issue.record("the certificate was accepted")
                    return
                }
            }
            let missing = await connector.answer(port: port, authority: own.path("missing.pem"))
            guard case .failure(.encryption(let reason)) = missing else {
                Issue.record("a missing file was accepted")
                return
            }
            #expect(reason.hasPrefix("the authority's file \(own.path("missing.pem")) can't be read ("), "\(reason)")
        }
    }
}
