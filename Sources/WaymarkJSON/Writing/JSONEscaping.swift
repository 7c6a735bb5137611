import WaymarkBytes

/// Strings as JSON writes them: in quotation marks, with the escapes of RFC 8259, section 7.
enum JSONEscaping {
    static func append(quoted text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // Safe because the raw buffer is read only within the closure; it avoids a call for every byte.
        let isPlain = unsafe text.utf8.withContiguousStorageIfAvailable { plain in
            guard unsafe !plain.contains(where: isSuspicious) else { return false }
            unsafe bytes.append(contentsOf: plain)
            return true
        }
        if isPlain != true {
            for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether the byte may be part of a character that needs an escape. 0xE2 starts U+2028 and U+2029.
    static func isSuspicious(_ byte: UInt8) -> Bool {
        // A bit map of the first 64 characters, because this runs for every byte of every text.
        guard byte >= 64 else { return controls &>> UInt64(byte) & 1 != 0 }
        return byte == UInt8(ascii: "\\") || byte == 0xE2
    }

    /// The control characters, and the quotation mark.
    private static let controls: UInt64 = 0xFFFF_FFFF | 1 << 0x22

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#.utf8)
        case "\\": bytes.append(contentsOf: #"\\"#.utf8)
        case "\n": bytes.append(contentsOf: #"\n"#.utf8)
        case "\r": bytes.append(contentsOf: #"\r"#.utf8)
        case "\t": bytes.append(contentsOf: #"\t"#.utf8)
        case "\u{08}": bytes.append(contentsOf: #"\b"#.utf8)
        case "\u{0C}": bytes.append(contentsOf: #"\f"#.utf8)
        // The last two end a line in JavaScript before 2019, and JSON is often pasted into scripts.
        case "\u{00}"..."\u{1F}", "\u{2028}", "\u{2029}": appendUnit(scalar.value, to: &bytes)
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// `\u` and four hex digits, for a scalar of the basic multilingual plane.
    private static func appendUnit(_ value: UInt32, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"\u"#.utf8)
        for shift: UInt32 in [12, 8, 4, 0] {
            bytes.append(Hexadecimal.digit(UInt8(truncatingIfNeeded: value >> shift & 0xF)))
        }
    }
}
