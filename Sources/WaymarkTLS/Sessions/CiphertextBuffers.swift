internal import CWaymarkOpenSSL

/// The ciphertext of the session whose turn it is: what has come and is not decrypted, what is encrypted and not sent.
///
/// One for each thread: every session of an event loop uses the same, empties it within its turn, and takes home what is
/// left over. So a session that waits holds no buffer, and all records of a turn leave in one write.
/// `@unchecked Sendable` because it is used by sessions of one loop only, one at a time; whoever makes sessions sees to
/// that. `@safe` because its memory is owned and lent out with its bounds.
@safe
package final class CiphertextBuffers: @unchecked Sendable {
    /// What is read or encrypted at a time, in bytes.
    package static let capacity = 65_536

    /// Plain data behind a pointer, because OpenSSL's calls come back to it with nothing else in hand.
    @unsafe
    struct State {
        var incoming: UnsafeMutableRawPointer
        /// The part of `incoming` that has not been used up.
        var start = 0
        var end = 0
        var outgoing: UnsafeMutableRawPointer
        var outgoingCapacity: Int
        var outgoingCount = 0
    }

    /// For a `BufferBIO`.
    let state: UnsafeMutablePointer<State>

    package init() {
        // unsafe because manual memory is: freed in deinit and nowhere else.
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: State(
                incoming: .allocate(byteCount: Self.capacity, alignment: 16),
                outgoing: .allocate(byteCount: Self.capacity, alignment: 16), outgoingCapacity: Self.capacity))
    }

    deinit {
        // unsafe because manual memory is: sessions retain this object, so none is left.
        unsafe state.pointee.incoming.deallocate()
        unsafe state.pointee.outgoing.deallocate()
        unsafe state.deallocate()
    }

    // MARK: What has come

    /// Whether all that has come is used up.
    var isIncomingEmpty: Bool {
        // unsafe because plain data behind an owned pointer is read.
        unsafe state.pointee.start == state.pointee.end
    }

    /// The first byte that is not used up.
    var firstIncoming: UInt8? {
        // unsafe because the byte is within what has been received.
        isIncomingEmpty ? nil : unsafe state.pointee.incoming.load(fromByteOffset: state.pointee.start, as: UInt8.self)
    }

    /// Fills it anew from the port, `limit` bytes at most; only where it is empty.
    func fill(from port: any CiphertextTransport, atMost limit: Int) -> CiphertextResult {
        let count = min(limit, Self.capacity)
        // unsafe because memory is lent with its bounds.
        let result = unsafe port.receive(
            into: UnsafeMutableRawBufferPointer(start: state.pointee.incoming, count: count))
        unsafe state.pointee.start = 0
        unsafe state.pointee.end = 0
        if case .moved(let moved) = result {
            precondition(moved <= count, "a port moves no more than there is room for")
            unsafe state.pointee.end = moved
        }
        return result
    }

    /// Puts back what a session took home.
    func restore(_ bytes: [UInt8]) {
        precondition(bytes.count <= Self.capacity, "more than was ever taken home")
        // unsafe because the copy is within the bounds that are checked above.
        unsafe bytes.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                unsafe state.pointee.incoming.copyMemory(from: base, byteCount: bytes.count)
            }
        }
        unsafe state.pointee.start = 0
        unsafe state.pointee.end = bytes.count
    }

    /// What is not used up, for a session to take home; empty behind this.
    func takeIncoming() -> [UInt8] {
        // unsafe because the copy is within what was received.
        let start = unsafe state.pointee.start
        let rest = unsafe UnsafeRawBufferPointer(
            start: state.pointee.incoming + start, count: state.pointee.end - start)
        let bytes = unsafe [UInt8](rest)
        unsafe state.pointee.start = 0
        unsafe state.pointee.end = 0
        return bytes
    }

    // MARK: What goes out

    /// In bytes.
    var outgoingCount: Int {
        // unsafe because plain data behind an owned pointer is read.
        unsafe state.pointee.outgoingCount
    }

    /// Sends it in one call. What the port does not take is returned, for the session to take home; nil where the port
    /// failed. Empty behind this.
    func drain(to port: any CiphertextTransport) -> [UInt8]? {
        // unsafe because memory is lent with the bounds of what was written.
        let count = unsafe state.pointee.outgoingCount
        let bytes = unsafe UnsafeRawBufferPointer(start: state.pointee.outgoing, count: count)
        unsafe state.pointee.outgoingCount = 0
        switch unsafe port.send(bytes) {
        case .moved(let moved) where moved >= count: return []
        case .moved(let moved): return unsafe [UInt8](bytes[max(0, moved)...])
        case .wouldBlock: return unsafe [UInt8](bytes)
        case .failed: return nil
        }
    }

    /// Puts back what a session took home; only where nothing was written since.
    func restoreOutgoing(_ bytes: [UInt8]) {
        precondition(outgoingCount == 0 && bytes.count <= Self.capacity, "there is something, or too much")
        // unsafe because the copy is within the bounds that are checked above.
        unsafe bytes.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                unsafe state.pointee.outgoing.copyMemory(from: base, byteCount: bytes.count)
            }
        }
        unsafe state.pointee.outgoingCount = bytes.count
    }

    /// Takes it as it is; empty behind this.
    func takeOutgoing() -> [UInt8] {
        // unsafe because the copy is within the bounds of what was written.
        let bytes = unsafe [UInt8](
            UnsafeRawBufferPointer(start: state.pointee.outgoing, count: state.pointee.outgoingCount))
        unsafe state.pointee.outgoingCount = 0
        return bytes
    }
}

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
