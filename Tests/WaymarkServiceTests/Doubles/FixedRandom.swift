import Synchronization

/// Bytes that look random and are the same in each run (splitmix64), or scripted ones first.
final class FixedRandom: Sendable {
    private struct State {
        var seed: UInt64 = 42
        var scripted: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// The next calls give these, cut or repeated to the length asked for.
    func script(_ chunks: [[UInt8]]) { state.withLock { $0.scripted = chunks } }

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            if !state.scripted.isEmpty {
                let chunk = state.scripted.removeFirst()
                return (0..<count).map { chunk[$0 % chunk.count] }
            }
            return (0..<count).map { _ in
                state.seed &+= 0x9E37_79B9_7F4A_7C15
                var word = state.seed
                word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
                return UInt8(truncatingIfNeeded: word ^ (word >> 31))
            }
        }
    }
}
