import WaymarkLinks

/// Makes slugs that nobody can guess: one character more with each attempt that met a taken one.
struct SlugGenerator: Sendable {
    static let attempts = 8

    let randomBytes: @Sendable (_ count: Int) -> [UInt8]

    /// - Parameter attempt: 0 at first.
    func slug(attempt: Int) -> Slug {
        var bits = SecureBits(randomBytes: randomBytes)
        return Slug.generate(length: Slug.generatedLength + max(0, attempt), using: &bits)
    }
}

/// The secure random source as the standard library's generators want it, some words at a time.
struct SecureBits: RandomNumberGenerator {
    private let randomBytes: @Sendable (_ count: Int) -> [UInt8]
    private var words: [UInt64] = []

    init(randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.randomBytes = randomBytes
    }

    mutating func next() -> UInt64 {
        if words.isEmpty {
            var word: UInt64 = 0
            for (place, byte) in randomBytes(16).enumerated() {
                word = word << 8 | UInt64(byte)
                if place % 8 == 7 { words.append(word) }
            }
        }
        // A source that gives nothing is broken; better the same slug again and again than a crash.
        return words.popLast() ?? 0
    }
}
