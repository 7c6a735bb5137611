/// A set of ASCII characters as two 64-bit maps, so that a look-up is a shift and a mask without touching memory.
@usableFromInline
package struct ASCIISet: Sendable, Equatable {
    /// Bit n stands for byte n.
    @usableFromInline package let low: UInt64
    /// Bit n stands for byte 64 + n.
    @usableFromInline package let high: UInt64

    @inlinable package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The set of the characters in `characters`.
    ///
    /// - Precondition: all of them are ASCII.
    package init(_ characters: String) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for byte in characters.utf8 {
            precondition(byte < 128, "a set of ASCII characters holds ASCII characters")
            if byte < 64 { low |= 1 &<< UInt64(byte) } else { high |= 1 &<< UInt64(byte &- 64) }
        }
        self.init(low: low, high: high)
    }

    @inlinable @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return (low &>> UInt64(byte)) & 1 != 0 }
        if byte < 128 { return (high &>> UInt64(byte &- 64)) & 1 != 0 }
        return false
    }

    /// `tchar` of RFC 9110 section 5.6.2: letters, digits and ``!#$%&'*+-.^_`|~``.
    @inlinable @inline(__always)
    package static var token: ASCIISet { ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }

    /// `unreserved` of RFC 3986 section 2.3: letters, digits and `-._~`.
    @inlinable @inline(__always)
    package static var unreserved: ASCIISet { ASCIISet(low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

    /// `unreserved` and `sub-delims` of RFC 3986: what a registered name in a host may hold beside percent-encoding.
    @inlinable @inline(__always)
    package static var registeredName: ASCIISet { ASCIISet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

    /// What a whole URL may hold unencoded, percent signs included: `registeredName` and `/:@?#[]%`.
    @inlinable @inline(__always)
    package static var url: ASCIISet { ASCIISet(low: 0xAFFF_FFFA_0000_0000, high: 0x47FF_FFFE_AFFF_FFFF) }
}
