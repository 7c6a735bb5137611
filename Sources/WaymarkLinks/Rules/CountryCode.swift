import WaymarkBytes

/// ISO 3166-1 alpha-2: two upper-case letters.
@usableFromInline
package struct CountryCode: RawRepresentable, Hashable, Sendable {
    /// The first letter in the high byte.
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The letters may be in any case; nil for anything else, and for `XX`, which means unknown.
    package init?(_ first: UInt8, _ second: UInt8) {
        guard first.isLetter, second.isLetter else { return nil }
        rawValue = UInt16(first & 0xDF) << 8 | UInt16(second & 0xDF)
        if rawValue == 0x5858 { return nil }
    }

    package var text: String {
        String(decoding: [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)], as: UTF8.self)
    }
}
