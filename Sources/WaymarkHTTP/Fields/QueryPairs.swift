import WaymarkBytes

/// Walks over the pairs of a query, `name=value` with `&` between them, without decoding or copying anything.
///
///     var pairs = QueryPairs(query)
///     while let pair = pairs.next(in: bytes) { … PercentEncoding.decodeText(bytes, pair.name, plusIsSpace: true) … }
package struct QueryPairs: Sendable {
    package struct Pair: Sendable, Equatable {
        /// As received; may be empty.
        package let name: ByteRange
        /// As received; empty if `hasValue` is false, and for `name=`.
        package let value: ByteRange
        /// Whether there is an equals sign.
        package let hasValue: Bool
    }

    private var position: Int
    private let end: Int

    /// - Parameter query: the query without its question mark.
    package init(_ query: ByteRange) {
        position = Int(query.start)
        end = Int(query.end)
    }

    /// The next pair, or nil at the end. Empty pairs (`a&&b`) are skipped.
    package mutating func next(in bytes: Span<UInt8>) -> Pair? {
        while position < end {
            let start = position
            var equals = -1
            while position < end, bytes[position] != UInt8(ascii: "&") {
                if equals < 0, bytes[position] == UInt8(ascii: "=") { equals = position }
                position += 1
            }
            let stop = position
            position += 1
            if stop == start { continue }
            if equals < 0 { return Pair(name: ByteRange(start, stop), value: ByteRange(stop, stop), hasValue: false) }
            return Pair(name: ByteRange(start, equals), value: ByteRange(equals + 1, stop), hasValue: true)
        }
        return nil
    }

    /// The decoded value of the first pair with this name, with `+` as a space; nil if it is absent or malformed.
    package static func value(of name: String, in bytes: Span<UInt8>, query: ByteRange?) -> String? {
        guard let query else { return nil }
        var pairs = QueryPairs(query)
        while let pair = pairs.next(in: bytes) {
            if PercentEncoding.decodeText(bytes, pair.name, plusIsSpace: true) == name {
                return PercentEncoding.decodeText(bytes, pair.value, plusIsSpace: true)
            }
        }
        return nil
    }
}
