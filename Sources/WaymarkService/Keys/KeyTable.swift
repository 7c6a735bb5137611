import WaymarkLinks

/// The stored keys at one moment, found by digest.
struct KeyTable: Sendable {
    private let buckets: [UInt64: [StoredKey]]
    let keys: [StoredKey]

    init(_ keys: [StoredKey]) {
        self.keys = keys
        buckets = Dictionary(grouping: keys) { Self.bucket(of: $0.digest) }
    }

    /// The key of that digest. The bucket is chosen by the digest's beginning, which tells a guesser nothing: it can't
    /// be steered without inverting SHA-256. The comparison of the whole takes the same time wherever they differ.
    func key(digest: [UInt8]) -> StoredKey? {
        buckets[Self.bucket(of: digest)]?.first { Self.equal($0.digest, digest) }
    }

    static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }

    private static func bucket(of digest: [UInt8]) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
