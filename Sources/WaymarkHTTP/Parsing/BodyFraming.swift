/// How the length of a request body is told (RFC 9112 section 6).
@usableFromInline
package enum BodyFraming: Sendable, Equatable {
    /// Neither Content-Length nor Transfer-Encoding: there is no body.
    case none
    /// Content-Length, in bytes; may be 0.
    case length(UInt64)
    /// Transfer-Encoding: chunked.
    case chunked
}

extension BodyFraming {
    /// The number that a Content-Length value holds: digits only, without sign, list or white space; at most 18 digits
    /// behind leading zeros, so that it can never overflow.
    static func contentLength(_ bytes: Span<UInt8>, _ range: ByteRange) -> UInt64? {
        if range.isEmpty { return nil }
        var value: UInt64 = 0
        for index in range.indices {
            let digit = bytes[index] &- 0x30
            guard digit < 10, value < 100_000_000_000_000_000 else { return nil }
            value = value &* 10 &+ UInt64(digit)
        }
        return value
    }

    /// What is wrong with a Transfer-Encoding value that is not exactly `chunked`.
    ///
    /// A list that ends with `chunked` names codings that are merely not known (501); everything else leaves the length
    /// of the body uncertain (400).
    static func transferEncodingRefusal(_ bytes: Span<UInt8>, _ range: ByteRange) -> ParseError {
        var elements = ListElements(range)
        var isLastChunked = false
        var isChunkedBefore = false
        var count = 0
        while let element = elements.next(in: bytes) {
            count += 1
            if isLastChunked { isChunkedBefore = true }
            isLastChunked = WordScan.equalsIgnoringCase(bytes, element, "chunked")
        }
        let isFramed = isLastChunked && !isChunkedBefore && count > 1
        return isFramed ? .unknownTransferEncoding : .malformedTransferEncoding
    }
}
