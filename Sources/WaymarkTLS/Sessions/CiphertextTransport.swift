/// Where a session's ciphertext comes from and goes to: a socket, or memory in a test. Never waits.
package protocol CiphertextTransport {
    /// Takes what has arrived, as far as there is room; `.moved(0)` is the end of the stream.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> CiphertextResult
    /// Hands over as much as can be taken.
    func send(_ bytes: UnsafeRawBufferPointer) -> CiphertextResult
}

/// How moving ciphertext ended.
package enum CiphertextResult: Sendable, Equatable {
    case moved(Int)
    case wouldBlock
    case failed
}

/// How a step of a session ended.
package enum TLSOutcome: Sendable, Equatable {
    /// So many bytes of plaintext were moved (of a handshake: 0). 0 from `receive` is the peer's close_notify.
    case done(Int)
    /// The stream has ended without close_notify: whether all of it arrived only the plaintext can tell.
    case truncated
    /// Nothing can be done until the port has ciphertext.
    case wantsRead
    /// Nothing can be done until the port takes ciphertext.
    case wantsWrite
    /// In the handshake: the peer speaks no TLS but, by its first byte, text such as HTTP. Nothing was sent.
    case plaintext
    /// The session is of no further use; the peer was told why where the protocol allows.
    case failed
}
