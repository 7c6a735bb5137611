import Foundation
package import WaymarkBytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The addresses of a host's name, as resolved on this machine. The call blocks.
package enum ResolvedHost {
    /// In the order to try them; empty if the name has none.
    ///
    /// Safety: `getaddrinfo` fills the list, and `freeaddrinfo` frees it after the last entry was read. The family of
    /// an entry determines the type of address structure its pointer refers to (POSIX, `getaddrinfo`).
    package static func addresses(_ host: String) -> [IPAddress] {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            unsafe next = unsafe entry.ai_next
            guard let address = unsafe entry.ai_addr, let found = unsafe Self.address(address, entry.ai_family),
                !addresses.contains(found)
            else { continue }
            addresses.append(found)
        }
        return addresses
    }

    private static func address(_ address: UnsafeMutablePointer<sockaddr>, _ family: Int32) -> IPAddress? {
        // unsafe because the structure is read through a pointer, as the type that its family says.
        switch family {
        case AF_INET:
            return IPAddress(
                ipv4: unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
                })
        case AF_INET6:
            let bytes = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { unsafe Array($0) }
            }
            func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            return IPAddress(high: half(bytes[..<8]), low: half(bytes[8...]))
        default: return nil
        }
    }
}

extension IPAddress {
    /// As the host of a URL.
    var urlText: String { isIPv4 ? text : "[\(text)]" }
}
