package import WaymarkBytes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An IP address and a port.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    package let address: IPAddress
    package let port: UInt16

    package init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads the kernel's format; nil for families other than IPv4 and IPv6.
    init?(_ storage: sockaddr_storage) {
        // unsafe because the storage is read as the address type that its family field indicates.
        switch Int32(storage.ss_family) {
        case AF_INET:
            let ipv4 = unsafe withUnsafeBytes(of: storage) { unsafe $0.loadUnaligned(as: sockaddr_in.self) }
            self.init(
                address: IPAddress(ipv4: UInt32(bigEndian: ipv4.sin_addr.s_addr)),
                port: UInt16(bigEndian: ipv4.sin_port))
        case AF_INET6:
            let ipv6 = unsafe withUnsafeBytes(of: storage) { unsafe $0.loadUnaligned(as: sockaddr_in6.self) }
            self.init(address: IPAddress(ipv6.sin6_addr), port: UInt16(bigEndian: ipv6.sin6_port))
        default:
            return nil
        }
    }

    var family: Int32 { address.isIPv4 ? AF_INET : AF_INET6 }

    /// Lends the address in the kernel's format.
    func withKernelAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        // unsafe because the kernel's functions take any address type through one pointer type, with its actual
        // length.
        if address.isIPv4 {
            var kernel = sockaddr_in()
            kernel.sin_family = sa_family_t(AF_INET)
            kernel.sin_port = port.bigEndian
            kernel.sin_addr.s_addr = address.ipv4.bigEndian
            return unsafe withUnsafePointer(to: &kernel) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var kernel = sockaddr_in6()
        kernel.sin6_family = sa_family_t(AF_INET6)
        kernel.sin6_port = port.bigEndian
        kernel.sin6_addr = address.ipv6
        return unsafe withUnsafePointer(to: &kernel) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }

    /// The address that a socket is bound to.
    static func local(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // unsafe because getsockname writes the address; sockaddr_storage is large enough for every family.
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return result == 0 ? SocketAddress(storage) : nil
    }

    /// `127.0.0.1:8080` or `[::1]:8080`.
    package var description: String {
        address.isIPv4 ? "\(address.text):\(port)" : "[\(address.text)]:\(port)"
    }
}

extension IPAddress {
    fileprivate init(_ address: in6_addr) {
        // unsafe because it reads the bytes of a C union; 16 bytes are all of it.
        let halves = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    }

    fileprivate var ipv6: in6_addr {
        var address = in6_addr()
        // unsafe because it writes the bytes of a C union; 16 bytes are all of it.
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }
}
