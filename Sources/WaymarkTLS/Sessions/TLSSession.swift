internal import CWaymarkOpenSSL
import Synchronization

/// The server side of one TLS connection: ciphertext through a port on one side, plaintext on the other.
///
/// Between turns it holds no buffer, unless it has part of a record, or the port did not take everything. Every call
/// reads the port at most once (a handshake: until it is drained) and writes it at most once.
/// Isolation: confined to the loop whose `CiphertextBuffers` it uses.
/// `@safe` because OpenSSL's object is owned: freed in `deinit` and never exposed.
@safe
package final class TLSSession {
    private enum Phase {
        /// Nothing has been received yet.
        case fresh
        case handshake
        case open
        /// close_notify is sent.
        case closed
        case failed
    }

    /// Bytes of plaintext encrypted at a time: two records of full size. It bounds the ciphertext held for a slow
    /// client.
    private static let pieceLength = 32_768

    private let session: OpaquePointer
    private let buffers: CiphertextBuffers
    /// Retained because OpenSSL's callbacks find it by its address.
    private let table: CertificateTable
    private let counters: TLSCounters
    private var phase = Phase.fresh
    /// Ciphertext that is received and not decrypted.
    private var held: [UInt8] = []
    /// Ciphertext that the port has not taken.
    private var unsent: [UInt8] = []
    private var unsentOffset = 0
    /// The end of the handshake (usually a ticket), sent together with the first response if the client has already
    /// sent its request: saves one write and one wake-up of the client for each connection.
    private var greeting: [UInt8] = []
    /// The greeting has waited for a response, and must be sent now.
    private var isGreetingDue = false
    /// close_notify has been encrypted.
    private var isEndWritten = false
    /// Bytes of plaintext that are encrypted within `unsent` and not yet reported as sent.
    private var owed = 0
    /// The last read drained the port: the next one can wait until the port is readable again.
    private var isPortDry = false
    /// The port has ended or failed.
    private var isPortEnded = false
    /// Decryption stopped before the ciphertext was consumed, because there was no room or nothing more to gain.
    private var mayHoldPlaintext = false
    /// The last host served, in the client's spelling; stored only if hosts must be checked.
    private var servedHost: [UInt8] = []
    /// OpenSSL's message for the failure; for a log.
    package private(set) var failure: String?

    /// - Parameter buffers: those of the loop that will use the session.
    package init(_ certificates: CertificateStore, buffers: CiphertextBuffers) {
        self.buffers = buffers
        table = certificates.current
        counters = certificates.counters
        // unsafe because C objects are made; the session owns its BIO and frees both.
        guard let session = unsafe SSL_new(table.defaultContext.pointer), let bio = unsafe BufferBIO.make(on: buffers)
        else {
            fatalError("out of memory")
        }
        unsafe self.session = session
        unsafe SSL_set_bio(session, bio, bio)
        unsafe SSL_set_accept_state(session)
    }

    deinit {
        if phase == .handshake { counters.count(.unfinished) }
        // unsafe because C objects are freed that nothing else owns.
        unsafe SSL_free(session)
    }

    /// Whether the client resumed an earlier session with a ticket.
    package var isResumed: Bool {
        // unsafe because a C object is read that is owned.
        unsafe SSL_session_reused(session) == 1
    }

    /// Whether a request for this host may be answered here (RFC 9110 section 7.4): false if its certificates differ
    /// from those that this client was shown.
    package func serves(_ host: Span<UInt8>) -> Bool {
        guard table.bindsHosts else { return true }
        // unsafe because bytes are compared and copied within their bounds, and a C object is read that is owned.
        let isKnown = unsafe host.withUnsafeBufferPointer { unsafe $0.elementsEqual(servedHost) }
        if isKnown, !servedHost.isEmpty { return true }
        let hasNamedHost = unsafe SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) != nil
        guard let context = unsafe SSL_get_SSL_CTX(session),
            unsafe table.serves(host, under: context, hasNamedHost: hasNamedHost)
        else { return false }
        servedHost = unsafe host.withUnsafeBufferPointer { unsafe Array($0) }
        return true
    }

    // MARK: Handshake

    /// Continues the handshake as far as possible.
    package func handshake(through port: any CiphertextTransport) -> TLSOutcome {
        guard phase == .fresh || phase == .handshake else { return phase == .open ? .done(0) : .failed }
        while true {
            guard deliver(to: port) else {
                isPortEnded = true
                return fail(port)
            }
            guard unsent.isEmpty else { return .wantsWrite }
            guard !takeDryness() else { return .wantsRead }
            switch buffers.fill(from: port, atMost: CiphertextBuffers.capacity) {
            case .moved(0), .failed:
                isPortEnded = true
                return fail(port)
            case .moved(let count): isPortDry = count < CiphertextBuffers.capacity
            case .wouldBlock: return .wantsRead
            }
            if phase == .fresh {
                if let byte = buffers.firstIncoming, Self.beginsText(byte) {
                    _ = buffers.takeIncoming()
                    phase = .failed
                    counters.count(.plaintext)
                    return .plaintext
                }
                phase = .handshake
            }
            OpenSSLError.clear()
            // unsafe because OpenSSL works on its own object and the thread's buffers.
            let result = unsafe SSL_do_handshake(session)
            if result == 1 { return finishHandshake(port) }
            guard unsafe SSL_get_error(session, result) == SSL_ERROR_WANT_READ else { return fail(port) }
        }
    }

    private func finishHandshake(_ port: any CiphertextTransport) -> TLSOutcome {
        phase = .open
        // unsafe because a C object is read that is owned.
        counters.countHandshake(isTLS13: unsafe SSL_version(session) == TLS1_3_VERSION, isResumed: isResumed)
        if table.challenges != nil, unsafe ChallengeContext.isInstalled(in: session) {
            // The authority has seen the certificate; nothing else may be exchanged (RFC 8737 section 3).
            closeWriting(through: port)
            phase = .failed
            _ = buffers.takeIncoming()
            return .failed
        }
        // A client may send its first request together with the end of its handshake.
        mayHoldPlaintext = !buffers.isIncomingEmpty
        if mayHoldPlaintext {
            held = buffers.takeIncoming()
            greeting = buffers.takeOutgoing()
            return .done(0)
        }
        return deliver(to: port) ? .done(0) : fail(port)
    }

    /// Whether the last read drained the port; resets the flag. Readiness will be reported again, so a read that
    /// would find nothing is saved.
    private func takeDryness() -> Bool {
        defer { isPortDry = false }
        return isPortDry
    }

    /// No TLS record begins like that: their types are 20 to 23 (RFC 8446 section 5.1), and SSL 2 sets the highest
    /// bit.
    private static func beginsText(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x0A, 0x0D: true
        default: false
        }
    }

    // MARK: Plaintext

    /// Decrypts into the buffer. It may not fit everything, so call again until `.wantsRead`.
    package func receive(into buffer: UnsafeMutableRawBufferPointer, through port: any CiphertextTransport)
        -> TLSOutcome
    {
        guard phase == .open || phase == .closed else { return .failed }
        if restoreGreeting(), isGreetingDue, !deliver(to: port) { return fail(port) }
        // unsafe because the caller's buffer is passed on with its bounds.
        if !unsent.isEmpty {
            guard deliver(to: port) else { return fail(port) }
            guard unsent.isEmpty else { return .wantsWrite }
        }
        if mayHoldPlaintext {
            if !held.isEmpty {
                buffers.restore(held)
                held = []
            }
            let outcome = unsafe decrypt(into: buffer, port)
            if outcome != .wantsRead { return outcome }
        }
        guard !takeDryness() else { return .wantsRead }
        // Reads no more than fits: then a rest must almost never be stored.
        let limit = min(buffer.count, CiphertextBuffers.capacity)
        switch buffers.fill(from: port, atMost: limit) {
        case .moved(0): return .truncated
        case .moved(let count): isPortDry = count < limit
        case .wouldBlock: return .wantsRead
        case .failed: return fail(port)
        }
        return unsafe decrypt(into: buffer, port)
    }

    /// Decrypts the thread's buffer, until it is empty or the caller's is full.
    private func decrypt(into buffer: UnsafeMutableRawBufferPointer, _ port: any CiphertextTransport) -> TLSOutcome {
        var total = 0
        var outcome = TLSOutcome.wantsRead
        mayHoldPlaintext = false
        OpenSSLError.clear()
        // unsafe because OpenSSL writes into the caller's buffer, after the filled part and within its bounds.
        reading: while total < buffer.count {
            var count = 0
            let result = unsafe SSL_read_ex(
                session, buffer.baseAddress.map { unsafe $0 + total }, buffer.count - total, &count)
            if result == 1 {
                total += count
                // The end of the ciphertext is almost always the end of a record; another attempt would cost a
                // buffer.
                if buffers.isIncomingEmpty, unsafe SSL_has_pending(session) == 0 { break }
                continue
            }
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ: break reading
            case SSL_ERROR_ZERO_RETURN: outcome = .done(0)
            default:
                failure = OpenSSLError.take()
                outcome = .failed
            }
            break
        }
        if total == buffer.count || outcome != .wantsRead {
            // If there is plaintext, the next call reports the reason for stopping.
            mayHoldPlaintext = true
            held = buffers.takeIncoming()
        }
        if !isGreetingDue, total > 0 {
            isGreetingDue = true
            greeting = buffers.takeOutgoing()
        }
        // A response of the protocol itself: to a key update, or an alert.
        if buffers.outgoingCount > 0, !deliver(to: port) { outcome = .failed }
        if total > 0 { return .done(total) }
        if outcome == .failed { phase = .failed }
        return outcome == .wantsRead && !unsent.isEmpty ? .wantsWrite : outcome
    }

    /// Puts the end of the handshake before the output of this turn: records must be sent in the order they were
    /// made. Returns whether there was any.
    private func restoreGreeting() -> Bool {
        guard !greeting.isEmpty else { return false }
        buffers.restoreOutgoing(greeting)
        greeting = []
        return true
    }

    /// Encrypts and sends. `.done` is the number of bytes of `bytes` that the port has taken; after `.wantsWrite`
    /// call again with bytes that start the same way.
    ///
    /// - Parameter isLast: nothing follows these bytes: close_notify is sent with the same write, if they are few.
    package func send(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool = false, through port: any CiphertextTransport
    ) -> TLSOutcome {
        guard phase == .open else { return .failed }
        _ = restoreGreeting()
        if !unsent.isEmpty {
            let waiting = unsent.count - unsentOffset
            guard deliver(to: port) else { return fail(port) }
            guard unsent.isEmpty else { return progress(waiting - (unsent.count - unsentOffset)) }
        }
        if owed > 0 { return .done(settle(owed)) }
        // unsafe because OpenSSL reads the caller's bytes, within the bounds of the piece.
        let count = min(bytes.count, Self.pieceLength)
        var total = 0
        OpenSSLError.clear()
        while total < count {
            var written = 0
            let result = unsafe SSL_write_ex(
                session, bytes.baseAddress.map { unsafe $0 + total }, count - total, &written)
            guard result == 1 else { return fail(port) }
            total += written
        }
        if isLast, total == bytes.count {
            // unsafe because OpenSSL works on its own object and the thread's buffers.
            _ = unsafe SSL_shutdown(session)
            isEndWritten = true
        }
        let encrypted = buffers.outgoingCount
        guard deliver(to: port) else { return fail(port) }
        guard !unsent.isEmpty else { return .done(total) }
        owed = total
        return progress(encrypted - unsent.count)
    }

    /// The result when the port has taken part of the ciphertext: progress, so that a slow client is not mistaken for
    /// a stalled one, but never completion, because then the caller would not call again.
    private func progress(_ moved: Int) -> TLSOutcome {
        let count = min(moved, owed - 1)
        return count > 0 ? .done(settle(count)) : .wantsWrite
    }

    private func settle(_ count: Int) -> Int {
        owed -= count
        return count
    }

    // MARK: Closing

    /// Sends close_notify, as far as the port takes it now; nothing can be sent after it. Does nothing when called
    /// again, in a handshake or after a failure.
    package func closeWriting(through port: any CiphertextTransport) {
        guard phase == .open else { return }
        phase = .closed
        _ = restoreGreeting()
        OpenSSLError.clear()
        // unsafe because OpenSSL works on its own object and the thread's buffers. A second call would wait for the client.
        if !isEndWritten { _ = unsafe SSL_shutdown(session) }
        _ = deliver(to: port)
    }

    /// Records the reason, and sends OpenSSL's alert if it has written one.
    private func fail(_ port: any CiphertextTransport) -> TLSOutcome {
        if phase == .handshake { counters.count(isPortEnded ? .closed : .newest()) }
        failure = failure ?? OpenSSLError.take()
        phase = .failed
        _ = deliver(to: port)
        _ = buffers.takeIncoming()
        return .failed
    }

    /// Sends stored output and the output of this turn; stores the bytes that the port does not take. False if the
    /// port has failed.
    private func deliver(to port: any CiphertextTransport) -> Bool {
        if !unsent.isEmpty {
            if buffers.outgoingCount > 0 { unsent.append(contentsOf: buffers.takeOutgoing()) }
            // unsafe because a pointer to the unsent bytes is lent for the call.
            let result = unsafe unsent.withUnsafeBytes { bytes in
                unsafe port.send(UnsafeRawBufferPointer(rebasing: bytes[unsentOffset...]))
            }
            switch result {
            case .moved(let count): unsentOffset += count
            case .wouldBlock: break
            case .failed: return false
            }
            if unsentOffset >= unsent.count {
                unsent = []
                unsentOffset = 0
            }
            return true
        }
        guard buffers.outgoingCount > 0 else { return true }
        guard let rest = buffers.drain(to: port) else { return false }
        unsent = rest
        return true
    }
}
