/// Digests used as keys for values that the store must not reveal.
enum Digest {
    /// Each part is prefixed with its length, so that different lists never have the same bytes; the first part is
    /// the purpose.
    static func of(_ parts: String..., sha256: (_ bytes: [UInt8]) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += Array("\(part.utf8.count):".utf8)
            bytes += Array(part.utf8)
        }
        return sha256(bytes)
    }
}
