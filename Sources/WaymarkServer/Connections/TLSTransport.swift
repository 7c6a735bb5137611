import WaymarkSockets
package import WaymarkTLS

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
