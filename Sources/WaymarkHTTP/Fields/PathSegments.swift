/// Iterates over the segments of a path, from slash to slash, without decoding or copying.
///
/// `/a//b/` has the segments `a`, an empty one, `b`, and an empty one; `/` has a single empty one.
package struct PathSegments: Sendable {
    private var position: Int
    private let end: Int

    /// - Parameter path: as in `RequestHead.path`; an empty one has no segment.
    package init(_ path: ByteRange) {
        position = Int(path.start)
        end = Int(path.end)
    }

    /// The rest of the path, from the slash of the next segment on.
    package var rest: ByteRange { ByteRange(min(position, end), end) }

    /// The next segment as received, without its slash, or nil at the end.
    package mutating func next(in bytes: Span<UInt8>) -> ByteRange? {
        guard position < end else { return nil }
        let start = position + 1
        var stop = start
        while stop < end, bytes[stop] != UInt8(ascii: "/") { stop += 1 }
        position = stop
        return ByteRange(start, stop)
    }
}
