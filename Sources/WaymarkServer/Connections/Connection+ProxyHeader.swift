import WaymarkHTTP
import WaymarkSockets

/// The PROXY protocol, on listeners that speak it.
extension Connection {
    /// Reads the header and not one byte more: what follows may be a TLS handshake, which reads the socket itself.
    ///
    /// The bytes are looked at before they are taken. Those of a header that is not complete are taken all the same,
    /// because a socket with bytes left in it stays readable without end.
    func readProxyHeader(_ now: CoarseInstant) {
        let held = input.count
        let limit = ProxyHeader.longest - held
        // unsafe because it reads into the loop's buffer, with its bounds.
        let buffer = unsafe worker.room(at: held, count: limit)
        switch unsafe SystemCall.peek(descriptor, into: buffer) {
        case .processed(let count) where count > 0:
            // unsafe because it copies to and reads from the loop's buffer, within what is held and was received.
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

    /// The client has as many connections as one may have.
    private func turnAway(_ now: CoarseInstant) {
        // In clear to a client that expects a handshake it would mean nothing.
        guard transport == nil else { return close() }
        persistence = .close
        mustLinger = true
        write(Overload.address.response(worker.handler))
        phase = .finishing
        finishTurn(now)
    }

    /// - Parameter source: nil where the proxy asks for itself.
    private func begin(from source: IPAddress?, _ now: CoarseInstant) {
        if let source {
            peer = Peer(
                address: source, role: peer.role, isSecure: peer.isSecure, isForwarded: true,
                isTrustedProxy: worker.trustedProxies.contains(source))
            guard worker.assign(descriptor, to: peer) else { return turnAway(now) }
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
