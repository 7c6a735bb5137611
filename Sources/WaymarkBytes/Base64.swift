/// Bytes as text, a third longer than they are (RFC 4648).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// In the alphabet of section 4, padded.
    package static func text(_ bytes: [UInt8]) -> String {
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

    /// In the alphabet of section 5 (base64url), without padding.
    package static func urlText(_ bytes: [UInt8]) -> String {
        let text = text(bytes).utf8.compactMap { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case padding: nil
            default: digit
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil where the text is anything that `text` does not return.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8
        let padded = digits.reversed().prefix { $0 == padding }.count
        guard digits.count % 4 == 0, padded <= 2, !digits.contains(where: "-_".utf8.contains),
            let (bytes, rest) = decode(digits.dropLast(padded)), rest == 0
        else { return nil }
        return bytes
    }

    /// Reads what people copy from somewhere: in the alphabet of section 4 or 5, with or without padding, whatever the last
    /// digit says beyond the last byte.
    package static func bytes(lenient text: String) -> [UInt8]? {
        let padded = text.utf8.reversed().prefix { $0 == padding }.count
        return decode(text.utf8.dropLast(padded))?.bytes
    }

    /// The bytes, and the bits of the last digit beyond the last byte, which must be zero in strict text (section 3.5).
    private static func decode(_ digits: some Collection<UInt8>) -> (bytes: [UInt8], rest: UInt32)? {
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var (word, bits): (UInt32, UInt32) = (0, 0)
        for digit in digits {
            guard let value = value(digit) else { return nil }
            word = word << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            }
        }
        return (bytes, word & (1 << bits - 1))
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 0x41...0x5A: UInt32(digit) - 0x41
        case 0x61...0x7A: UInt32(digit) - 0x61 + 26
        case 0x30...0x39: UInt32(digit) - 0x30 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
