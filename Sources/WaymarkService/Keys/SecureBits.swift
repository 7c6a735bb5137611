import Synchronization

/// The secure random source as the standard library's generators want it. Safe to use from any thread.
///
/// It draws a stock, because for a few bytes the source spends most of its time on getting ready.
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
            // A source that gives nothing is broken; better the same slug again and again than a crash.
            return words.popLast() ?? 0
        }
    }
}
