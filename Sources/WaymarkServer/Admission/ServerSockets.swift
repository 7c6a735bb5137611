import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// All sockets of a starting server, before the loops take theirs.
struct ServerSockets: ~Copyable {
    /// One socket in transfer to a loop; the holder owns its descriptor.
    struct Share: Sendable {
        let number: Int32
        let listener: ServerConfiguration.Listener
        let isUnixSocket: Bool
    }

    private(set) var bound: [Server.BoundListener] = []
    /// Why optional listeners are missing.
    private(set) var unbound: [BindError] = []
    private(set) var files: [SocketFile] = []
    private var inherited: InheritedSockets
    private var shares: [[Share]]

    /// Binds every address of every listener for every thread, or none.
    init(_ configuration: ServerConfiguration) throws(ServerError) {
        shares = [[Share]](repeating: [], count: configuration.threads)
        inherited = configuration.inheritedSockets
        // Inherited sockets requested by name first: requests without a name get the remaining ones.
        let listeners = configuration.listeners
        for listener in listeners.filter({ $0.endpoint != .systemd(name: nil) })
            + listeners.filter({ $0.endpoint == .systemd(name: nil) })
        {
            do throws(BindError) {
                try bind(listener)
            } catch {
                guard listener.isOptional else { throw .bind(error) }
                unbound.append(error)
            }
        }
    }

    deinit {
        for share in shares.joined() { _ = FileDescriptor(owning: share.number) }
        for file in files { file.remove() }
    }

    /// The files of Unix-domain sockets, to be removed when the server stops.
    mutating func takeFiles() -> [SocketFile] {
        defer { files = [] }
        return files
    }

    /// Transfers the sockets of one loop to the caller.
    mutating func takeShare() -> [Share] {
        shares.popLast() ?? []
    }

    private mutating func bind(_ listener: ServerConfiguration.Listener) throws(BindError) {
        switch listener.endpoint {
        case .network(let address): try bind(address, listener)
        case .unix(let path, let mode):
            let socket = try LocalListeningSocket(path: path, mode: mode)
            files.append(socket.file)
            add(try socket.shares(shares.count), at: .unix(path: path), listener)
        case .systemd(let name):
            for taken in try inherited.take(named: name, shares: shares.count) {
                add(taken.shares, at: taken.endpoint, listener)
            }
        }
    }

    /// Gives each loop its descriptor of one socket that all of them accept from.
    private mutating func add(
        _ numbers: [Int32], at endpoint: InheritedSockets.Endpoint, _ listener: ServerConfiguration.Listener
    ) {
        let isUnixSocket = if case .unix = endpoint { true } else { false }
        for (loop, number) in numbers.enumerated() {
            shares[loop].append(Share(number: number, listener: listener, isUnixSocket: isUnixSocket))
        }
        bound.append(Server.BoundListener(endpoint, role: listener.role, isSecure: listener.transport != nil))
    }

    private mutating func bind(
        _ hostAndPort: HostAndPort, _ listener: ServerConfiguration.Listener
    ) throws(BindError) {
        let addresses = try hostAndPort.resolve()
        var refusal: BindError?
        var isBound = false
        for address in addresses {
            do throws(BindError) {
                try bind(address, listener)
                isBound = true
            } catch .failed(let address, let error) where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.code) {
                // On machines with IPv6 switched off, a name often still has an IPv6 address.
                refusal = .failed(address, error)
                continue
            }
            // With port 0 each address would get a different port, so the name would have no single one.
            if address.port == 0 { break }
        }
        if let refusal, !isBound { throw refusal }
    }

    private mutating func bind(_ address: SocketAddress, _ listener: ServerConfiguration.Listener) throws(BindError) {
        var sockets = try ListeningSockets(on: address, count: shares.count)
        for loop in shares.indices {
            guard let descriptor = sockets.take() else { break }
            shares[loop].append(Share(number: descriptor.release(), listener: listener, isUnixSocket: false))
        }
        bound.append(
            Server.BoundListener(
                .network(sockets.address), role: listener.role, isSecure: listener.transport != nil))
    }
}

extension Worker {
    /// Starts accepting on this loop's sockets, and takes ownership of them.
    func listen(_ shares: [ServerSockets.Share]) -> Result<Worker, SystemError> {
        var failure: SystemError?
        for share in shares {
            // Owned from here on, so that it is also closed after a failure.
            let descriptor = FileDescriptor(owning: share.number)
            guard failure == nil else { continue }
            do throws(SystemError) {
                try listen(descriptor, listener: share.listener, isUnixSocket: share.isUnixSocket)
            } catch {
                failure = error
            }
        }
        return failure.map { .failure($0) } ?? .success(self)
    }
}

/// The purpose of a listening address. The handler reads it from `Peer.role` and decides what to serve there.
package enum ListenerRole: String, Sendable, CaseIterable {
    /// Open to everybody.
    case `public`
    /// For operators only.
    case admin
    /// Plain HTTP that redirects to HTTPS.
    case redirect
    /// A Unix-domain socket for processes of this process's user and of root, which may do what an operator may: they could
    /// open the database itself.
    case owner

    package var isForOperators: Bool { self == .admin || self == .owner }
}
