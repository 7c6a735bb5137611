/// SplitMix64: the same choices in each run.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    mutating func one<Element>(_ of: [Element]) -> Element { of[Int.random(in: 0..<of.count, using: &self)] }
    mutating func often(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
