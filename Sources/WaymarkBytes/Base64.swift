/// Bytes as text, a third longer than they are (RFC 4648).
package enum Base64 {
    private static let padding = UInt8(ascii: "=")

    /// In the alphabet of section 4, padded.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, Writer((UInt8(ascii: "+"), UInt8(ascii: "/"))), to: &text)
        text.append(contentsOf: repeatElement(padding, count: (3 - bytes.count % 3) % 3))
        return String(decoding: text, as: UTF8.self)
    }

    /// In the alphabet of section 5 (base64url), without padding.
    package static func urlText(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, .url, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Without padding.
    private static func append(_ bytes: [UInt8], _ writer: Writer, to text: inout [UInt8]) {
        var writer = writer
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        writer.append(bytes.span, 0..<bytes.count, to: &text)
        writer.finish(&text)
    }

    /// Writes bytes that come in pieces, without padding.
    package struct Writer {
        /// The digits of 62 and 63. The others are computed: a table would be an object that all threads count references to.
        private let last: (UInt8, UInt8)
        private var word: UInt32 = 0
        private var bits: UInt32 = 0

        fileprivate init(_ last: (UInt8, UInt8)) { self.last = last }

        /// In the alphabet of section 5.
        package static var url: Writer { Writer((UInt8(ascii: "-"), UInt8(ascii: "_"))) }

        private func digit(_ value: UInt32) -> UInt8 {
            let value = UInt8(truncatingIfNeeded: value & 63)
            return switch value {
            case 0..<26: 0x41 &+ value
            case 26..<52: 0x61 &- 26 &+ value
            case 52..<62: value &- 52 &+ 0x30
            case 62: last.0
            default: last.1
            }
        }

        package mutating func append(_ byte: UInt8, to text: inout [UInt8]) {
            word = word << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(digit(word >> bits))
            }
        }

        package mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) {
            for index in range { append(bytes[index], to: &text) }
        }

        package mutating func finish(_ text: inout [UInt8]) {
            if bits > 0 { text.append(digit(word << (6 - bits))) }
            (word, bits) = (0, 0)
        }
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
