/// Walks over a list of alternatives with qualities, such as `gzip;q=0.5, br` (RFC 9110 section 12.4.2).
package struct QualityList {
    package struct Element: Equatable {
        /// Without its quality; parameters ahead of that (as in `text/html;level=1`) are left out as well.
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

    /// `0`, `1`, `0.5`, `1.000`: at most three decimals, and none but zeros behind 1.
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
