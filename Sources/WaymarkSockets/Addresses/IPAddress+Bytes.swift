#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension IPAddress {
    /// Parses `192.0.2.1` or `2001:db8::1` from received bytes (no brackets, no zone); does not allocate.
    package init?(_ bytes: Span<UInt8>) {
        guard (2...45).contains(bytes.count) else { return nil }
        // unsafe because inet_pton reads a C string: the bytes are copied into memory that is lent for the call, one
        // byte longer for the terminator. A NUL within them would end the string early, so it is rejected.
        let parsed: IPAddress? = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 46) { text in
            for position in bytes.indices {
                guard bytes[position] != 0 else { return nil }
                unsafe text[position] = CChar(bitPattern: bytes[position])
            }
            unsafe text[bytes.count] = 0
            guard let start = text.baseAddress else { return nil }
            var ipv4 = in_addr()
            var ipv6 = in6_addr()
            if unsafe inet_pton(AF_INET, start, &ipv4) == 1 {
                return IPAddress(ipv4: UInt32(bigEndian: ipv4.s_addr))
            }
            return unsafe inet_pton(AF_INET6, start, &ipv6) == 1 ? IPAddress(ipv6) : nil
        }
        guard let parsed else { return nil }
        self = parsed
    }
}
