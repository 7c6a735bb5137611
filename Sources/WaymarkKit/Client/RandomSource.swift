/// Random numbers for ids and for spreading retries.
final class RandomSource: Sendable {
    private let generator: LockedValue<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = LockedValue(generator)
    }

    func next() -> UInt64 {
        generator.withLock { $0.next() }
    }

    /// A number in 0 ..< 1.
    func fraction() -> Double {
        Double(next() >> 11) / Double(UInt64(1) << 53)
    }

    /// A random UUID (RFC 9562, section 5.4) in lower case.
    func identifier() -> String {
        let high = next() & 0xffff_ffff_ffff_0fff | 0x4000
        let low = next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var identifier = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { identifier.append("-") }
            identifier.append(digit)
        }
        return identifier
    }
}
