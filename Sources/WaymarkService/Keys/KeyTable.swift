import WaymarkLinks
import WaymarkStores

/// A snapshot of the stored keys, indexed by digest.
struct KeyTable: Sendable {
    private let buckets: [UInt64: [StoredKey]]
    let keys: [StoredKey]

    init(_ keys: [StoredKey]) {
        self.keys = keys
        buckets = Dictionary(grouping: keys) { Self.bucket(of: $0.digest) }
    }

    /// The key with this digest. The bucket is selected by the start of the digest, which reveals nothing to an
    /// attacker, because it can't be controlled without inverting SHA-256. The full comparison takes constant time.
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
