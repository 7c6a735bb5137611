/// SplitMix64: the same numbers for the same seed on every machine, so that a failing case can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

extension SeededGenerator {
    /// A text in which everything that a URL's syntax knows turns up often, and the rest of Unicode sometimes.
    mutating func text(upTo length: Int) -> String {
        let pieces = [
            ":", "/", "//", "?", "#", "&", "=", "@", "[", "]", "%", "%2F", "%zz", "%FF", "+", " ", ".", "..", "a",
            "shop",
            "42", "é", "e\u{301}", "\u{301}", "🙂", "\u{0}", "\n", "_hk_cid=", "\\", ";",
        ]
        return (0..<Int.random(in: 0...length, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }
            .joined()
    }
}
