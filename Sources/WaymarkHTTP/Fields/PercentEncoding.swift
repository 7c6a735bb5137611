/// Percent-encoding of URLs (RFC 3986 section 2.1) and of form values.
///
/// Decoding happens once: the result of `%2F` or `%252F` is data and never decoded or split again.
package enum PercentEncoding {
    /// Decodes the bytes in `range`.
    ///
    /// - Parameter plusIsSpace: whether `+` means a space, as in a query component made by a form, never in a path.
    ///   Default: false.
    /// - Returns: nil if a percent sign is not followed by two hexadecimal digits. The bytes may be invalid UTF-8 and
    ///   contain any control character.
    package static func decode(_ bytes: Span<UInt8>, _ range: ByteRange, plusIsSpace: Bool = false) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var position = Int(range.start)
        let end = Int(range.end)
        while position < end {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "%"):
                guard position + 2 <= end, let high = bytes[position].hexadecimalValue,
                    let low = bytes[position + 1].hexadecimalValue
                else { return nil }
                decoded.append(high << 4 | low)
                position += 2
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(0x20)
            default: decoded.append(byte)
            }
        }
        return decoded
    }

    /// Decodes the bytes in `range` to text.
    ///
    /// - Returns: nil if the encoding is malformed or the decoded bytes are not UTF-8.
    package static func decodeText(_ bytes: Span<UInt8>, _ range: ByteRange, plusIsSpace: Bool = false) -> String? {
        guard let decoded = decode(bytes, range, plusIsSpace: plusIsSpace) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Encodes the UTF-8 bytes of `text` that are not in `allowed`, with upper-case digits.
    ///
    /// - Parameter allowed: characters that are not encoded. Default: the unreserved characters, which is correct for
    ///   a path segment or a query component in any context.
    package static func encode(_ text: String, allowed: ASCIISet = .unreserved) -> String {
        var encoded: [UInt8] = []
        append(text.utf8, allowed: allowed, to: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Appends `source` to `output`, encoding the bytes that are not in `allowed`.
    package static func append(
        _ source: some Sequence<UInt8>, allowed: ASCIISet = .unreserved, to output: inout [UInt8]
    ) {
        for byte in source {
            if allowed.contains(byte) {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(digit(byte >> 4))
                output.append(digit(byte & 15))
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}

extension ASCIISet {
    /// Characters that a path may contain unencoded (RFC 3986 section 3.3: `pchar` and `/`).
    package static let path = ASCIISet(union: .registeredName, "/:@")
    /// Characters that a query may contain unencoded (RFC 3986 section 3.4).
    package static let query = ASCIISet(union: .registeredName, "/:@?")
    /// Characters that a whole URL may contain, including percent signs: makes an almost valid URL fit for a Location
    /// field without encoding anything twice.
    package static let url = ASCIISet(union: .registeredName, "/:@?#[]%")

    private init(union set: ASCIISet, _ characters: String) {
        let other = ASCIISet(characters)
        self.init(low: set.low | other.low, high: set.high | other.high)
    }
}
