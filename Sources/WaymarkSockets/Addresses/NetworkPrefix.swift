package import WaymarkBytes

/// A network as its prefix: `10.0.0.0/8`, `2001:db8::/32`, or one address.
package struct NetworkPrefix: Sendable, Hashable, CustomStringConvertible {
    /// The first address; the bits after the prefix are 0.
    package let address: IPAddress
    /// Length of the prefix, out of 128 bits; an IPv4 prefix starts at bit 96.
    package let length: Int

    /// Parses `ADDRESS/LENGTH` or a single address; nil for anything else, and for an address with bits set after the
    /// prefix: `10.1.2.3/8` is probably a mistake.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        self.address = address
        guard parts.count == 2 else {
            length = 128
            return
        }
        let digits = parts[1].utf8
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30, let given = Int(parts[1])
        else { return nil }
        // `::ffff:192.0.2.0/120` is written as IPv6, so its length is out of 128.
        let isWrittenAsIPv4 = !first.utf8.contains(UInt8(ascii: ":"))
        guard given <= (isWrittenAsIPv4 ? 32 : 128) else { return nil }
        length = isWrittenAsIPv4 ? given + 96 : given
        guard address.masked(to: length) == address else { return nil }
    }

    package func contains(_ other: IPAddress) -> Bool {
        // `::/0` does not contain IPv4 addresses, although their mapped form lies within it.
        guard address.isIPv4 == other.isIPv4 || length > 0 else { return false }
        return other.masked(to: length) == address
    }

    package var description: String {
        guard length < 128 else { return address.text }
        return "\(address.text)/\(address.isIPv4 ? length - 96 : length)"
    }
}

extension IPAddress {
    /// The address with all bits after the first `length` set to 0.
    ///
    /// - Precondition: `length` is within 0...128.
    func masked(to length: Int) -> IPAddress {
        precondition((0...128).contains(length), "an address has 128 bits")
        // A smart shift by 64 or more results in 0.
        return IPAddress(
            high: high & (length >= 64 ? .max : ~(UInt64.max >> UInt64(length))),
            low: low & (length <= 64 ? 0 : ~(UInt64.max >> UInt64(length - 64))))
    }
}
