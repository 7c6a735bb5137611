import Foundation
import TLSTestSupport
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets
import WaymarkTLS
import WaymarkTestSupport

/// Answers with what it was sent: `/large` with 4 MiB, `/peer` with how the client came, bodies with themselves.
final class EchoHandler: RequestHandler {
    static let large = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let path = String(decoding: head.path.indices.map { bytes[$0] }, as: UTF8.self)
        switch path {
        case "/large": return .now(Response(.ok, body: .bytes(Self.large)))
        case "/peer": return .now(Response(.ok, body: .bytes(Array("secure: \(peer.isSecure)".utf8))))
        case "/later": return .later { Response(.ok, body: .bytes(Array("later".utf8))) }
        case "/echo": return .body(limit: 8 << 20) { body in Response(.ok, body: .bytes(body)) }
        default: return .now(Response(.ok, body: .bytes(Array(path.utf8))))
        }
    }

    func refusal(_ status: Status, detail: StaticString) -> Response {
        Response(status, body: .bytes(Array("\(detail)".utf8)))
    }
}

/// A server with one TLS listener, for the length of one test.
func withTLSServer(
    _ kind: EventLoopKind, _ store: CertificateStore, limits: ServerLimits = ServerLimits(),
    security: StrictTransportSecurity? = nil,
    handler: @escaping @Sendable () -> any RequestHandler = { EchoHandler() },
    _ body: (Server, UInt16) async throws -> Void
) async throws {
    var configuration = ServerConfiguration(listeners: [
        .init(HostAndPort(host: "127.0.0.1", port: 0), transport: ServerConfiguration.Listener.tls(store, loops: 1))
    ])
    configuration.eventLoop = kind
    configuration.limits = limits
    configuration.strictTransportSecurity = security
    configuration.limits.shutdownGrace = .seconds(2)
    let server = try await Server.start(configuration) { handler() }
    do {
        try await body(server, server.listeners[0].address.port)
    } catch {
        await server.drain()
        throw error
    }
    await server.drain()
}

/// A `TestClient` on a socket. Every wait gives up after some seconds; it blocks a queue of its own only, because the
/// server under test needs the threads that tests run on.
actor SocketClient {
    private let executor = BlockingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let socket: StreamSocket
    private let client: TestClient
    private var received: [UInt8] = []
    private(set) var isAtEnd = false

    init(port: UInt16, _ settings: TestClient.Settings = .init()) throws {
        socket = try StreamSocket(port: port, timeLimit: 20)
        client = TestClient(settings)
    }

    func sendRaw(_ bytes: [UInt8]) { try? socket.send(bytes) }

    /// What comes, as it comes; empty at the end.
    @discardableResult
    func receiveRaw() -> [UInt8] {
        let bytes = (try? socket.receive()) ?? []
        if bytes.isEmpty { isAtEnd = true }
        return bytes
    }

    func shakeHands() -> TestClient.Outcome {
        while true {
            let outcome = client.handshake()
            sendRaw(client.ciphertext())
            guard outcome == .wantsMore, !isAtEnd else { return outcome }
            client.take(receiveRaw())
        }
    }

    /// - Parameter isSlow: byte by byte on the wire.
    func send(_ text: String, isSlow: Bool = false) {
        _ = client.write(Array(text.utf8))
        let bytes = client.ciphertext()
        if isSlow {
            for byte in bytes { sendRaw([byte]) }
        } else {
            sendRaw(bytes)
        }
    }

    func sendPlaintext(_ bytes: [UInt8]) {
        _ = client.write(bytes)
        sendRaw(client.ciphertext())
    }

    /// What has come since the last time; waits for something, and is empty at the end.
    func receivePlaintext() -> [UInt8] {
        while received.isEmpty, !isAtEnd {
            client.take(receiveRaw())
            received += client.read()
        }
        defer { received = [] }
        return received
    }

    /// Reads plaintext until it ends with the text or holds so many bytes behind the head; nil at the end.
    func response() -> (head: String, body: [UInt8])? {
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.output.1) } ?? 0
                if received.count >= end.upperBound + length {
                    let body = Array(received[end.upperBound..<end.upperBound + length])
                    received.removeFirst(end.upperBound + length)
                    return (head, body)
                }
            }
            guard !isAtEnd else { return nil }
            client.take(receiveRaw())
            received += client.read()
        }
    }

    func text() -> String? { response().map { String(decoding: $0.body, as: UTF8.self) } }

    /// Everything up to the end of the stream, and whether the server announced it.
    func readToEnd() -> (text: String, isAnnounced: Bool) {
        while !isAtEnd {
            client.take(receiveRaw())
            received += client.read()
        }
        return (String(decoding: received, as: UTF8.self), client.isClosedByServer)
    }

    /// close_notify, or only the end of the stream.
    func endSending(announced: Bool) {
        if announced {
            client.close()
            sendRaw(client.ciphertext())
        }
        socket.endSending()
    }

    var shownName: String? { client.shownName }
}
