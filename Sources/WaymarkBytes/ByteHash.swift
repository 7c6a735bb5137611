/// A fast hash over runs of bytes, for tables in memory whose keys come from outside: sixteen bytes a step, each folded
/// in by a multiplication to 128 bits.
///
/// Both of its seeds are random and secret, so that nobody can choose keys that meet.
@usableFromInline
package struct ByteHash {
    @usableFromInline let secret: UInt64
    @usableFromInline var state: UInt64

    @inlinable @inline(__always)
    package init(seeds: (UInt64, UInt64)) {
        state = seeds.0
        secret = seeds.1
    }

    /// 64 bits, all of which are good.
    @inlinable package var value: UInt64 { state }

    /// Folds in the bytes and how many they are.
    @inlinable @inline(__always)
    package mutating func add(_ text: Span<UInt8>) {
        // Safety: bytes have no padding. A load of eight bytes is unchecked, because a loop over single bytes costs several
        // times as much; each ends at or below the count, and every bit pattern is a UInt64.
        let bytes = unsafe text.bytes
        func word(_ slot: Int) -> UInt64 {
            unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: slot, as: UInt64.self)
        }
        let count = bytes.byteCount
        var slot = 0
        while slot &+ 16 < count {
            fold(word(slot), word(slot &+ 8))
            slot &+= 16
        }
        let first: UInt64
        var last: UInt64 = 0
        if count >= 8 {
            // The last words overlap those before them instead of reaching beyond the end.
            first = slot &+ 8 <= count ? word(slot) : word(count &- 8)
            last = word(count &- 8)
        } else {
            while slot < count {
                last = unsafe last &<< 8 | UInt64(bytes.unsafeLoad(fromUncheckedByteOffset: slot, as: UInt8.self))
                slot &+= 1
            }
            first = 0
        }
        fold(first, last)
        fold(UInt64(truncatingIfNeeded: count), 0)
    }

    @inlinable @inline(__always)
    package mutating func fold(_ one: UInt64, _ other: UInt64) {
        let (high, low) = (one ^ state).multipliedFullWidth(by: other ^ secret)
        state = high ^ low
    }

    /// Whether the bytes behind the pointer equal the span's.
    ///
    /// Safety: the caller guarantees that `kept` points to at least `bytes.byteCount` readable bytes. Each load ends at or
    /// below that count: the loop's condition and the guards say so.
    @inlinable @inline(__always)
    package static func areEqual(_ bytes: RawSpan, _ kept: UnsafeRawPointer) -> Bool {
        let count = bytes.byteCount
        var difference: UInt64 = 0
        var slot = 0
        while slot &+ 8 <= count {
            unsafe difference |=
                bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: slot, as: UInt64.self)
                ^ kept.loadUnaligned(fromByteOffset: slot, as: UInt64.self)
            slot &+= 8
        }
        if slot < count, count >= 8 {
            unsafe difference |=
                bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: count &- 8, as: UInt64.self)
                ^ kept.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            slot = count
        }
        while slot < count {
            unsafe difference |=
                UInt64(bytes.unsafeLoad(fromUncheckedByteOffset: slot, as: UInt8.self))
                ^ UInt64(kept.load(fromByteOffset: slot, as: UInt8.self))
            slot &+= 1
        }
        return difference == 0
    }
}
