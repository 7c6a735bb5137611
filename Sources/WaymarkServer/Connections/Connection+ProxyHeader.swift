import WaymarkBytes
import WaymarkHTTP
import WaymarkSockets

/// The PROXY protocol, on listeners that expect it.
extension Connection {
    /// Reads the header and not a byte more: a TLS handshake may follow, which reads the socket itself.
    ///
    /// Peeks at the bytes before it consumes them. An incomplete header is consumed too, because a socket with unread
    /// bytes stays readable.
    func readProxyHeader(_ now: CoarseInstant) {
        let held = input.count
        let limit = ProxyHeader.longest - held
        // unsafe because it reads into the loop's buffer, with its bounds.
        let buffer = unsafe worker.room(at: held, count: limit)
        switch unsafe SystemCall.peek(descriptor, into: buffer) {
        case .processed(let count) where count > 0:
            // unsafe because it copies to and reads from the loop's buffer, within the bytes held and received.
            unsafe input.withUnsafeBytes { unsafe worker.room(at: 0, count: held).copyMemory(from: $0) }
            switch unsafe ProxyHeader(worker.received(0..<held + count).span) {
            case .needMore:
                guard take(count, at: held), held + count < ProxyHeader.longest else { return close() }
                unsafe input.append(contentsOf: worker.received(held..<held + count))
            case .complete(let source, let length):
                guard length > held, take(length - held, at: held) else { return close() }
                input = []
                begin(from: source, now)
            case .malformed: close()
            }
        case .wouldBlock: break
        default: close()
        }
    }

    private func take(_ count: Int, at position: Int) -> Bool {
        // unsafe because it reads into the loop's buffer, with its bounds.
        unsafe SystemCall.receive(descriptor, into: worker.room(at: position, count: count)) == .processed(count)
    }

    /// The client has as many connections as one address may have.
    private func reject(_ now: CoarseInstant) {
        // A client that expects a handshake can't read a plain-text response.
        guard transport == nil else { return close() }
        persistence = .close
        mustLinger = true
        write(Overload.address.response(worker.handler))
        phase = .finishing
        finishTurn(now)
    }

    /// - Parameter source: nil if the connection is the proxy's own.
    private func begin(from source: IPAddress?, _ now: CoarseInstant) {
        if let source {
            peer = Peer(
                address: source, role: peer.role, isSecure: peer.isSecure, isForwarded: true,
                isTrustedProxy: worker.trustedProxies.contains(source))
            guard worker.assign(descriptor, to: peer) else { return reject(now) }
        }
        if transport == nil {
            phase = .head
            read(now)
        } else {
            phase = .handshake
            shakeHands(now)
        }
    }
}
