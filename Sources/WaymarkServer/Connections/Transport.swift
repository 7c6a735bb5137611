import WaymarkSockets
package import WaymarkTLS

/// What stands between a socket and the parser, where it is not the plain socket itself.
///
/// A connection without a transport reads and writes its socket directly and pays nothing for this.
/// Isolation: confined to the loop of its connection.
package protocol Transport: AnyObject {
    /// Called once, before anything else; the descriptor stays the connection's.
    func attach(to descriptor: Int32)

    /// Takes the next step of a handshake, where there is one. Called at each readiness until `.done`.
    func handshake() -> TransportOutcome

    /// Decrypts into `buffer`. `.done(0)` is the orderly end of the stream. May leave decrypted bytes behind:
    /// the connection calls again until `.wantsRead`, because the socket itself may hold nothing any more.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportOutcome

    /// Encrypts and sends; `.done(n)` says how many bytes of `bytes` were taken. After `.wantsWrite` or `.wantsRead` it is
    /// called again with bytes that start the same way, though perhaps at another address.
    ///
    /// - Parameter isLast: `closeWriting` follows these bytes and nothing else, so that its say may leave with them.
    func send(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> TransportOutcome

    /// Whether requests for this host may come through it: not where the client was shown another host's certificate. The
    /// others are answered with 421 (RFC 9110 section 15.5.20).
    func serves(_ host: Span<UInt8>) -> Bool

    /// Tells the peer that nothing more will be sent, before the socket is shut down for writing or closed. Not called
    /// before the handshake is done; may be called twice.
    func closeWriting()
}

extension Transport {
    /// For transports that know no hosts.
    package func serves(_ host: Span<UInt8>) -> Bool { true }
}

/// How a step of a transport ended.
package enum TransportOutcome: Sendable, Equatable {
    /// So many bytes were moved (of a handshake: 0).
    case done(Int)
    /// Nothing can be done until the socket is readable.
    case wantsRead
    /// Nothing can be done until the socket is writable.
    case wantsWrite
    /// In the handshake: the client speaks HTTP without the transport. It is told so in clear, without the transport.
    case plaintext
    /// The connection is of no further use.
    case failed
}

/// TLS between a socket and the parser. What a session does, and when it wants what, is `TLSSession`'s business; this
/// hands it the socket.
final class TLSTransport: Transport {
    private let session: TLSSession
    private var port = SocketPort(descriptor: -1)

    init(_ certificates: CertificateStore, buffers: CiphertextBuffers) {
        session = TLSSession(certificates, buffers: buffers)
    }

    func attach(to descriptor: Int32) {
        port = SocketPort(descriptor: descriptor)
    }

    func handshake() -> TransportOutcome {
        TransportOutcome(session.handshake(through: port))
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportOutcome {
        // unsafe because it passes on a buffer with its bounds.
        TransportOutcome(unsafe session.receive(into: buffer, through: port))
    }

    func send(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> TransportOutcome {
        // unsafe because it passes on a buffer with its bounds.
        TransportOutcome(unsafe session.send(bytes, isLast: isLast, through: port))
    }

    func serves(_ host: Span<UInt8>) -> Bool {
        session.serves(host)
    }

    func closeWriting() {
        session.closeWriting(through: port)
    }
}

extension ServerConfiguration.Listener {
    /// What makes TLS transports, for one or more listeners of one server.
    ///
    /// - Parameters:
    ///   - certificates: asked at each connection, so that a reload holds for the next one.
    ///   - loops: `ServerConfiguration.threads`.
    package static func tls(
        _ certificates: CertificateStore, loops: Int
    ) -> @Sendable (_ loop: Int) -> any Transport {
        let buffers = (0..<loops).map { _ in CiphertextBuffers() }
        return { loop in TLSTransport(certificates, buffers: buffers[loop]) }
    }
}

/// A non-blocking socket, for a session. Does not own it.
private struct SocketPort: CiphertextTransport {
    let descriptor: Int32

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> CiphertextResult {
        // unsafe because it passes on a buffer with its bounds.
        CiphertextResult(unsafe SystemCall.receive(descriptor, into: buffer))
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> CiphertextResult {
        // unsafe because it passes on a buffer with its bounds.
        CiphertextResult(unsafe SystemCall.send(descriptor, bytes))
    }
}

extension CiphertextResult {
    fileprivate init(_ result: IOResult) {
        switch result {
        case .processed(let count): self = .moved(count)
        case .wouldBlock: self = .wouldBlock
        case .failed: self = .failed
        }
    }
}

extension TransportOutcome {
    fileprivate init(_ outcome: TLSOutcome) {
        switch outcome {
        case .done(let count): self = .done(count)
        // Lengths and chunks say where a request ends, so one that is cut off is noticed without close_notify too.
        case .truncated: self = .done(0)
        case .wantsRead: self = .wantsRead
        case .wantsWrite: self = .wantsWrite
        case .plaintext: self = .plaintext
        case .failed: self = .failed
        }
    }
}
