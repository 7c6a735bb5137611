/// Looks at 8 or 16 bytes at a time where a loop over single bytes would cost several times as much.
///
/// Everything here reads through a pointer, without a check for each load: together these functions see every byte of every
/// request. Each begins with the one check that covers all its loads.
enum WordScan {
    /// The offset of the first byte from `start` on that is below 0x20 or equal to 0x7F, else the number of bytes.
    @inline(__always)
    static func firstControl(_ bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "offsets are not negative")
        // unsafe because a pointer is lent; every load ends at or below the count.
        return unsafe bytes.withUnsafeBytes { buffer in
            let count = buffer.count
            var position = start
            while position &+ 16 <= count {
                let low = unsafe controls(buffer.word(position))
                let high = unsafe controls(buffer.word(position &+ 8))
                if low | high != 0 { return position &+ place(low, high) }
                position &+= 16
            }
            while position < count {
                let byte = unsafe buffer[position]
                if byte < 0x20 || byte == 0x7F { return position }
                position &+= 1
            }
            return max(position, start)
        }
    }

    /// The offset of the first colon within the 32 bytes from `start` on, or -1 where there is none or fewer than 16
    /// bytes are left.
    @inline(__always)
    static func nearColon(_ bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "offsets are not negative")
        // unsafe because a pointer is lent; every load ends at or below the count.
        return unsafe bytes.withUnsafeBytes { buffer in
            var position = start
            while position &+ 16 <= buffer.count, position <= start &+ 16 {
                let low = unsafe colons(buffer.word(position))
                let high = unsafe colons(buffer.word(position &+ 8))
                if low | high != 0 { return position &+ place(low, high) }
                position &+= 16
            }
            return -1
        }
    }

    /// The offset of the first byte from `start` on that ends or divides a request target: anything that is not visible
    /// ASCII, `#`, `%` or `?`; else the number of bytes.
    @inline(__always)
    static func firstTargetMark(_ bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "offsets are not negative")
        // unsafe because a pointer is lent; every load ends at or below the count.
        return unsafe bytes.withUnsafeBytes { buffer in
            let count = buffer.count
            var position = start
            while position &+ 16 <= count {
                let low = unsafe targetMarks(buffer.word(position))
                let high = unsafe targetMarks(buffer.word(position &+ 8))
                if low | high != 0 { return position &+ place(low, high) }
                position &+= 16
            }
            while position < count {
                switch unsafe buffer[position] {
                case 0...0x20, 0x7F...0xFF, 0x23, 0x25, 0x3F: return position
                default: position &+= 1
                }
            }
            return max(position, start)
        }
    }

    /// Whether the bytes at `offset` are exactly those of `literal`; false where there are fewer.
    @inline(__always)
    static func equals(_ bytes: Span<UInt8>, at offset: Int, _ literal: StaticString) -> Bool {
        if offset < 0 || offset > bytes.count &- literal.utf8CodeUnitCount { return false }
        // unsafe because a pointer is lent; the bytes to compare are there, as has just been seen.
        return unsafe bytes.withUnsafeBytes { unsafe compare($0, offset, literal, folding: false) }
    }

    /// Whether `range` holds exactly `literal`, in whatever case.
    ///
    /// - Precondition: `literal` is in lower case.
    @inline(__always)
    static func equalsIgnoringCase(_ bytes: Span<UInt8>, _ range: ByteRange, _ literal: StaticString) -> Bool {
        range.count == literal.utf8CodeUnitCount && hasPrefix(bytes, at: Int(range.start), literal)
    }

    /// Whether the bytes at `offset` are those of `literal`, in whatever case; false where there are fewer.
    ///
    /// - Precondition: `literal` is in lower case.
    @inline(__always)
    static func hasPrefix(_ bytes: Span<UInt8>, at offset: Int, _ literal: StaticString) -> Bool {
        if offset < 0 || offset > bytes.count &- literal.utf8CodeUnitCount { return false }
        // unsafe because a pointer is lent; the bytes to compare are there, as has just been seen.
        return unsafe bytes.withUnsafeBytes { unsafe compare($0, offset, literal, folding: true) }
    }

    /// Compares without checking that the bytes are there.
    ///
    /// The literal is a constant of the caller, so that the loops unroll into comparisons with immediate words.
    @inline(__always)
    static func compare(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ literal: StaticString, folding: Bool
    ) -> Bool {
        // unsafe because a StaticString gives its bytes only as a pointer; all loads stay inside its count.
        let expected = unsafe UnsafeRawPointer(literal.utf8Start)
        guard let base = bytes.baseAddress else { return false }
        // unsafe because the caller vouches for the bytes at `offset`: as many as the literal has.
        let found = unsafe base + offset
        let count = literal.utf8CodeUnitCount
        var position = 0
        if count >= 8 {
            while position < count {
                // The last word overlaps the one before it instead of reaching beyond the name.
                let place = min(position, count &- 8)
                let want = unsafe expected.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                // Only letters fold: with `-` folded as well, a carriage return would pass for it.
                let fold = folding ? (want & 0x4040_4040_4040_4040) &>> 1 : 0
                if unsafe found.loadUnaligned(fromByteOffset: place, as: UInt64.self) | fold != want { return false }
                position &+= 8
            }
        } else if count >= 4 {
            while position < count {
                let place = min(position, count &- 4)
                let want = unsafe expected.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let fold = folding ? (want & 0x4040_4040) &>> 1 : 0
                if unsafe found.loadUnaligned(fromByteOffset: place, as: UInt32.self) | fold != want { return false }
                position &+= 4
            }
        } else {
            while position < count {
                let want = unsafe expected.load(fromByteOffset: position, as: UInt8.self)
                let fold = folding ? (want & 0x40) &>> 1 : 0
                if unsafe found.load(fromByteOffset: position, as: UInt8.self) | fold != want { return false }
                position &+= 1
            }
        }
        return true
    }

    // A mark is the high bit of a byte. In `below` and `equal` only the lowest mark is exact: a borrow can raise false ones,
    // but only above a true one.

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

    /// The place of the first mark in two words.
    @inline(__always)
    private static func place(_ low: UInt64, _ high: UInt64) -> Int {
        low != 0 ? low.trailingZeroBitCount &>> 3 : 8 &+ high.trailingZeroBitCount &>> 3
    }
}

extension UnsafeRawBufferPointer {
    /// Eight bytes, the first one in the lowest place, without checking that they are there.
    @inline(__always)
    fileprivate func word(_ offset: Int) -> UInt64 {
        // unsafe because a buffer's own loads are checked, which the callers have done already; an empty one has no
        // address and is never read.
        UInt64(littleEndian: unsafe (baseAddress.unsafelyUnwrapped + offset).loadUnaligned(as: UInt64.self))
    }
}
