/// What a client would rather have: reads Accept (RFC 9110 section 12.5.1). Accept-Encoding is `CodingPreference`'s.
package enum AcceptHeader {
    /// How much the client wants a media type such as `application/json`: 0 to 1,000 thousandths.
    ///
    /// The most specific range that covers the type decides. Without an Accept field everything is wanted equally.
    /// - Parameter mediaType: in lower case, without parameters.
    package static func quality(of mediaType: StaticString, _ head: RequestHead, _ bytes: Span<UInt8>) -> Int {
        rank(of: mediaType, head, bytes).quality
    }

    /// Whether the client would rather have `preferred` than `other`.
    ///
    /// With equal qualities it does where it names `preferred` more exactly: `application/json, */*` prefers JSON to
    /// HTML, `*/*` alone does not.
    package static func prefers(
        _ preferred: StaticString, to other: StaticString, _ head: RequestHead, _ bytes: Span<UInt8>
    ) -> Bool {
        guard head.value(.accept) != nil else { return false }
        let first = rank(of: preferred, head, bytes)
        let second = rank(of: other, head, bytes)
        if first.quality == 0 { return false }
        if first.quality != second.quality { return first.quality > second.quality }
        return first.precision > second.precision
    }

    private static func rank(
        of mediaType: StaticString, _ head: RequestHead, _ bytes: Span<UInt8>
    ) -> (quality: Int, precision: Int) {
        guard head.value(.accept) != nil else { return (1_000, 0) }
        var quality = 0
        var precision = 0
        for position in 0..<head.fieldCount {
            let field = head.field(at: position)
            guard field.known == .accept else { continue }
            var list = QualityList(field.value)
            while let element = list.next(in: bytes) {
                // A range with parameters is about a variant that is not on offer here.
                let found = element.hasParameters ? 0 : Self.precision(of: element.value, for: mediaType, bytes)
                if found > precision || (found == precision && found > 0 && element.quality > quality) {
                    precision = found
                    quality = element.quality
                }
            }
        }
        return (quality, precision)
    }

    /// 3 for the type itself, 2 for `type/*`, 1 for `*/*`, 0 for another type.
    private static func precision(of range: ByteRange, for mediaType: StaticString, _ bytes: Span<UInt8>) -> Int {
        if WordScan.equalsIgnoringCase(bytes, range, mediaType) { return 3 }
        if WordScan.equalsIgnoringCase(bytes, range, "*/*") { return 1 }
        guard range.count >= 2, bytes[Int(range.end) - 1] == UInt8(ascii: "*"),
            bytes[Int(range.end) - 2] == UInt8(ascii: "/")
        else { return 0 }
        // unsafe because a StaticString gives its bytes only as a pointer; they are constants of the program.
        let type = unsafe UnsafeBufferPointer(start: mediaType.utf8Start, count: mediaType.utf8CodeUnitCount)
        let prefix = range.count - 1
        guard prefix <= type.count else { return 0 }
        for offset in 0..<prefix where unsafe bytes[Int(range.start) + offset].lowercasedASCII != type[offset] {
            return 0
        }
        return 2
    }
}
