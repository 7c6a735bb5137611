import Synchronization

/// The secure random source as a `RandomNumberGenerator`. Thread-safe.
///
/// Reads ahead, because small reads are dominated by the fixed cost of the source.
final class SecureBits: RandomNumberGenerator, Sendable {
    /// In words.
    private static let stock = 64

    private let randomBytes: @Sendable (_ count: Int) -> [UInt8]
    private let words = Mutex<[UInt64]>([])

    init(randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.randomBytes = randomBytes
    }

    func next() -> UInt64 {
        words.withLock { words in
            if words.isEmpty {
                let bytes = randomBytes(Self.stock * 8)
                for start in stride(from: 0, to: bytes.count - 7, by: 8) {
                    words.append(bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
                }
            }
            // An empty read means that the source is broken; repeated slugs are better than a crash.
            return words.popLast() ?? 0
        }
    }
}
