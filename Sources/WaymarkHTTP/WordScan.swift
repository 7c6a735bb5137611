/// Reads eight bytes at a time where a loop over single bytes would cost several times as much.
///
/// Every load goes through `RawSpan`, which checks its bounds; the loads are marked `unsafe` only because the type to
/// read is chosen here, and any bit pattern is a valid integer.
enum WordScan {
    private static let everyByte: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Eight bytes with the first one in the lowest place.
    @inline(__always)
    static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        // unsafe because the type is free to choose: any eight bytes are an integer, and the bounds are checked.
        unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func half(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
        // unsafe because the type is free to choose: any four bytes are an integer, and the bounds are checked.
        unsafe UInt32(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Whether the bytes at `offset` are exactly those of `literal`.
    ///
    /// - Precondition: as many bytes as `literal` has are there.
    @inline(__always)
    static func equals(_ bytes: Span<UInt8>, at offset: Int, _ literal: StaticString) -> Bool {
        compare(bytes, at: offset, literal, folding: false)
    }

    /// Whether the bytes at `offset` are those of `literal`, in whatever case.
    ///
    /// - Precondition: as many bytes as `literal` has are there; `literal` is in lower case.
    @inline(__always)
    static func equalsIgnoringCase(_ bytes: Span<UInt8>, at offset: Int, _ literal: StaticString) -> Bool {
        compare(bytes, at: offset, literal, folding: true)
    }

    /// Whether `range` holds exactly `literal`, in whatever case.
    @inline(__always)
    static func equalsIgnoringCase(_ bytes: Span<UInt8>, _ range: ByteRange, _ literal: StaticString) -> Bool {
        range.count == literal.utf8CodeUnitCount && equalsIgnoringCase(bytes, at: Int(range.start), literal)
    }

    /// The offset in a word of its first byte below 0x20 or equal to 0x7F, or nil.
    @inline(__always)
    static func firstControl(in word: UInt64) -> Int? {
        let controls = below(word, 0x20) | equal(word, 0x7F)
        return controls == 0 ? nil : controls.trailingZeroBitCount &>> 3
    }

    /// The offset in a word of its first `byte`, or nil.
    @inline(__always)
    static func first(_ byte: UInt8, in word: UInt64) -> Int? {
        let hits = equal(word, byte)
        return hits == 0 ? nil : hits.trailingZeroBitCount &>> 3
    }

    /// The offset in a word of its first byte that ends or divides a request target: anything that is not visible
    /// ASCII, `#`, `%` or `?`; or nil.
    @inline(__always)
    static func firstTargetMark(in word: UInt64) -> Int? {
        let marks =
            below(word, 0x21) | (word & highBits) | equal(word, 0x7F) | equal(word, 0x23) | equal(word, 0x25)
            | equal(word, 0x3F)
        return marks == 0 ? nil : marks.trailingZeroBitCount &>> 3
    }

    // In both of these the lowest mark is exact: a borrow can only raise false marks above a true one.

    @inline(__always)
    private static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 {
        (word &- everyByte &* UInt64(limit)) & ~word & highBits
    }

    @inline(__always)
    private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (everyByte &* UInt64(byte))
        return (difference &- everyByte) & ~difference & highBits
    }

    @inline(__always)
    private static func compare(
        _ bytes: Span<UInt8>, at offset: Int, _ literal: StaticString, folding: Bool
    ) -> Bool {
        // unsafe because a StaticString gives its bytes only as a pointer; all loads below stay inside its count, which
        // is a constant of the caller, so that the loop unrolls into comparisons with immediate words.
        let expected = unsafe UnsafeRawPointer(literal.utf8Start)
        let count = literal.utf8CodeUnitCount
        if count >= 8 {
            var position = 0
            while position < count {
                // The last word overlaps the one before it instead of reaching beyond the name.
                let place = min(position, count &- 8)
                let want = unsafe UInt64(littleEndian: expected.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                // Only letters fold: with `-` folded as well, a carriage return would pass for it.
                let fold = folding ? (want & 0x4040_4040_4040_4040) &>> 1 : 0
                if word(bytes, at: offset &+ place) | fold != want { return false }
                position &+= 8
            }
            return true
        }
        if count >= 4 {
            var position = 0
            while position < count {
                let place = min(position, count &- 4)
                let want = unsafe UInt32(littleEndian: expected.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                let fold = folding ? (want & 0x4040_4040) &>> 1 : 0
                if half(bytes, at: offset &+ place) | fold != want { return false }
                position &+= 4
            }
            return true
        }
        for position in 0..<count {
            let want = unsafe expected.load(fromByteOffset: position, as: UInt8.self)
            let fold = folding ? (want & 0x40) &>> 1 : 0
            if bytes[offset &+ position] | fold != want { return false }
        }
        return true
    }
}
