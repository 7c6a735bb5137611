/// Media type negotiation: parses Accept (RFC 9110 section 12.5.1). `CodingPreference` parses Accept-Encoding.
package enum AcceptHeader {
    /// The client's quality for a media type such as `application/json`: 0 to 1,000 thousandths.
    ///
    /// The most specific range that covers the type decides. Without an Accept field all types have equal quality.
    /// - Parameter mediaType: in lower case, without parameters.
    package static func quality(of mediaType: StaticString, _ head: RequestHead, _ bytes: Span<UInt8>) -> Int {
        rank(of: mediaType, head, bytes).quality
    }

    /// Whether the client prefers `preferred` to `other`.
    ///
    /// With equal qualities, the more specific range wins: `application/json, */*` prefers JSON to HTML, `*/*` alone
    /// does not.
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
                // A range with parameters refers to a variant that is not offered here.
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
        // unsafe because a StaticString exposes its bytes only as a pointer; they are constants of the program.
        let type = unsafe UnsafeBufferPointer(start: mediaType.utf8Start, count: mediaType.utf8CodeUnitCount)
        let prefix = range.count - 1
        guard prefix <= type.count else { return 0 }
        for offset in 0..<prefix where unsafe bytes[Int(range.start) + offset].lowercasedASCII != type[offset] {
            return 0
        }
        return 2
    }
}

/// Whether a client prefers gzip or the plain bytes (RFC 9110 section 12.5.3).
package struct CodingPreference: Sendable, Equatable {
    /// Thousandths; 0 if gzip is not acceptable.
    package let gzip: Int
    /// Thousandths; nil if unspecified, in which case the plain bytes are acceptable.
    package let identity: Int?

    package static let identityOnly = CodingPreference(gzip: 0, identity: nil)

    init(gzip: Int, identity: Int?) {
        self.gzip = gzip
        self.identity = identity
    }

    /// Parses all lines of Accept-Encoding. Without any, gzip is not acceptable: clients that can decode it announce
    /// it, and others could not read the response.
    package init(_ head: RequestHead, in bytes: Span<UInt8>) {
        guard head.value(.acceptEncoding) != nil else {
            self = .identityOnly
            return
        }
        var gzip: Int?
        var identity: Int?
        var other: Int?
        for position in 0..<head.fieldCount {
            let field = head.field(at: position)
            guard field.known == .acceptEncoding else { continue }
            var list = QualityList(field.value)
            while let element = list.next(in: bytes) {
                if WordScan.equalsIgnoringCase(bytes, element.value, "gzip")
                    || WordScan.equalsIgnoringCase(bytes, element.value, "x-gzip")
                {
                    gzip = max(gzip ?? 0, element.quality)
                } else if WordScan.equalsIgnoringCase(bytes, element.value, "identity") {
                    identity = max(identity ?? 0, element.quality)
                } else if WordScan.equalsIgnoringCase(bytes, element.value, "*") {
                    other = max(other ?? 0, element.quality)
                }
            }
        }
        self.gzip = gzip ?? other ?? 0
        // An asterisk with quality 0 forbids the plain bytes; otherwise it does not rank them.
        self.identity = identity ?? (other == 0 ? 0 : nil)
    }

    /// Whether to send gzip if it is available.
    package var prefersGzip: Bool { gzip > 0 && gzip >= identity ?? 0 }

    /// Whether the client rejects the plain bytes. They are sent anyway if there is no gzip: a body that was not
    /// requested is more useful than a 406 (section 12.5.3 allows both).
    package var refusesIdentity: Bool { identity == 0 }
}

/// Iterates over a list of alternatives with qualities, such as `gzip;q=0.5, br` (RFC 9110 section 12.4.2).
package struct QualityList {
    package struct Element: Equatable {
        /// Without its quality; parameters before it (as in `text/html;level=1`) are omitted as well.
        package let value: ByteRange
        /// Whether there are parameters other than the quality.
        package let hasParameters: Bool
        /// Thousandths: 0 (not acceptable) to 1,000. A malformed quality counts as 0.
        package let quality: Int
    }

    private var elements: ListElements

    package init(_ range: ByteRange) {
        elements = ListElements(range)
    }

    package mutating func next(in bytes: Span<UInt8>) -> Element? {
        guard let element = elements.next(in: bytes) else { return nil }
        var quality = 1_000
        var hasParameters = false
        var value = element
        var position = Int(element.start)
        let end = Int(element.end)
        var isFirst = true
        while position <= end {
            let start = position
            var isQuoted = false
            while position < end, isQuoted || bytes[position] != UInt8(ascii: ";") {
                if bytes[position] == UInt8(ascii: "\"") { isQuoted.toggle() }
                position += 1
            }
            let part = ByteRange(start, position).trimmed(in: bytes)
            position += 1
            if isFirst {
                value = part
                isFirst = false
            } else if part.count >= 2, bytes[Int(part.start)] | 0x20 == UInt8(ascii: "q"),
                bytes[Int(part.start) + 1] == UInt8(ascii: "=")
            {
                quality = Self.quality(bytes, ByteRange(Int(part.start) + 2, Int(part.end))) ?? 0
            } else if !part.isEmpty {
                hasParameters = true
            }
        }
        return Element(value: value, hasParameters: hasParameters, quality: quality)
    }

    /// `0`, `1`, `0.5`, `1.000`: at most three decimals, and only zeros after 1.
    private static func quality(_ bytes: Span<UInt8>, _ range: ByteRange) -> Int? {
        let start = Int(range.start)
        guard range.count >= 1, range.count <= 5, bytes[start] == 0x30 || bytes[start] == 0x31 else { return nil }
        var quality = Int(bytes[start] &- 0x30) * 1_000
        guard range.count > 1 else { return quality }
        guard bytes[start + 1] == UInt8(ascii: ".") else { return nil }
        var index = 100
        for position in start + 2..<Int(range.end) {
            let digit = bytes[position] &- 0x30
            if digit > 9 { return nil }
            quality += Int(digit) * index
            index /= 10
        }
        return quality <= 1_000 ? quality : nil
    }
}
