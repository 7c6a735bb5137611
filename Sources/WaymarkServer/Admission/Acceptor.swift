import Synchronization
import WaymarkBytes
import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Accepts connections from one listening socket on one loop.
final class Acceptor: ReadinessHandler {
    /// Connections accepted in one turn, so that open connections get their turn too.
    private static let acceptsPerTurn = 64
    /// Milliseconds without accepting after the system has run out of descriptors or memory.
    private static let backOff: Int64 = 20

    private let worker: Worker
    private let listener: ServerConfiguration.Listener
    private let isUnixSocket: Bool
    private var registration = Registration(descriptor: -1, generation: 0)
    /// Closed briefly when descriptors run out: it makes room to accept and reject one waiting client. Otherwise the
    /// listener would stay readable permanently.
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
        // Accepted connections inherit this from the listening socket. Without it the kernel buffers megabytes for
        // each client that reads nothing, and a thousand such clients exhaust the kernel's TCP memory.
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

    /// Accepts the connections that the kernel has completed already, then closes the socket.
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
                if listener.role == .owner, !Self.isOwner(descriptor.number) { continue }
                // The kernel gives the lowest free number, so a high one means that few are left.
                if number >= worker.publicDescriptors, !listener.role.isForOperators, !worker.closeIdleConnection() {
                    refuse(descriptor)
                    continue
                }
                if worker.reserves.areShort {
                    refuse(descriptor)
                    continue
                }
                let peer = peer(at: address.address)
                // Without this check, any client of this listener could claim another address.
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
                    // Dispatch closes descriptors later, so at most one connection is closed to retry.
                    if taken == 1, worker.closeIdleConnection() { continue }
                    guard reject() else { return pause() }
                case ENOBUFS, ENOMEM:
                    ServerCounters.add(1, to: worker.counters.acceptFailures)
                    return pause()
                default:
                    // The client or its network has gone: accept(2) returns errors already pending on the new socket.
                    // The next connection may be fine.
                    taken += 1
                }
            }
        }
    }

    /// Whether the process at the other end is this process's user or root. The socket's mode says the same, but somebody could
    /// change it.
    private static func isOwner(_ descriptor: Int32) -> Bool {
        LocalConnection.user(of: descriptor).map { $0 == 0 || $0 == geteuid() } ?? false
    }

    /// - Parameter address: not set by accept(2), so meaningless, for a Unix-domain socket.
    private func peer(at address: IPAddress) -> Peer {
        let isUnixSocket = isUnixSocket
        return Peer(
            address: isUnixSocket ? IPAddress(high: 0, low: 0) : address, role: listener.role,
            isSecure: listener.transport != nil, isUnixSocket: isUnixSocket,
            isTrustedProxy: listener.role != .owner
                && (isUnixSocket
                    ? worker.trustedProxies.includesUnixSockets : worker.trustedProxies.contains(address))
        )
    }

    /// Accepts one client with the reserve descriptor, rejects it, and reopens the reserve. False if there is no
    /// reserve.
    private func reject() -> Bool {
        guard regainReserve() else { return false }
        // Counted before the descriptor is free, so that no other loop uses it for a connection.
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
        // A client that expects a handshake can't read a plain-text response.
        if listener.transport == nil { RejectedConnection.answerAndClose(descriptor, .descriptors, on: worker) }
    }

    private func regainReserve() -> Bool {
        if reserve >= 0 { return true }
        reserve = Self.openReserve()
        if reserve >= 0 { worker.reserves.regained() }
        return reserve >= 0
    }

    /// The socket stays readable while clients wait: without a pause the loop would spin on failing accepts.
    private func pause() {
        worker.loop.setInterest(.none, of: registration)
        worker.loop.setDeadline(worker.loop.now.advanced(by: Self.backOff), of: registration)
    }

    private static func openReserve() -> Int32 {
        // unsafe because open reads a C string, which the literal is.
        unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
}

/// The number of a server's acceptors that lack their reserve descriptor.
///
/// While any acceptor lacks its reserve, the others reject new clients too: the next free descriptor must become a
/// reserve again. Otherwise a loop that accepts at that moment would use it for a connection, and the other loop's
/// clients would wait without a response.
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
