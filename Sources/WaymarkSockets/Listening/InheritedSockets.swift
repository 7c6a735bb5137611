#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The sockets that systemd opened before it started this process (sd_listen_fds(3)): `LISTEN_FDS` descriptors from 3
/// on, for the process `LISTEN_PID`, with names in `LISTEN_FDNAMES`.
package struct InheritedSockets: Sendable {
    private struct Socket: Sendable {
        var number: Int32
        var name: String
    }

    private static let first: Int32 = 3
    /// More than anyone uses, and few enough that a wrong number does no harm.
    private static let most = 1_024

    private var sockets: [Socket] = []

    package init(environment: [String: String], process: Int32 = getpid()) {
        // Variables meant for another process, such as this one's parent, are ignored.
        guard environment["LISTEN_PID"] == "\(process)", let text = environment["LISTEN_FDS"], let count = Int(text),
            (1...Self.most).contains(count)
        else { return }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        for endpoint in 0..<count {
            let name = endpoint < names.count && !names[endpoint].isEmpty ? String(names[endpoint]) : "unknown"
            sockets.append(Socket(number: Self.first + Int32(endpoint), name: name))
        }
    }

    /// The address that a socket is bound to.
    package enum Endpoint: Sendable, Equatable {
        case network(SocketAddress)
        case unix(path: String)
    }

    package struct Taken: Sendable {
        package let endpoint: Endpoint
        /// One descriptor for each event loop; the caller owns them.
        package let shares: [Int32]
    }

    /// Takes the sockets with a name, or all remaining ones; each can be taken once.
    ///
    /// - Throws: if there is none, or one is not a listening stream socket.
    package mutating func take(named name: String?, shares count: Int) throws(BindError) -> [Taken] {
        let endpoint = "\(ListeningEndpoint.systemd(name: name))"
        let chosen = sockets.filter { name == nil || $0.name == name }
        guard !chosen.isEmpty else { throw .notInherited(endpoint) }
        sockets.removeAll { name == nil || $0.name == name }
        var taken: [Taken] = []
        do throws(BindError) {
            for socket in chosen {
                guard let bound = Self.endpoint(of: socket.number) else {
                    throw .failed(endpoint, SystemError(code: ENOTSOCK, operation: "descriptor \(socket.number)"))
                }
                _ = fcntl(socket.number, F_SETFL, fcntl(socket.number, F_GETFL) | O_NONBLOCK)
                _ = fcntl(socket.number, F_SETFD, FD_CLOEXEC)
                taken.append(
                    Taken(
                        endpoint: bound,
                        shares: try FileDescriptor(owning: socket.number).duplicates(count, name: endpoint)))
            }
        } catch {
            for number in taken.flatMap(\.shares) { _ = SystemCall.close(number) }
            throw error
        }
        return taken
    }

    /// Nil if it is not a listening stream socket of a supported family.
    private static func endpoint(of descriptor: Int32) -> Endpoint? {
        guard fcntl(descriptor, F_GETFD) >= 0 else { return nil }
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        guard SystemCall.option(descriptor, level: SOL_SOCKET, name: SO_TYPE) == stream else { return nil }
        #if os(Linux)
            guard SystemCall.option(descriptor, level: SOL_SOCKET, name: SO_ACCEPTCONN) == 1 else { return nil }
        #endif
        if let address = SocketAddress.local(of: descriptor) { return .network(address) }
        return LocalAddress.path(of: descriptor).map { .unix(path: $0) }
    }
}
