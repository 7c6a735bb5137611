/// A half-open range of offsets into the bytes that a parser was given.
///
/// Thirty-two bits are enough because a request head is limited to far less than 2 GiB, and keep a field's four offsets
/// in sixteen bytes.
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
