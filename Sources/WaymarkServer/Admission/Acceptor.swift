import Synchronization
import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Accepts connections from one listening socket on one loop.
final class Acceptor: ReadinessHandler {
    /// Connections taken in one turn, so that those that are open already get theirs.
    private static let acceptsPerTurn = 64
    /// Milliseconds without accepting after the system has run out of something.
    private static let backOff: Int64 = 20

    private let worker: Worker
    private let listener: ServerConfiguration.Listener
    private let isUnixSocket: Bool
    private var registration = Registration(descriptor: -1, generation: 0)
    /// Given up for a moment when descriptors run out: with it one waiting client can be let in and turned away, instead
    /// of leaving a listener that is readable for ever.
    private var reserve = Acceptor.openReserve()

    init(worker: Worker, listener: ServerConfiguration.Listener, isUnixSocket: Bool) {
        self.worker = worker
        self.listener = listener
        self.isUnixSocket = isUnixSocket
        if reserve < 0 { worker.reserves.spent() }
    }

    deinit {
        if reserve >= 0 { _ = close(reserve) } else { worker.reserves.regained() }
    }

    func start(_ descriptor: consuming FileDescriptor) throws(SystemError) {
        // Connections take this over from the socket that they came through: none of them lets the kernel collect
        // megabytes for a client that reads nothing, which a thousand times is all the memory that it has for TCP.
        SystemCall.boundUnsentBytes(descriptor.number, to: Connection.unsentBytes)
        registration = try worker.loop.register(descriptor, for: .read, handler: self)
    }

    func ready(_ readiness: Interest) {
        accept(atMost: Self.acceptsPerTurn)
    }

    func deadlinePassed() {
        guard regainReserve() else { return pause() }
        worker.loop.setInterest(.read, of: registration)
    }

    /// Takes what has been accepted by the kernel already, and closes the socket.
    func stop() {
        accept(atMost: .max)
        // Other loops, or systemd, may hold the same socket: then closing this descriptor does not end its events.
        worker.loop.setInterest(.none, of: registration)
        worker.loop.close(registration)
    }

    private func accept(atMost limit: Int) {
        var taken = 0
        while taken < limit {
            var address = SocketAddress(address: IPAddress(ipv4: 0), port: 0)
            switch SystemCall.accept(registration.descriptor, peer: &address) {
            case .processed(let number):
                let descriptor = FileDescriptor(owning: Int32(truncatingIfNeeded: number))
                taken += 1
                if worker.reserves.areShort {
                    refuse(descriptor)
                    continue
                }
                let peer = peer(at: address.address)
                // On this listener anybody could say that they are somebody else.
                if listener.expectsProxyHeader, !peer.isTrustedProxy { continue }
                worker.adopt(
                    descriptor, peer: peer, transport: listener.transport?(worker.number),
                    expectsProxyHeader: listener.expectsProxyHeader)
            case .wouldBlock:
                return
            case .failed(let code):
                switch code {
                case EMFILE, ENFILE:
                    ServerCounters.add(1, to: worker.counters.acceptFailures)
                    taken += 1
                    // Dispatch closes a descriptor later, so one connection at most is closed for this.
                    if taken == 1, worker.closeIdleConnection() { continue }
                    guard turnAway() else { return pause() }
                case ENOBUFS, ENOMEM:
                    ServerCounters.add(1, to: worker.counters.acceptFailures)
                    return pause()
                default:
                    // The client has gone, or its network has: accept(2) hands over errors that are already pending on
                    // the new socket. The next one may be fine.
                    taken += 1
                }
            }
        }
    }

    /// - Parameter address: unchanged by the accept, so meaningless, on a Unix-domain socket.
    private func peer(at address: IPAddress) -> Peer {
        let isUnixSocket = isUnixSocket
        return Peer(
            address: isUnixSocket ? IPAddress(high: 0, low: 0) : address, role: listener.role,
            isSecure: listener.transport != nil, isUnixSocket: isUnixSocket,
            isTrustedProxy: isUnixSocket
                ? worker.trustedProxies.includesUnixSockets : worker.trustedProxies.contains(address))
    }

    /// Lets one client in with the reserve, tells it that there is no room, and gets the reserve back. False where there
    /// is no reserve to do it with.
    private func turnAway() -> Bool {
        guard regainReserve() else { return false }
        // Before the descriptor is free, so that no other loop takes it for a connection.
        worker.reserves.spent()
        _ = close(reserve)
        reserve = -1
        var address = SocketAddress(address: IPAddress(ipv4: 0), port: 0)
        if case .processed(let number) = SystemCall.accept(registration.descriptor, peer: &address) {
            refuse(FileDescriptor(owning: Int32(truncatingIfNeeded: number)))
        }
        return regainReserve()
    }

    private func refuse(_ descriptor: consuming FileDescriptor) {
        ServerCounters.add(1, to: worker.counters.connectionsRefused)
        // Not in clear to a client that expects a handshake.
        if listener.transport == nil { RejectedConnection.answerAndClose(descriptor, .descriptors, on: worker) }
    }

    private func regainReserve() -> Bool {
        if reserve >= 0 { return true }
        reserve = Self.openReserve()
        if reserve >= 0 { worker.reserves.regained() }
        return reserve >= 0
    }

    /// The socket stays readable as long as clients wait: without a pause the loop would do nothing but fail.
    private func pause() {
        worker.loop.setInterest(.none, of: registration)
        worker.loop.setDeadline(worker.loop.now.advanced(by: Self.backOff), of: registration)
    }

    private static func openReserve() -> Int32 {
        // unsafe because open reads a C string, which the literal is.
        unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
}

/// How many acceptors of a server are without the descriptor that they hold in reserve.
///
/// While one is, the others turn their newcomers away too: the next descriptor that is free must become a reserve again.
/// Otherwise a loop that accepts at the right moment would take it for a connection, and the clients of the other loop
/// would wait without a word.
final class DescriptorReserves: Sendable {
    private let missing = Atomic<Int>(0)

    var areShort: Bool { missing.load(ordering: .sequentiallyConsistent) > 0 }

    func spent() {
        missing.add(1, ordering: .sequentiallyConsistent)
    }

    func regained() {
        missing.subtract(1, ordering: .sequentiallyConsistent)
    }
}
