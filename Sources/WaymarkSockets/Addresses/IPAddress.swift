#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An IPv4 or IPv6 address as a plain value.
///
/// IPv4 is stored in its IPv4-mapped form (`::ffff:a.b.c.d`, RFC 4291 section 2.5.5.2), so an IPv4 client has the
/// same value on an IPv4 and on a dual-stack socket.
package struct IPAddress: Sendable, Hashable {
    /// The first 64 bits; for IPv6, usually the network of one subscriber.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An IPv4 address from its 32 bits, most significant first.
    package init(ipv4 bits: UInt32) {
        self.init(high: 0, low: 0xffff_0000_0000 | UInt64(bits))
    }

    /// Parses `192.0.2.1` or `2001:db8::1` (no brackets, no zone).
    package init?(_ text: some StringProtocol) {
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        // A NUL would end the C string early and let "::1\0junk" pass.
        guard !text.utf8.contains(0), text.utf8.count <= 45 else { return nil }
        let text = String(text)
        // unsafe because inet_pton writes an address of the given family; each family has a variable of matching
        // size.
        if unsafe inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4: UInt32(bigEndian: ipv4.s_addr))
        } else if unsafe inet_pton(AF_INET6, text, &ipv6) == 1 {
            self.init(ipv6)
        } else {
            return nil
        }
    }

    init(_ address: in6_addr) {
        // unsafe because it reads the bytes of a C union, whose size is 16 bytes.
        let halves = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { isIPv4 ? (low >> 24) & 0xff == 127 : high == 0 && low == 1 }

    /// The low 32 bits: the address, if `isIPv4`.
    package var ipv4: UInt32 { UInt32(truncatingIfNeeded: low) }

    var ipv6: in6_addr {
        var address = in6_addr()
        // unsafe because it writes the bytes of a C union, whose size is 16 bytes.
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }

    /// Formatted by hand, because every line of the access log contains one.
    private static func dotted(_ address: UInt32) -> String {
        // unsafe because the text is written in place: at most fifteen bytes, a small string without an allocation.
        unsafe String(unsafeUninitializedCapacity: 15) { bytes in
            var count = 0
            for shift: UInt32 in [24, 16, 8, 0] {
                let number = UInt8(truncatingIfNeeded: address >> shift)
                if shift < 24 {
                    unsafe bytes[count] = UInt8(ascii: ".")
                    count += 1
                }
                for (divisor, least): (UInt8, UInt8) in [(100, 100), (10, 10), (1, 0)] where number >= least {
                    unsafe bytes[count] = UInt8(ascii: "0") + number / divisor % 10
                    count += 1
                }
            }
            return count
        }
    }

    /// `192.0.2.1`, or IPv6 as RFC 5952 writes it.
    package var text: String {
        if isIPv4 {
            return Self.dotted(ipv4)
        }
        var address = ipv6
        var text = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // unsafe because inet_ntop writes into the buffer, whose size is passed.
        unsafe text.withUnsafeMutableBytes { buffer in
            _ = unsafe inet_ntop(
                AF_INET6, &address, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                socklen_t(buffer.count))
        }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
}
