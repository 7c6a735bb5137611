import Foundation
import Logging
import Synchronization
import TLSTestSupport
import WaymarkClient
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets
import WaymarkTLS
import WaymarkTestSupport

@testable import WaymarkACME

/// A server with a plain and a TLS listener, which answers challenges and begins without any certificate.
final class ServedHost: Sendable {
    let challenges = ChallengeCertificates()
    let store: CertificateStore
    let answers: HTTPAnswers
    private let ticketKeys = TicketKeys()
    private let server: Server

    /// The challenges of HTTP-01, by token.
    final class HTTPAnswers: RequestHandler, Sendable {
        let authorizations = Mutex<[String: String]>([:])

        func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
            let path = String(decoding: head.path.indices.map { bytes[$0] }, as: UTF8.self)
            let prefix = "/.well-known/acme-challenge/"
            guard path.hasPrefix(prefix),
                let text = authorizations.withLock({ $0[String(path.dropFirst(prefix.count))] })
            else { return .now(Response(.notFound)) }
            return .now(Response(.ok, body: .bytes(Array(text.utf8))))
        }

        func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
    }

    init() async throws {
        store = CertificateStore(try CertificateTable([], challenges: challenges, ticketKeys: ticketKeys))
        let answers = HTTPAnswers()
        self.answers = answers
        var configuration = ServerConfiguration(listeners: [
            .init(HostAndPort(host: "127.0.0.1", port: 0)),
            .init(
                HostAndPort(host: "127.0.0.1", port: 0), transport: ServerConfiguration.Listener.tls(store, loops: 1)),
        ])
        configuration.threads = 1
        configuration.limits.shutdownGrace = .seconds(2)
        server = try await Server.start(configuration) { answers }
    }

    func stop() async { await server.drain() }

    var httpPort: UInt16 { server.listeners[0].address.port }
    var tlsPort: UInt16 { server.listeners[1].address.port }

    /// A renewal for this server.
    ///
    /// - Parameters:
    ///   - answering: kinds of challenges that the server really answers.
    ///   - ahead: seconds that its clock is ahead.
    func renewal(
        _ hosts: [String], at pebble: Pebble, storage: MemoryStorage, kinds: [ChallengeKind] = [.tlsALPN, .http],
        answering: [ChallengeKind] = ChallengeKind.allCases, external: ExternalAccount? = nil, holder: String = "one",
        ahead: @escaping @Sendable () -> Int64 = { 0 }
    ) -> CertificateRenewal {
        let (store, challenges, answers, ticketKeys) = (store, challenges, answers, ticketKeys)
        return CertificateRenewal(
            CertificateRenewal.Settings(
                authorities: [
                    ACMEAuthority(
                        directory: pebble.directory, externalAccount: external, trustedFile: pebble.authorityFile)
                ], kinds: kinds, holder: holder),
            CertificateRenewal.Environment(
                storage: storage, client: HTTPClient(.address("127.0.0.1"), userAgent: "waymark-test"),
                hosts: { hosts },
                useCertificates: { issued in
                    if let table = try? CertificateTable(
                        [], issued: issued, challenges: challenges, ticketKeys: ticketKeys)
                    {
                        store.use(table)
                    }
                },
                useChallenges: { pending in
                    let pending = pending.filter { answering.contains($0.kind) }
                    challenges.replace(
                        with: Dictionary(
                            pending.filter { $0.kind == .tlsALPN }.map { ($0.host, $0.digest) },
                            uniquingKeysWith: { $1 }))
                    answers.authorizations.withLock { authorizations in
                        authorizations = Dictionary(
                            pending.filter { $0.kind == .http }.map { ($0.token, $0.keyAuthorization) },
                            uniquingKeysWith: { $1 })
                    }
                },
                now: { Int64(Date().timeIntervalSince1970) + ahead() }),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The certificate that a client gets; nil if it is refused.
    func shownCertificate(for host: String) throws -> String? {
        let socket = try StreamSocket(port: tlsPort)
        let client = TestClient(.init(serverName: host))
        while true {
            let outcome = client.handshake()
            try socket.send(client.ciphertext())
            switch outcome {
            case .done: return client.shownCertificate
            case .failed: return nil
            case .wantsMore:
                let bytes = try socket.receive()
                guard !bytes.isEmpty else { return nil }
                client.take(bytes)
            }
        }
    }
}

extension Pebble {
    func read(_ path: String) async throws -> String {
        var request = HTTPRequest(managementURL(path), timeout: 20, bodyLimit: 65_536)
        request.authority = authorityFile
        return String(decoding: try await HTTPClient(.address("127.0.0.1")).response(to: request).body, as: UTF8.self)
    }
}
