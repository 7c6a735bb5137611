import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// All sockets of a server while it starts, before the loops have taken theirs.
struct ServerSockets: ~Copyable {
    /// One socket on its way to a loop; its number is owned by whoever holds this.
    struct Share: Sendable {
        let number: Int32
        let listener: ServerConfiguration.Listener
    }

    private(set) var bound: [Server.BoundListener] = []
    private var shares: [[Share]]

    /// Binds every address of every listener for every thread, or nothing.
    init(_ configuration: ServerConfiguration) throws(ServerError) {
        shares = [[Share]](repeating: [], count: configuration.threads)
        for listener in configuration.listeners {
            do throws(BindError) {
                try bind(listener)
            } catch {
                throw .bind(error)
            }
        }
    }

    deinit {
        for share in shares.joined() { _ = FileDescriptor(owning: share.number) }
    }

    /// Hands over the sockets of one loop.
    mutating func takeShare() -> [Share] {
        shares.popLast() ?? []
    }

    private mutating func bind(_ listener: ServerConfiguration.Listener) throws(BindError) {
        let addresses = try listener.address.resolve()
        var refusal: BindError?
        var isBound = false
        for address in addresses {
            do throws(BindError) {
                try bind(address, listener)
                isBound = true
            } catch .failed(let address, let error) where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.code) {
                // A name often has an IPv6 address on machines that have IPv6 switched off.
                refusal = .failed(address, error)
                continue
            }
            // With port 0 each address would get another port, and nobody could say which one the name means.
            if address.port == 0 { break }
        }
        if let refusal, !isBound { throw refusal }
    }

    private mutating func bind(_ address: SocketAddress, _ listener: ServerConfiguration.Listener) throws(BindError) {
        var sockets = try ListeningSockets(on: address, count: shares.count)
        for loop in shares.indices {
            guard let descriptor = sockets.take() else { break }
            shares[loop].append(Share(number: descriptor.release(), listener: listener))
        }
        bound.append(
            Server.BoundListener(
                address: sockets.address, role: listener.role, isSecure: listener.transport != nil))
    }
}

extension Worker {
    /// Starts to accept on the sockets of this loop, which it takes over.
    func listen(_ shares: [ServerSockets.Share]) -> Result<Worker, SystemError> {
        var failure: SystemError?
        for share in shares {
            // Owned from here on, so that it is closed also after a failure.
            let descriptor = FileDescriptor(owning: share.number)
            guard failure == nil else { continue }
            do throws(SystemError) {
                try listen(descriptor, listener: share.listener)
            } catch {
                failure = error
            }
        }
        return failure.map { .failure($0) } ?? .success(self)
    }
}
