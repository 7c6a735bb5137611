/// Strings as JSON writes them: in quotation marks, with the escapes of RFC 8259, section 7.
enum JSONEscaping {
    static func append(quoted text: String, escapesMarkup: Bool, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        // The raw buffer is harmless because it is read within the closure only; it spares a call for every byte.
        let isPlain = text.withUTF8 { plain in
            for byte in plain where isSuspicious(byte, escapesMarkup: escapesMarkup) { return false }
            bytes.append(contentsOf: plain)
            return true
        }
        if !isPlain {
            for scalar in text.unicodeScalars { append(scalar, escapesMarkup: escapesMarkup, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether the byte may belong to something that needs an escape. 0xE2 starts U+2028 and U+2029.
    private static func isSuspicious(_ byte: UInt8, escapesMarkup: Bool) -> Bool {
        switch byte {
        case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0xE2: true
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): escapesMarkup
        default: false
        }
    }

    private static func append(_ scalar: Unicode.Scalar, escapesMarkup: Bool, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#.utf8)
        case "\\": bytes.append(contentsOf: #"\\"#.utf8)
        case "\n": bytes.append(contentsOf: #"\n"#.utf8)
        case "\r": bytes.append(contentsOf: #"\r"#.utf8)
        case "\t": bytes.append(contentsOf: #"\t"#.utf8)
        case "\u{08}": bytes.append(contentsOf: #"\b"#.utf8)
        case "\u{0C}": bytes.append(contentsOf: #"\f"#.utf8)
        // The last two end a line in JavaScript before 2019, where JSON is pasted into scripts.
        case "\u{00}"..."\u{1F}", "\u{2028}", "\u{2029}": appendUnit(scalar.value, to: &bytes)
        case "<" where escapesMarkup, ">" where escapesMarkup, "&" where escapesMarkup:
            appendUnit(scalar.value, to: &bytes)
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// `\u` and four hex digits, for a scalar of the basic plane.
    private static func appendUnit(_ value: UInt32, to bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(contentsOf: #"\u"#.utf8)
        for shift: UInt32 in [12, 8, 4, 0] { bytes.append(digits[Int(value >> shift & 0xF)]) }
    }
}
