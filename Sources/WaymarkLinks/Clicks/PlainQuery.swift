import WaymarkBytes

/// A query whose parameters are forwarded as they are: names without escapes, values that need none or have sound ones, as
/// many as a click may have. An event loop reads one query after the other into it, and reuses its memory.
package struct PlainQuery {
    struct Parameter {
        let name: Range<Int>
        let end: Int
    }

    /// In order.
    private(set) var parameters: [Parameter] = []
    /// The value of the first `utm_campaign`.
    package private(set) var campaign: Range<Int>?
    /// Whether one of the parameters is `d=1`.
    package private(set) var asksForDetails = false

    package init() {}

    /// False for a query that `ClickQuery` has to read.
    package mutating func read(_ bytes: Span<UInt8>) -> Bool {
        parameters.removeAll(keepingCapacity: true)
        (campaign, asksForDetails) = (nil, false)
        guard bytes.count <= ClickQuery.maximumBytes else { return false }
        var start = 0
        while start < bytes.count {
            guard let (name, end) = Self.pair(bytes, from: start) else { return false }
            if end > start {
                if parameters.count == ClickQuery.maximumPairs { return false }
                parameters.append(Parameter(name: name, end: end))
                if campaign == nil, Self.equals(bytes, name, "utm_campaign") {
                    campaign = min(name.upperBound + 1, end)..<end
                }
                if Self.equals(bytes, start..<end, "d=1") { asksForDetails = true }
            }
            start = end + 1
        }
        return true
    }

    /// The name of the pair that begins there, and where the pair ends; nil if it is not plain.
    private static func pair(_ bytes: Span<UInt8>, from start: Int) -> (name: Range<Int>, end: Int)? {
        var index = start
        var equals: Int?
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&"): return named(bytes, start, equals, index)
            case UInt8(ascii: "="): equals = equals ?? index
            case UInt8(ascii: "%"):
                guard equals != nil, index + 2 < bytes.count, let high = bytes[index + 1].hexadecimalValue,
                    let low = bytes[index + 2].hexadecimalValue, !(high << 4 | low).isControl
                else { return nil }
                index += 2
            case UInt8(ascii: "+"): if equals == nil { return nil }
            default: if !isPlain(byte) { return nil }
            }
            index += 1
        }
        return named(bytes, start, equals, index)
    }

    /// Names of the service's own are not plain, and neither are empty ones.
    private static func named(
        _ bytes: Span<UInt8>, _ start: Int, _ equals: Int?, _ end: Int
    ) -> (name: Range<Int>, end: Int)? {
        let name = start..<(equals ?? end)
        if name.isEmpty { return end == start ? (name, end) : nil }
        let isReserved = name.count >= 4 && equalsIgnoringCase(bytes, start..<(start + 4), "_hk_")
        return isReserved ? nil : (name, end)
    }

    /// The characters of plain queries that some encodings write differently; all others are unreserved.
    static let reserved = Array("&=%+!$()*,/:?@".utf8)

    /// What `ClickQuery` forwards without an escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "?"),
            UInt8(ascii: "@"):
            true
        default: false
        }
    }

    private static func equals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
        compare(bytes, range, text) { $0 == $1 }
    }

    private static func equalsIgnoringCase(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
        compare(bytes, range, text) { $0.lowercased == $1 }
    }

    @inline(__always)
    private static func compare(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString, _ areEqual: (UInt8, UInt8) -> Bool
    ) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            // Safety: both have the same number of bytes.
            for index in 0..<text.count where unsafe !areEqual(bytes[range.lowerBound + index], text[index]) {
                return false
            }
            return true
        }
    }
}
