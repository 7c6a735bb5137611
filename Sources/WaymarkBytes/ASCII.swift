/// The character classes that most values are made of. Only ASCII counts: what a host, a scheme or a slug is doesn't
/// depend on locales or Unicode tables.
extension UInt8 {
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    @inlinable package var isLowerLetter: Bool { self &- 0x61 < 26 }
    @inlinable package var isCapital: Bool { self &- 0x41 < 26 }
    @inlinable package var isAlphanumeric: Bool { isDigit || isLetter }
    /// C0 and DEL.
    @inlinable package var isControl: Bool { self < 0x20 || self == 0x7F }
    /// RFC 3986 section 2.3.
    @inlinable package var isUnreserved: Bool {
        isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "~")
    }
    @inlinable package var lowercased: UInt8 { isCapital ? self | 0x20 : self }
    /// 0–15, or nil for anything but a hexadecimal digit.
    @inlinable @inline(__always)
    package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x41...0x46: self &- 0x37
        case 0x61...0x66: self &- 0x57
        default: nil
        }
    }
}

extension StringProtocol {
    /// ASCII letters only; other characters stay.
    @inlinable package var asciiLowercased: String {
        utf8.contains(where: \.isCapital) ? String(decoding: utf8.map(\.lowercased), as: UTF8.self) : String(self)
    }

    /// Whether there is a C0 control, DEL or a C1 control, which headers, log lines and pages must not contain.
    @inlinable package var holdsControlCharacters: Bool {
        var previous: UInt8 = 0
        for byte in utf8 {
            // C1 is U+0080 to U+009F: 0xC2 and the code itself.
            if byte.isControl || (previous == 0xC2 && byte < 0xA0) { return true }
            previous = byte
        }
        return false
    }
}
