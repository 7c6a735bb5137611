/// Walks over the segments of a path, from slash to slash, without decoding or copying anything.
///
/// `/a//b/` has the segments `a`, an empty one, `b`, and an empty one; `/` has a single empty one.
package struct PathSegments: Sendable {
    private var position: Int
    private let end: Int

    /// - Parameter path: as `RequestHead.path` gives it; an empty one has no segment.
    package init(_ path: ByteRange) {
        position = Int(path.start)
        end = Int(path.end)
    }

    /// What is left of the path, from the slash of the next segment on.
    package var rest: ByteRange { ByteRange(min(position, end), end) }

    /// The next segment as received, without its slash, or nil behind the last.
    package mutating func next(in bytes: Span<UInt8>) -> ByteRange? {
        guard position < end else { return nil }
        let start = position + 1
        var stop = start
        while stop < end, bytes[stop] != UInt8(ascii: "/") { stop += 1 }
        position = stop
        return ByteRange(start, stop)
    }

    /// Whether a segment means this or the parent directory, `%2e` being a dot: nothing that is looked up by its path
    /// has such a segment, and a file system would follow it.
    package static func holdDots(_ bytes: Span<UInt8>, _ path: ByteRange) -> Bool {
        var segments = PathSegments(path)
        while let segment = segments.next(in: bytes) {
            guard !segment.isEmpty, segment.count <= 6, let decoded = PercentEncoding.decode(bytes, segment) else {
                continue
            }
            if decoded == [0x2E] || decoded == [0x2E, 0x2E] { return true }
        }
        return false
    }
}
