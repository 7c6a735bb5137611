/// Percent-encoding of a part of a URL (RFC 3986, section 2.1).
enum PercentText {
    /// Nil if a `%` is not followed by two hexadecimal digits, or if the result is not UTF-8.
    static func decoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "%")) else { return text }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "%") else {
                decoded.append(bytes[position])
                position += 1
                continue
            }
            guard position + 2 < bytes.count, let high = bytes[position + 1].hexadecimalValue,
                let low = bytes[position + 2].hexadecimalValue
            else { return nil }
            decoded.append(high << 4 | low)
            position += 3
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Encodes every byte that is not allowed in a URL, with capitals; an existing `%` is unchanged.
    static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: neverStandsInURL) else { return text }
        var encoded: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            if neverStandsInURL(byte) {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                encoded.append(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Bytes that RFC 3986 does not allow in a path, query or fragment, except brackets, which browsers don't encode.
    static func neverStandsInURL(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x20, 0x7F...0xFF: true
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }
}

extension UInt8 {
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - 0x61 + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - 0x41 + 10
        default: nil
        }
    }
}
