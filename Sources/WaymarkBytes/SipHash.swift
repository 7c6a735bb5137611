/// SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed 64-bit MAC of short messages, cheap enough for every click.
package struct SipHash: Sendable {
    private let low: UInt64
    private let high: UInt64

    /// - Parameter key: 16 bytes; nil for any other number.
    package init?(key: [UInt8]) {
        guard key.count == 16 else { return nil }
        low = SipHash.word(key[0..<8])
        high = SipHash.word(key[8..<16])
    }

    package func hash(_ message: [UInt8]) -> UInt64 {
        var state = State(low, high)
        let whole = message.count & ~7
        for start in stride(from: 0, to: whole, by: 8) { state.absorb(SipHash.word(message[start..<start + 8])) }
        return state.finish(SipHash.word(message[whole...]), count: message.count)
    }

    /// The hash of 16 bytes, given as two little-endian words, without an array.
    package func hash(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var state = State(low, high)
        state.absorb(first)
        state.absorb(second)
        return state.finish(0, count: 16)
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct State {
        private var a, b, c, d: UInt64

        init(_ low: UInt64, _ high: UInt64) {
            a = low ^ 0x736f_6d65_7073_6575
            b = high ^ 0x646f_7261_6e64_6f6d
            c = low ^ 0x6c79_6765_6e65_7261
            d = high ^ 0x7465_6462_7974_6573
        }

        @inline(__always)
        mutating func absorb(_ word: UInt64) {
            d ^= word
            round()
            round()
            a ^= word
        }

        @inline(__always)
        mutating func finish(_ rest: UInt64, count: Int) -> UInt64 {
            absorb(rest | UInt64(truncatingIfNeeded: count) << 56)
            c ^= 0xFF
            for _ in 0..<4 { round() }
            return a ^ b ^ c ^ d
        }

        @inline(__always)
        private mutating func round() {
            a &+= b
            b = State.rotate(b, 13) ^ a
            a = State.rotate(a, 32)
            c &+= d
            d = State.rotate(d, 16) ^ c
            a &+= d
            d = State.rotate(d, 21) ^ a
            c &+= b
            b = State.rotate(b, 17) ^ c
            c = State.rotate(c, 32)
        }

        @inline(__always)
        private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
    }
}
