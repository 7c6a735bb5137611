internal import CWaymarkOpenSSL

/// The ciphertext of the session whose turn it is: received and not yet decrypted, encrypted and not yet sent.
///
/// One per thread: every session of an event loop uses it, empties it within its turn, and stores the rest itself. So
/// a waiting session holds no buffer, and all records of a turn are sent with one write.
/// `@unchecked Sendable` because sessions of one loop only use it, one at a time; the code that makes sessions
/// ensures that. `@safe` because its memory is owned and lent out with its bounds.
@safe
package final class CiphertextBuffers: @unchecked Sendable {
    /// Bytes that are read or encrypted at a time.
    package static let capacity = 65_536

    /// Plain data behind a pointer, because OpenSSL's callbacks receive nothing else.
    @unsafe
    struct State {
        var incoming: UnsafeMutableRawPointer
        /// Start of the unconsumed part of `incoming`.
        var start = 0
        var end = 0
        var outgoing: UnsafeMutableRawPointer
        var outgoingCapacity: Int
        var outgoingCount = 0
    }

    /// For a `BufferBIO`.
    let state: UnsafeMutablePointer<State>

    package init() {
        // unsafe because the memory is managed manually: freed only in deinit.
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: State(
                incoming: .allocate(byteCount: Self.capacity, alignment: 16),
                outgoing: .allocate(byteCount: Self.capacity, alignment: 16), outgoingCapacity: Self.capacity))
    }

    deinit {
        // unsafe because the memory is managed manually: sessions retain this object, so none is left.
        unsafe state.pointee.incoming.deallocate()
        unsafe state.pointee.outgoing.deallocate()
        unsafe state.deallocate()
    }

    // MARK: Received ciphertext

    /// Whether all received bytes are consumed.
    var isIncomingEmpty: Bool {
        // unsafe because plain data is read through an owned pointer.
        unsafe state.pointee.start == state.pointee.end
    }

    /// The first unconsumed byte.
    var firstIncoming: UInt8? {
        // unsafe because the byte is within the received range.
        isIncomingEmpty ? nil : unsafe state.pointee.incoming.load(fromByteOffset: state.pointee.start, as: UInt8.self)
    }

    /// Refills it from the port, with at most `limit` bytes. Only if it is empty.
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

    /// Restores bytes that a session has stored.
    func restore(_ bytes: [UInt8]) {
        precondition(bytes.count <= Self.capacity, "more than was ever taken home")
        // unsafe because the copy is within the bounds checked above.
        unsafe bytes.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                unsafe state.pointee.incoming.copyMemory(from: base, byteCount: bytes.count)
            }
        }
        unsafe state.pointee.start = 0
        unsafe state.pointee.end = bytes.count
    }

    /// Removes and returns the unconsumed bytes, for the session to store.
    func takeIncoming() -> [UInt8] {
        // unsafe because the copy is within the received range.
        let start = unsafe state.pointee.start
        let rest = unsafe UnsafeRawBufferPointer(
            start: state.pointee.incoming + start, count: state.pointee.end - start)
        let bytes = unsafe [UInt8](rest)
        unsafe state.pointee.start = 0
        unsafe state.pointee.end = 0
        return bytes
    }

    // MARK: Outgoing ciphertext

    /// In bytes.
    var outgoingCount: Int {
        // unsafe because plain data is read through an owned pointer.
        unsafe state.pointee.outgoingCount
    }

    /// Sends all with one call. Returns the bytes that the port did not take, for the session to store; nil if the
    /// port failed. Empty afterwards.
    func drain(to port: any CiphertextTransport) -> [UInt8]? {
        // unsafe because memory is lent with the bounds of the written bytes.
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

    /// Restores bytes that a session has stored. Only if nothing was written since.
    func restoreOutgoing(_ bytes: [UInt8]) {
        precondition(outgoingCount == 0 && bytes.count <= Self.capacity, "there is something, or too much")
        // unsafe because the copy is within the bounds checked above.
        unsafe bytes.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                unsafe state.pointee.outgoing.copyMemory(from: base, byteCount: bytes.count)
            }
        }
        unsafe state.pointee.outgoingCount = bytes.count
    }

    /// Removes and returns all bytes.
    func takeOutgoing() -> [UInt8] {
        // unsafe because the copy is within the bounds of the written bytes.
        let bytes = unsafe [UInt8](
            UnsafeRawBufferPointer(start: state.pointee.outgoing, count: state.pointee.outgoingCount))
        unsafe state.pointee.outgoingCount = 0
        return bytes
    }
}

/// The source and destination of a session's ciphertext: a socket, or memory in a test. Never blocks.
package protocol CiphertextTransport {
    /// Receives available bytes, up to the buffer's size; `.moved(0)` is the end of the stream.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> CiphertextResult
    /// Sends as many bytes as possible.
    func send(_ bytes: UnsafeRawBufferPointer) -> CiphertextResult
}

/// The result of moving ciphertext.
package enum CiphertextResult: Sendable, Equatable {
    case moved(Int)
    case wouldBlock
    case failed
}

/// The result of a session's step.
package enum TLSOutcome: Sendable, Equatable {
    /// This many bytes of plaintext were moved (0 for a handshake). 0 from `receive` is the peer's close_notify.
    case done(Int)
    /// The stream ended without close_notify: only the plaintext shows whether it is complete.
    case truncated
    /// Retry once the port has ciphertext.
    case wantsRead
    /// Retry once the port takes ciphertext.
    case wantsWrite
    /// During the handshake: the peer sent plain text such as HTTP, by its first byte. Nothing was sent.
    case plaintext
    /// The session is unusable; the peer got an alert if the protocol allows one.
    case failed
}
