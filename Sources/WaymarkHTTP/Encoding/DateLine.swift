/// A whole Date line, with its CRLF: made once a second and sent many times.
///
/// Plain words instead of an array, so that it is copied out without a reference being counted.
package struct DateLine: Sendable, Equatable {
    package let unixSeconds: Int64
    /// Bytes 0 to 31, eight in each, and the last eight of the line, which repeat some of those before them.
    private let words: (UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The length of every Date line.
    static let count = 37

    package init(unixSeconds: Int64) {
        self.unixSeconds = unixSeconds
        let bytes = Self.bytes(unixSeconds)
        func word(_ start: Int) -> UInt64 {
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }.littleEndian
        }
        words = (word(0), word(8), word(16), word(24), word(Self.count - 8))
    }

    /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` CRLF.
    package var bytes: [UInt8] { Self.bytes(unixSeconds) }

    private static func bytes(_ unixSeconds: Int64) -> [UInt8] {
        Array("Date: ".utf8) + HTTPDate(unixSeconds: unixSeconds).bytes + [0x0D, 0x0A]
    }

    func append(to buffer: ByteBuffer) {
        // unsafe because it writes through a pointer, to which the buffer lends as much room as the line takes.
        unsafe buffer.append(count: Self.count) { unsafe store(to: $0) }
    }

    /// Writes the line to where there is room for `count` bytes: unsafe, because that is left to the caller.
    @unsafe @inline(__always)
    func store(to index: UnsafeMutableRawPointer) {
        // unsafe because the stores are unchecked; the last one ends at `count`.
        unsafe index.storeBytes(of: words.0, as: UInt64.self)
        unsafe index.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        unsafe index.storeBytes(of: words.2, toByteOffset: 16, as: UInt64.self)
        unsafe index.storeBytes(of: words.3, toByteOffset: 24, as: UInt64.self)
        unsafe index.storeBytes(of: words.4, toByteOffset: Self.count - 8, as: UInt64.self)
    }

    package static func == (left: DateLine, right: DateLine) -> Bool { left.unixSeconds == right.unixSeconds }
}
