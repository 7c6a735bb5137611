/// Digests under which the store keeps what it must not say.
enum Digest {
    /// Each part behind its length, so that no two lists of parts read the same; the first says what it is for.
    static func of(_ parts: String..., sha256: (_ bytes: [UInt8]) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += Array("\(part.utf8.count):".utf8)
            bytes += Array(part.utf8)
        }
        return sha256(bytes)
    }
}
