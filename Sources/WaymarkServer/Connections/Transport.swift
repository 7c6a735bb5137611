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
