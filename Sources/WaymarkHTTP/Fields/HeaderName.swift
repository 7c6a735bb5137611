import WaymarkBytes

/// A field name: a token (RFC 9110 section 5.1), compared without regard to case.
package struct HeaderName: Sendable, Hashable {
    /// The name as sent.
    package let text: String
    /// Whether only the server may set this field, because it controls framing or the connection.
    package let isReserved: Bool

    /// Nil if `text` is not a token.
    package init?(_ text: String) {
        if text.isEmpty || !text.utf8.allSatisfy({ ASCIISet.token.contains($0) }) { return nil }
        self.text = text
        isReserved = Self.reserved.contains { Self.isSame($0.text, text) }
    }

    private init(known text: String, isReserved: Bool = false) {
        self.text = text
        self.isReserved = isReserved
    }

    package static func == (left: HeaderName, right: HeaderName) -> Bool {
        isSame(left.text, right.text)
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte.lowercasedASCII) }
    }

    /// Whether `range` contains this name, ignoring case.
    package func matches(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        guard text.utf8.count == range.count else { return false }
        var position = Int(range.start)
        for byte in text.utf8 {
            if byte.lowercasedASCII != bytes[position].lowercasedASCII { return false }
            position += 1
        }
        return true
    }

    private static let reserved: [HeaderName] = [
        .connection, .contentLength, .date, .transferEncoding,
        HeaderName(known: "Keep-Alive", isReserved: true), HeaderName(known: "Trailer", isReserved: true),
        HeaderName(known: "Upgrade", isReserved: true),
    ]
}

extension HeaderName {
    package static let acceptEncoding = HeaderName(known: "Accept-Encoding")
    package static let acceptRanges = HeaderName(known: "Accept-Ranges")
    package static let accessControlAllowHeaders = HeaderName(known: "Access-Control-Allow-Headers")
    package static let accessControlAllowMethods = HeaderName(known: "Access-Control-Allow-Methods")
    package static let accessControlAllowOrigin = HeaderName(known: "Access-Control-Allow-Origin")
    package static let accessControlExposeHeaders = HeaderName(known: "Access-Control-Expose-Headers")
    package static let accessControlMaxAge = HeaderName(known: "Access-Control-Max-Age")
    package static let allow = HeaderName(known: "Allow")
    package static let cacheControl = HeaderName(known: "Cache-Control")
    package static let connection = HeaderName(known: "Connection", isReserved: true)
    package static let contentEncoding = HeaderName(known: "Content-Encoding")
    package static let contentLanguage = HeaderName(known: "Content-Language")
    package static let contentLength = HeaderName(known: "Content-Length", isReserved: true)
    package static let contentRange = HeaderName(known: "Content-Range")
    package static let contentSecurityPolicy = HeaderName(known: "Content-Security-Policy")
    package static let contentType = HeaderName(known: "Content-Type")
    package static let date = HeaderName(known: "Date", isReserved: true)
    package static let eTag = HeaderName(known: "ETag")
    package static let idempotentReplayed = HeaderName(known: "Idempotent-Replayed")
    package static let lastModified = HeaderName(known: "Last-Modified")
    package static let link = HeaderName(known: "Link")
    package static let location = HeaderName(known: "Location")
    package static let referrerPolicy = HeaderName(known: "Referrer-Policy")
    package static let retryAfter = HeaderName(known: "Retry-After")
    package static let setCookie = HeaderName(known: "Set-Cookie")
    package static let strictTransportSecurity = HeaderName(known: "Strict-Transport-Security")
    package static let transferEncoding = HeaderName(known: "Transfer-Encoding", isReserved: true)
    package static let vary = HeaderName(known: "Vary")
    package static let wwwAuthenticate = HeaderName(known: "WWW-Authenticate")
    package static let xAccelBuffering = HeaderName(known: "X-Accel-Buffering")
    package static let xContentTypeOptions = HeaderName(known: "X-Content-Type-Options")
    package static let xRobotsTag = HeaderName(known: "X-Robots-Tag")
}

extension UInt8 {
    @inline(__always)
    package var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
