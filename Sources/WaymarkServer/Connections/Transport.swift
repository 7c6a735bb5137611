import WaymarkSockets
package import WaymarkTLS

/// A layer between a socket and the parser, such as TLS.
///
/// A connection without a transport reads and writes its socket directly, without overhead.
/// Isolation: confined to the loop of its connection.
package protocol Transport: AnyObject {
    /// Called once, before any other function; the connection keeps ownership of the descriptor.
    func attach(to descriptor: Int32)

    /// Performs the next step of the handshake, if any. Called at each readiness until it returns `.done`.
    func handshake() -> TransportOutcome

    /// Decrypts into `buffer`. `.done(0)` is the orderly end of the stream. May leave decrypted bytes unread: the
    /// connection calls again until `.wantsRead`, because the socket itself may be empty.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportOutcome

    /// Encrypts and sends; `.done(n)` is the number of bytes taken from `bytes`. After `.wantsWrite` or `.wantsRead`
    /// it is called again with bytes that start the same way, possibly at another address.
    ///
    /// - Parameter isLast: only `closeWriting` follows these bytes, so its closing message may be sent with them.
    func send(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> TransportOutcome

    /// Whether requests for this host are allowed: false if the client was shown another host's certificate. Such
    /// requests get 421 (RFC 9110 section 15.5.20).
    func serves(_ host: Span<UInt8>) -> Bool

    /// Sends the closing message before the socket is shut down for writing or closed. Not called before the
    /// handshake is complete; may be called twice.
    func closeWriting()
}

extension Transport {
    /// Default for transports without hosts.
    package func serves(_ host: Span<UInt8>) -> Bool { true }
}

/// The result of a transport's step.
package enum TransportOutcome: Sendable, Equatable {
    /// This many bytes were moved (0 for a handshake).
    case done(Int)
    /// Nothing can be done until the socket is readable.
    case wantsRead
    /// Nothing can be done until the socket is writable.
    case wantsWrite
    /// During the handshake: the client sent plain HTTP. It gets its response in plain text, without the transport.
    case plaintext
    /// The connection is unusable.
    case failed
}

/// TLS between a socket and the parser. `TLSSession` implements the protocol; this connects it to the socket.
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
    /// A factory for TLS transports, for one or more listeners of one server.
    ///
    /// - Parameters:
    ///   - certificates: read for each connection, so that a reload applies to the next one.
    ///   - loops: `ServerConfiguration.threads`.
    package static func tls(
        _ certificates: CertificateStore, loops: Int
    ) -> @Sendable (_ loop: Int) -> any Transport {
        let buffers = (0..<loops).map { _ in CiphertextBuffers() }
        return { loop in TLSTransport(certificates, buffers: buffers[loop]) }
    }
}

/// A non-blocking socket, for a session. Does not own the descriptor.
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
        // Content-Length and chunks mark a request's end, so truncation is detected without close_notify.
        case .truncated: self = .done(0)
        case .wantsRead: self = .wantsRead
        case .wantsWrite: self = .wantsWrite
        case .plaintext: self = .plaintext
        case .failed: self = .failed
        }
    }
}
