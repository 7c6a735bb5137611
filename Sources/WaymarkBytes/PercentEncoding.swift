/// Percent-encoding of URLs (RFC 3986 section 2.1) and of form values.
///
/// Decoding happens once: what a decoded `%2F` or `%252F` leaves is data and never decoded or split again.
@usableFromInline
package enum PercentEncoding {
    /// What becomes of a percent sign without two hexadecimal digits behind it.
    @usableFromInline
    package enum MalformedEscape: Sendable {
        /// Nothing is decoded.
        case rejected
        /// It stays as it is; everything else is decoded.
        case kept
    }

    /// Decodes bytes, which need not be UTF-8 and may become any control character.
    ///
    /// - Parameter plusIsSpace: whether `+` stands for a space, as it does in a query component made by a form, never
    ///   in a path. Default: false.
    /// - Returns: nil where an escape is malformed.
    @inlinable
    package static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var bytes = Array(bytes)
        return decode(&bytes, plusIsSpace: plusIsSpace, .rejected) ? bytes : nil
    }

    /// Decodes all escapes but malformed ones, which stay as they are.
    @inlinable
    package static func decodeLeniently(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var bytes = Array(bytes)
        _ = decode(&bytes, plusIsSpace: plusIsSpace, .kept)
        return bytes
    }

    /// Decodes in place, because what is decoded is never longer. False where an escape is rejected.
    @usableFromInline
    package static func decode(_ bytes: inout [UInt8], plusIsSpace: Bool, _ malformed: MalformedEscape) -> Bool {
        var (position, end) = (0, 0)
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "%") {
                if position + 1 < bytes.count, let high = bytes[position].hexadecimalValue,
                    let low = bytes[position + 1].hexadecimalValue
                {
                    byte = high << 4 | low
                    position += 2
                } else if malformed == .rejected {
                    return false
                }
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
            bytes[end] = byte
            end += 1
        }
        bytes.removeLast(bytes.count - end)
        return true
    }

    // MARK: - Text

    /// Nil where an escape is malformed or what is decoded is not UTF-8.
    @inlinable
    package static func decodeText(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        decode(bytes, plusIsSpace: plusIsSpace).flatMap { String(validUTF8: $0) }
    }

    /// All escapes but malformed ones decoded; what is not UTF-8 becomes U+FFFD.
    @inlinable
    package static func decodeTextLeniently(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String {
        String(decoding: decodeLeniently(bytes, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// As of bytes. A text without escapes is returned as it is.
    @inlinable
    package static func decodeText(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let bytes = text.utf8
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) }) else {
            return String(text)
        }
        return decodeText(bytes, plusIsSpace: plusIsSpace)
    }

    /// The text decoded as a whole or, where `decodeText` returns nil, with no escape decoded: nothing of it is guessed.
    @inlinable
    package static func decodeWholeText(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        if let decoded = decodeText(text, plusIsSpace: plusIsSpace) { return decoded }
        guard plusIsSpace else { return String(text) }
        return String(decoding: text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    // MARK: - Encoding

    /// Encodes the UTF-8 bytes of `text` that are not in `allowed`, with upper-case digits.
    ///
    /// - Parameter allowed: what stays as it is. Default: the unreserved characters, which is right for one path
    ///   segment or one query component whatever is around it.
    package static func encode(_ text: String, allowed: ASCIISet = .unreserved) -> String {
        guard !text.utf8.allSatisfy({ allowed.contains($0) }) else { return text }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count * 3)
        append(text.utf8, allowed: allowed, to: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Appends `source` to `output`, with the bytes that are not in `allowed` encoded.
    @inlinable
    package static func append(
        _ source: some Sequence<UInt8>, allowed: ASCIISet = .unreserved, to output: inout [UInt8]
    ) {
        for byte in source {
            if allowed.contains(byte) { output.append(byte) } else { append(escaped: byte, to: &output) }
        }
    }

    /// Appends `%` and two digits, whatever the byte is.
    @inlinable
    package static func append(escaped byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(Hexadecimal.capital(byte >> 4))
        output.append(Hexadecimal.capital(byte & 15))
    }
}
