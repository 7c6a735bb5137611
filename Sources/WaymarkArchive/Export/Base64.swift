/// Bytes as text for JSON, a third longer (RFC 4648, section 4).
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word: UInt32 = 0
            for index in 0..<3 { word = word << 8 | (index < group.count ? UInt32(group[start + index]) : 0) }
            for index in 0..<4 {
                let digit = digits[Int(word >> UInt32(18 - 6 * index) & 63)]
                text.append(index <= group.count ? digit : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil if the text is not canonical base64 as written by `text`.
    static func bytes(_ text: String) -> [UInt8]? {
        let given = Array(text.utf8)
        guard given.count % 4 == 0 else { return nil }
        let padded = given.reversed().prefix { $0 == padding }.count
        guard padded <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(given.count / 4 * 3)
        var word: UInt32 = 0
        for (index, digit) in given.dropLast(padded).enumerated() {
            guard let value = value(digit) else { return nil }
            word = word << 6 | value
            if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(6 - 2 * (index % 4)))) }
        }
        // The unused bits of the last digit must be zero (section 3.5).
        let rest: UInt32 = padded == 1 ? 0x3 : padded == 2 ? 0xF : 0
        return word & rest == 0 ? bytes : nil
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 0x41...0x5A: UInt32(digit) - 0x41
        case 0x61...0x7A: UInt32(digit) - 0x61 + 26
        case 0x30...0x39: UInt32(digit) - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
