/// Tells requests apart without keeping them: FNV-1a with 128 bits over path and body. It need not withstand anybody: who
/// could write bodies that meet is the app itself, and the service compares the bodies.
enum RequestFingerprint {
    static func of(_ path: String, _ body: [UInt8]) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b
        for byte in path.utf8 {
            hash = (hash ^ UInt128(byte)) &* prime
        }
        // No byte of a path is zero, so nothing moves from the one to the other.
        hash = hash &* prime
        for byte in body {
            hash = (hash ^ UInt128(byte)) &* prime
        }
        return String(hash, radix: 16)
    }
}
