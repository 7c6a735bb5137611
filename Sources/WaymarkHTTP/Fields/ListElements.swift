/// Iterates over the elements of a comma-separated field value (RFC 9110 section 5.6.1): surrounding white space is
/// trimmed and empty elements are skipped. A comma inside a quoted string does not separate.
package struct ListElements {
    private var position: Int
    private let end: Int

    package init(_ range: ByteRange) {
        position = Int(range.start)
        end = Int(range.end)
    }

    /// The next non-empty element, or nil at the end.
    package mutating func next(in bytes: Span<UInt8>) -> ByteRange? {
        while position < end {
            let start = position
            var isQuoted = false
            scan: while position < end {
                switch bytes[position] {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "\\") where isQuoted: position += 1
                case UInt8(ascii: ",") where !isQuoted: break scan
                default: break
                }
                position += 1
            }
            let element = ByteRange(start, min(position, end)).trimmed(in: bytes)
            position += 1
            if !element.isEmpty { return element }
        }
        return nil
    }
}

extension ByteRange {
    /// This range without the spaces and tabs at its ends.
    package func trimmed(in bytes: Span<UInt8>) -> ByteRange {
        var range = self
        while range.start < range.end, bytes[Int(range.start)].isBlank { range.start += 1 }
        while range.start < range.end, bytes[Int(range.end) - 1].isBlank { range.end -= 1 }
        return range
    }
}

extension UInt8 {
    /// Space or horizontal tab.
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}
