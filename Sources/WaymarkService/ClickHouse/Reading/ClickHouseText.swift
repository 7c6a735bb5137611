/// Texts in ClickHouse's statements, and texts in its answers.
enum ClickHouseText {
    /// A text as a statement names it, in quotes. Every byte but letters, digits and a few that mean nothing there is written as its
    /// number, so no text ends the literal.
    static func literal(_ bytes: some Sequence<UInt8>) -> String {
        var literal = "'"
        for byte in bytes {
            if isPlain(byte) {
                literal.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                literal += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return literal + "'"
    }

    static func literal(_ text: String) -> String { literal(text.utf8) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A field of `TabSeparated` without its escapes. Bytes that are no UTF-8 become U+FFFD.
    static func value(_ field: ArraySlice<UInt8>) -> String { String(decoding: bytes(field), as: UTF8.self) }

    /// A field of `TabSeparated` without its escapes.
    static func bytes(_ field: ArraySlice<UInt8>) -> [UInt8] {
        guard field.contains(UInt8(ascii: "\\")) else { return Array(field) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(field.count)
        var isEscaped = false
        for byte in field {
            if isEscaped {
                bytes.append(unescaped(byte))
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): 0
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }
}
