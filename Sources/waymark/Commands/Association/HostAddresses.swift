import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The addresses of a host's name, as resolved on this machine.
///
/// Safety: `getaddrinfo` fills the list, and `freeaddrinfo` frees it after the last entry was read. The family of an
/// entry determines the type of address structure its pointer refers to (POSIX, `getaddrinfo`); no pointer leaves
/// these functions.
enum HostAddresses {
    /// Whether the host's name has any address.
    static func exist(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &list) == 0 else { return false }
        unsafe freeaddrinfo(list)
        return true
    }

    /// Whether one of the host's addresses is not reachable by Apple's or Google's servers (RFC 6890); false for a
    /// name without addresses.
    static func arePrivate(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &list) == 0 else { return false }
        defer { unsafe freeaddrinfo(list) }
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            if let address = unsafe entry.ai_addr, unsafe isPrivate(address, family: entry.ai_family) { return true }
            unsafe next = unsafe entry.ai_next
        }
        return false
    }

    private static func isPrivate(_ address: UnsafeMutablePointer<sockaddr>, family: Int32) -> Bool {
        switch family {
        case AF_INET:
            let number = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            return isPrivate(number)
        case AF_INET6:
            let bytes = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { unsafe Array($0) }
            }
            let isLocal = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
            return isLocal || bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
        default:
            return false
        }
    }

    private static func isPrivate(_ address: UInt32) -> Bool {
        let blocks: [(UInt32, Int)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
        ]
        return blocks.contains { start, bits in address >> UInt32(32 - bits) == start >> UInt32(32 - bits) }
    }
}
