/// Percent-encoding of single parts of a URL (RFC 3986, section 2.1). Everything except unreserved characters is
/// encoded, so that a part can never end its component: a space is `%20`, a plus is `%2B`, a slash is `%2F`.
enum PercentEncoding {
    /// Encodes one path segment, query name or query value.
    static func append(part: String.UTF8View, to bytes: inout [UInt8]) {
        // One allocation for the maximum size: an app's link encoded in a referrer, in a store's URL, in an intent is
        // most of the cost of such a redirect.
        bytes.append(addingCapacity: part.count * 3) { output in
            let part = part.span
            for position in part.indices {
                let byte = part[position]
                if byte.isUnreserved {
                    output.append(byte)
                } else {
                    output.append(UInt8(ascii: "%"))
                    output.append(hexDigit(byte >> 4))
                    output.append(hexDigit(byte & 0x0F))
                }
            }
        }
    }

    static func append(byte: UInt8, to bytes: inout [UInt8]) {
        if byte.isUnreserved { bytes.append(byte) } else { append(escaped: byte, to: &bytes) }
    }

    static func encode(part: String) -> String {
        var bytes: [UInt8] = []
        append(part: part.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexDigit(byte >> 4))
        bytes.append(hexDigit(byte & 0x0F))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

    /// Decodes escapes; an invalid percent sign is unchanged. `plusIsSpace` also decodes `+`, as in forms.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            if byte == UInt8(ascii: "%"), index < bytes.endIndex, let high = bytes[index].hexValue {
                let next = bytes.index(after: index)
                if next < bytes.endIndex, let low = bytes[next].hexValue {
                    decoded.append(high << 4 | low)
                    index = bytes.index(after: next)
                    continue
                }
            }
            decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
        return decoded
    }

    /// The decoded text; bytes that are not UTF-8 become U+FFFD.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: decode(bytes, plusIsSpace: true), as: UTF8.self)
    }
}
