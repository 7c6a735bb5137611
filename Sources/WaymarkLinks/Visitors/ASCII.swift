/// ASCII character classes. Locale and Unicode tables must not affect what is a host, a scheme or a slug.
extension UInt8 {
    var isDigit: Bool { self &- 0x30 < 10 }
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    var isLowerLetter: Bool { self &- 0x61 < 26 }
    var isAlphanumeric: Bool { isDigit || isLetter }
    /// C0 and DEL.
    var isControl: Bool { self < 0x20 || self == 0x7F }
    /// RFC 3986, section 2.3.
    var isUnreserved: Bool {
        isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "~")
    }
    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    /// 0–15, or nil for anything but a hexadecimal digit.
    var hexValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let folded = (self | 0x20) &- 0x61
        return folded < 6 ? folded &+ 10 : nil
    }
    var isVariableStart: Bool { isLetter || self == UInt8(ascii: "_") }
    var isVariableCharacter: Bool { isAlphanumeric || self == UInt8(ascii: "_") }
}

extension StringProtocol {
    /// Lowercases ASCII letters only.
    var asciiLowercased: String { String(decoding: utf8.map(\.lowercased), as: UTF8.self) }

    /// C0, DEL or C1, which must not appear unescaped in a header, a log line or a page.
    var holdsControlCharacters: Bool {
        var previous: UInt8 = 0
        for byte in utf8 {
            // C1 is U+0080 to U+009F: 0xC2 followed by the code itself.
            if byte.isControl || (previous == 0xC2 && byte < 0xA0) { return true }
            previous = byte
        }
        return false
    }
}

extension Span<UInt8> {
    func holds(_ byte: UInt8) -> Bool {
        for index in indices where self[index] == byte { return true }
        return false
    }
}
