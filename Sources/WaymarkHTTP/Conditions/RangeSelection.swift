/// The parts of a representation that a Range field (RFC 9110 section 14.2) selects.
///
/// Parsing can't overflow, however long the numbers: see CVE-2017-7529 and CVE-2022-31005.
package enum RangeSelection: Sendable, Equatable {
    /// The whole: no field, a unit other than bytes, a malformed list, or ranges that cost more than the whole.
    case whole
    /// One or several ranges, none of them empty, in the requested order; overlapping ones are not merged.
    case ranges([Range<Int>])
    /// The list is well-formed, but no range overlaps the representation (416).
    case unsatisfiable

    /// Limit of ranges in one request: many small ones are an attack (CVE-2011-3192), and no client needs more.
    package static let mostRanges = 8

    /// - Parameters:
    ///   - value: of the field, such as `bytes=0-99, -1`.
    ///   - size: of the representation, in bytes.
    package init(_ value: Span<UInt8>, size: Int) {
        guard let specifiers = Self.specifiers(value) else {
            self = .whole
            return
        }
        var ranges: [Range<Int>] = []
        var isEverything = false
        for specifier in specifiers {
            switch specifier {
            case .from(let first, let last) where first < size:
                ranges.append(first..<(last < size ? last + 1 : size))
            case .from: continue
            case .last(0): continue
            // Satisfiable by definition, but an empty representation has no range.
            case .last where size == 0: isEverything = true
            case .last(let count): ranges.append(max(0, size - count)..<size)
            }
        }
        if isEverything {
            self = .whole
        } else if ranges.isEmpty {
            self = .unsatisfiable
        } else {
            self = Self.exceed(ranges, size) ? .whole : .ranges(ranges)
        }
    }

    /// Whether they overlap so much that the whole is the smaller response.
    private static func exceed(_ ranges: [Range<Int>], _ size: Int) -> Bool {
        var left = size
        for range in ranges {
            if range.count > left { return true }
            left -= range.count
        }
        return false
    }

    private enum Specifier {
        /// Both are inclusive.
        case from(Int, to: Int)
        case last(Int)
    }

    /// Nil if the field must be ignored.
    private static func specifiers(_ value: Span<UInt8>) -> [Specifier]? {
        let whole = ByteRange(0, value.count).trimmed(in: value)
        guard let equals = whole.indices.first(where: { value[$0] == UInt8(ascii: "=") }),
            WordScan.equalsIgnoringCase(value, ByteRange(Int(whole.start), equals), "bytes")
        else { return nil }
        var elements = ListElements(ByteRange(equals + 1, Int(whole.end)))
        var specifiers: [Specifier] = []
        while let element = elements.next(in: value) {
            guard specifiers.count < mostRanges, let specifier = specifier(value, element) else { return nil }
            specifiers.append(specifier)
        }
        return specifiers.isEmpty ? nil : specifiers
    }

    private static func specifier(_ value: Span<UInt8>, _ range: ByteRange) -> Specifier? {
        guard let dash = range.indices.first(where: { value[$0] == UInt8(ascii: "-") }) else { return nil }
        let first = ByteRange(Int(range.start), dash)
        let last = ByteRange(dash + 1, Int(range.end))
        if first.isEmpty { return number(value, last).map { .last($0) } }
        guard let start = number(value, first) else { return nil }
        if last.isEmpty { return .from(start, to: .max) }
        guard let end = number(value, last), start <= end || end == .max else { return nil }
        return .from(start, to: end)
    }

    /// Digits only. Too large for an Int becomes its largest value, because no file is that long.
    private static func number(_ value: Span<UInt8>, _ range: ByteRange) -> Int? {
        guard !range.isEmpty else { return nil }
        var number = 0
        for position in range.indices {
            let digit = value[position] &- 0x30
            if digit > 9 { return nil }
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int(digit))
            number = overflows || overflowsToo ? .max : sum
        }
        return number
    }
}

/// A half-open range of offsets into a parser's input.
///
/// 32 bits are enough because a request head is limited to far less than 2 GiB; they keep a field's four offsets in
/// sixteen bytes.
@usableFromInline
package struct ByteRange: Sendable, Equatable {
    @usableFromInline package var start: Int32
    @usableFromInline package var end: Int32

    @inlinable
    package init(_ start: Int, _ end: Int) {
        self.start = Int32(truncatingIfNeeded: start)
        self.end = Int32(truncatingIfNeeded: end)
    }

    @inlinable package static var empty: ByteRange { ByteRange(0, 0) }

    @inlinable package var isEmpty: Bool { start == end }
    @inlinable package var count: Int { Int(end) - Int(start) }
    @inlinable package var indices: Range<Int> { Int(start)..<Int(end) }
}
