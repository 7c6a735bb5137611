import WaymarkBytes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sockets that listen on one address, one for each event loop: the kernel distributes connections among them.
///
/// They share the port through SO_REUSEPORT. That option would also let a second process of the same user join
/// silently and take half of the connections, so the first socket is bound and listening *without* it (the kernel
/// then reports an address already in use) and gets the option only afterwards. The check and the claim are one call,
/// so two processes that start at the same time can't both succeed.
package struct ListeningSockets: ~Copyable {
    /// The address, with the port that was actually bound.
    package let address: SocketAddress
    private var numbers: [Int32]

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - address: port 0 lets the kernel choose one port for all.
    ///   - count: number of sockets, at least one.
    ///   - backlog: length of each socket's accept queue.
    package init(on address: SocketAddress, count: Int, backlog: Int32 = 1_024) throws(BindError) {
        (numbers, self.address) = try Self.openAll(on: address, count: count, backlog: backlog)
    }

    deinit {
        for number in numbers { _ = SystemCall.close(number) }
    }

    /// Transfers one of the sockets to the caller; nil when all are taken.
    package mutating func take() -> FileDescriptor? {
        numbers.popLast().map { FileDescriptor(owning: $0) }
    }

    private static func openAll(
        on address: SocketAddress, count: Int, backlog: Int32
    ) throws(BindError) -> ([Int32], SocketAddress) {
        var numbers: [Int32] = []
        do throws(BindError) {
            let first = try open(on: address, shared: false, backlog: backlog)
            numbers.append(first)
            let taken = SocketAddress.local(of: first) ?? address
            if count > 1 {
                try share(first, address: taken)
                for _ in 1..<count {
                    numbers.append(try open(on: taken, shared: true, backlog: backlog))
                }
            }
            return (numbers, taken)
        } catch {
            for number in numbers { _ = SystemCall.close(number) }
            throw error
        }
    }

    private static func share(_ descriptor: Int32, address: SocketAddress) throws(BindError) {
        if SystemCall.setOption(descriptor, level: SOL_SOCKET, name: SO_REUSEPORT, value: 1) != 0 {
            throw .failed("\(address)", SystemError(operation: "setsockopt"))
        }
    }

    private static func open(on address: SocketAddress, shared: Bool, backlog: Int32) throws(BindError) -> Int32 {
        let descriptor: Int32
        switch SystemCall.streamSocket(family: address.family) {
        case .processed(let number): descriptor = Int32(truncatingIfNeeded: number)
        case .wouldBlock: throw .failed("\(address)", SystemError(code: EAGAIN, operation: "socket"))
        case .failed(let code): throw .failed("\(address)", SystemError(code: code, operation: "socket"))
        }
        do throws(BindError) {
            // A restart must not wait for old connections in TIME_WAIT.
            _ = SystemCall.setOption(descriptor, level: SOL_SOCKET, name: SO_REUSEADDR, value: 1)
            if !address.address.isIPv4 {
                // Allows listening on both 0.0.0.0 and ::, whatever the system's default.
                #if canImport(Glibc)
                    let level = Int32(IPPROTO_IPV6)
                #else
                    let level = IPPROTO_IPV6
                #endif
                _ = SystemCall.setOption(descriptor, level: level, name: IPV6_V6ONLY, value: 1)
            }
            if shared { try share(descriptor, address: address) }
            // unsafe because bind reads an address through a pointer that is lent for the call.
            if unsafe address.withKernelAddress({ unsafe bind(descriptor, $0, $1) }) != 0 {
                throw Self.error(address, operation: "bind")
            }
            // Another socket may have started to listen between bind and listen; then this call fails.
            if listen(descriptor, backlog) != 0 { throw Self.error(address, operation: "listen") }
            return descriptor
        } catch {
            _ = SystemCall.close(descriptor)
            throw error
        }
    }

    private static func error(_ address: SocketAddress, operation: String) -> BindError {
        let error = SystemError(operation: operation)
        return error.code == EADDRINUSE ? .addressInUse("\(address)") : .failed("\(address)", error)
    }
}

/// An address for a server to listen on.
package enum ListeningEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// `127.0.0.1:8080`.
    case network(HostAndPort)
    /// `unix:/run/waymark.sock`: a socket in the file system.
    ///
    /// - Parameter mode: the file's permissions; write permission allows connecting.
    case unix(path: String, mode: UInt16)
    /// `systemd` or `systemd:web`: sockets inherited from systemd; with a name, those of that name, without one, all
    /// that no other listener names.
    case systemd(name: String?)

    /// Owner and group may connect.
    package static let usualMode: UInt16 = 0o660
    /// Maximum bytes of a path (the kernel's limit with the terminating NUL is 108 on Linux, 104 on Darwin).
    package static let longestPath = 103

    package var description: String {
        switch self {
        case .network(let address): address.description
        case .unix(let path, let mode):
            mode == Self.usualMode ? "unix:\(path)" : "unix:\(path),mode=0\(String(mode, radix: 8))"
        case .systemd(let name): name.map { "systemd:\($0)" } ?? "systemd"
        }
    }
}

/// Why a listener can't use an address. The description is one line for the operator.
package enum BindError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name has no address.
    case unknownHost(String)
    /// The address is in use, possibly by another process of this program.
    case addressInUse(String)
    /// Any other error, such as for a privileged port or an address that this machine does not have.
    case failed(String, SystemError)
    /// The path of a Unix-domain socket is another kind of file, which is left alone.
    case notASocket(String)
    /// systemd passed no socket with that name, or none at all.
    case notInherited(String)

    package var description: String {
        switch self {
        case .unknownHost(let host): "cannot listen on \(host): no such host"
        case .addressInUse(let address): "cannot listen on \(address): the address is already in use"
        case .failed(let address, let error): "cannot listen on \(address): \(error.reason)"
        case .notASocket(let path): "cannot listen on unix:\(path): the file exists and is no socket"
        case .notInherited(let endpoint): "cannot listen on \(endpoint): systemd has passed no such socket"
        }
    }
}
