/// Reads Content-Type (RFC 9110 section 8.3).
package enum ContentType {
    /// Whether a value names this media type, whatever its parameters and case.
    ///
    /// - Parameter mediaType: in lower case, without parameters, such as `application/json`.
    package static func matches(_ mediaType: StaticString, _ bytes: Span<UInt8>, _ value: ByteRange) -> Bool {
        var end = Int(value.start)
        while end < Int(value.end), bytes[end] != UInt8(ascii: ";") { end += 1 }
        return WordScan.equalsIgnoringCase(bytes, ByteRange(Int(value.start), end).trimmed(in: bytes), mediaType)
    }
}
