/// Scans several bytes at a time; a loop over single bytes would cost several times as much.
///
/// The loads are not checked one by one, because these functions read every byte of every request. Each function
/// bounds its loads by its loop's condition, or by one check at its start.
enum WordScan {
    /// The offset of the first byte from `start` on that is below 0x20 or equal to 0x7F, else the number of bytes.
    @inline(__always)
    static func firstControl(_ bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "offsets are not negative")
        var position = start
        while position &+ 8 <= bytes.count {
            // unsafe because the load is unchecked; it ends at or below the count.
            let found = unsafe controls(word(bytes, position))
            if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
            position &+= 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x20 || byte == 0x7F { return position }
            position &+= 1
        }
        return position
    }

    /// The offset of the first colon within the 32 bytes from `start` on, or -1 if there is none or too few bytes are
    /// left for 8-byte loads.
    @inline(__always)
    static func nearColon(_ bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "offsets are not negative")
        var position = start
        while position &+ 8 <= bytes.count, position < start &+ 32 {
            // unsafe because the load is unchecked; it ends at or below the count.
            let found = unsafe colons(word(bytes, position))
            if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
            position &+= 8
        }
        return -1
    }

    /// The offset of the first byte from `start` on that ends or divides a request target: anything that is not visible
    /// ASCII, `#`, `%` or `?`; else the number of bytes.
    @inline(__always)
    static func firstTargetMark(_ bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "offsets are not negative")
        var position = start
        while position &+ 8 <= bytes.count {
            // unsafe because the load is unchecked; it ends at or below the count.
            let found = unsafe targetMarks(word(bytes, position))
            if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
            position &+= 8
        }
        while position < bytes.count {
            switch bytes[position] {
            case 0...0x20, 0x7F...0xFF, 0x23, 0x25, 0x3F: return position
            default: position &+= 1
            }
        }
        return position
    }

    /// An offset within or at the end of the range, before which there are only letters, digits, `-` and `.`.
    @inline(__always)
    static func endOfPlainName(_ bytes: Span<UInt8>, _ range: ByteRange) -> Int {
        var position = Int(range.start)
        let end = Int(range.end)
        precondition(position >= 0 && end <= bytes.count, "a name lies within the bytes")
        guard end &- position >= 8 else { return position }
        // unsafe because the loads are unchecked; each ends at or below the end of the range.
        while position &+ 8 <= end {
            guard unsafe isPlainName(word(bytes, position)) else { return position }
            position &+= 8
        }
        // The last word overlaps the one before it.
        if position < end, unsafe isPlainName(word(bytes, end &- 8)) { return end }
        return position
    }

    /// Whether the bytes at `offset` equal `literal`; false if there are fewer.
    @inline(__always)
    static func equals(_ bytes: Span<UInt8>, at offset: Int, _ literal: StaticString) -> Bool {
        if offset < 0 || offset > bytes.count &- literal.utf8CodeUnitCount { return false }
        // unsafe because the loads are unchecked; the check above ensures that the bytes are there.
        return unsafe compare(bytes, offset, literal, folding: false)
    }

    /// Whether `range` equals `literal`, ignoring case.
    ///
    /// - Precondition: `literal` is in lower case.
    @inline(__always)
    static func equalsIgnoringCase(_ bytes: Span<UInt8>, _ range: ByteRange, _ literal: StaticString) -> Bool {
        range.count == literal.utf8CodeUnitCount && hasPrefix(bytes, at: Int(range.start), literal)
    }

    /// Whether the bytes at `offset` equal `literal`, ignoring case; false if there are fewer.
    ///
    /// - Precondition: `literal` is in lower case.
    @inline(__always)
    static func hasPrefix(_ bytes: Span<UInt8>, at offset: Int, _ literal: StaticString) -> Bool {
        if offset < 0 || offset > bytes.count &- literal.utf8CodeUnitCount { return false }
        // unsafe because the loads are unchecked; the check above ensures that the bytes are there.
        return unsafe compare(bytes, offset, literal, folding: true)
    }

    /// Compares without a bounds check; unsafe because the caller must ensure that the bytes are there.
    ///
    /// The literal is a constant of the caller, so that the loops unroll into comparisons with immediate words.
    @unsafe @inline(__always)
    static func compare(_ bytes: Span<UInt8>, _ offset: Int, _ literal: StaticString, folding: Bool) -> Bool {
        // unsafe because a StaticString exposes its bytes only as a pointer; all loads stay within its count. The
        // caller guarantees that many bytes at `offset`.
        let expected = unsafe UnsafeRawPointer(literal.utf8Start)
        let count = literal.utf8CodeUnitCount
        var position = 0
        while position < count {
            if count >= 8 {
                // The last word overlaps the previous one instead of reading beyond the name.
                let index = min(position, count &- 8)
                let want = unsafe UInt64(littleEndian: expected.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                // Only letters are folded: if `-` were folded too, a carriage return would match it.
                let fold = folding ? (want & 0x4040_4040_4040_4040) &>> 1 : 0
                if unsafe word(bytes, offset &+ index) | fold != want { return false }
                position &+= 8
            } else if count >= 4 {
                let index = min(position, count &- 4)
                let want = unsafe UInt32(littleEndian: expected.loadUnaligned(fromByteOffset: index, as: UInt32.self))
                let fold = folding ? (want & 0x4040_4040) &>> 1 : 0
                if unsafe halfWord(bytes, offset &+ index) | fold != want { return false }
                position &+= 4
            } else {
                let want = unsafe expected.load(fromByteOffset: position, as: UInt8.self)
                let fold = folding ? (want & 0x40) &>> 1 : 0
                if unsafe bytes[unchecked: offset &+ position] | fold != want { return false }
                position &+= 1
            }
        }
        return true
    }

    /// Eight bytes, the first in the lowest position; unsafe because it does not check the bounds.
    @unsafe @inline(__always)
    private static func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
        // unsafe because it is unchecked by design; any bytes are a valid integer.
        unsafe UInt64(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    @unsafe @inline(__always)
    private static func halfWord(_ bytes: Span<UInt8>, _ offset: Int) -> UInt32 {
        // unsafe because it is unchecked by design; any bytes are a valid integer.
        unsafe UInt32(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }

    // A mark is the high bit of a byte. In `below` and `equal` only the lowest mark is exact: a borrow can set false
    // marks, but only above a true one.

    @inline(__always)
    private static func controls(_ word: UInt64) -> UInt64 {
        (below(word, 0x20) | equal(word, 0x7F)) & highBits
    }

    @inline(__always)
    private static func targetMarks(_ word: UInt64) -> UInt64 {
        let ends = below(word, 0x21) | word | equal(word, 0x7F)
        return (ends | equal(word, 0x23) | equal(word, 0x25) | equal(word, 0x3F)) & highBits
    }

    @inline(__always)
    private static func colons(_ word: UInt64) -> UInt64 {
        equal(word, 0x3A) & highBits
    }

    /// Whether all eight are letters, digits, `-` or `.`.
    @inline(__always)
    private static func isPlainName(_ word: UInt64) -> Bool {
        let folded = word | 0x2020_2020_2020_2020
        let letters = notBelow(folded, 0x61) & ~notBelow(folded, 0x7B)
        // From the hyphen to nine, except for the slash between them.
        let others = notBelow(word, 0x2D) & ~notBelow(word, 0x3A) & (notBelow(word, 0x30) | ~notBelow(word, 0x2F))
        return (letters | others) & ~word & highBits == highBits
    }

    /// Marks the bytes from `limit` up; exact for those below 0x80.
    @inline(__always)
    private static func notBelow(_ word: UInt64, _ limit: UInt64) -> UInt64 {
        (word | highBits) &- limit &* 0x0101_0101_0101_0101
    }

    @inline(__always)
    private static func below(_ word: UInt64, _ limit: UInt64) -> UInt64 {
        (word &- limit &* 0x0101_0101_0101_0101) & ~word
    }

    @inline(__always)
    private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 {
        let difference = word ^ (byte &* 0x0101_0101_0101_0101)
        return (difference &- 0x0101_0101_0101_0101) & ~difference
    }

    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
}
