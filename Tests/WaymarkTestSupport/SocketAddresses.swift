#if canImport(Glibc)
    package import Glibc
#else
    package import Darwin
#endif

/// Calls of the socket API with addresses of this machine.
package enum SocketAddresses {
    #if canImport(Glibc)
        package static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        package static let datagram = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
        package static let stream = SOCK_STREAM
        package static let datagram = SOCK_DGRAM
    #endif

    /// - Parameter host: 127.0.0.1 unless given, in host byte order.
    package static func withLoopback<Result>(
        port: UInt16, host: UInt32 = 0x7F00_0001, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return lend(&address, body)
    }

    /// - Parameter path: at most 107 bytes.
    package static func withPath<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return lend(&address, body)
    }

    /// The port that a socket is bound to.
    package static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func lend<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

/// The `errno` of a socket call.
package struct SocketFailure: Error, Equatable {
    package let code: Int32

    package init(code: Int32) { self.code = code }
}
