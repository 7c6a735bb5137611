/// Tells requests apart without keeping them: FNV-1a with 128 bits over path and body. It need not withstand anybody: who
/// could write bodies that meet is the app itself, and the service compares the bodies.
enum RequestFingerprint {
    static func of(_ path: String, _ body: [UInt8]) -> String {
        var hash = Hash()
        for byte in path.utf8 { hash.add(byte) }
        // No byte of a path is zero, so nothing moves from the one to the other.
        hash.add(0)
        for byte in body { hash.add(byte) }
        return hash.text
    }

    /// The state of FNV-1a in two halves: `UInt128` needs iOS 18.
    private struct Hash {
        private var high: UInt64 = 0x6c62_272e_07bb_0142
        private var low: UInt64 = 0x62b8_2175_6295_c58d

        /// Times the prime 2^88 + 0x13b, modulo 2^128.
        mutating func add(_ byte: UInt8) {
            low ^= UInt64(byte)
            let product = low.multipliedFullWidth(by: 0x13b)
            high = high &* 0x13b &+ product.high &+ low << 24
            low = product.low
        }

        var text: String {
            let digits = String(low, radix: 16)
            guard high != 0 else { return digits }
            return String(high, radix: 16) + String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}
