/// Keys looked up in the store since the last refresh. Limits lookups to one per key and a small total, so that
/// callers with random keys can't overload the store.
struct UnknownKeys: Sendable {
    static let limit = 100
    private var digests: Set<[UInt8]> = []

    /// Whether the key with this digest may be looked up; true at most once per key.
    mutating func admit(_ digest: [UInt8]) -> Bool {
        digests.count < Self.limit && digests.insert(digest).inserted
    }

    mutating func forgetAll() {
        if !digests.isEmpty { digests.removeAll(keepingCapacity: true) }
    }
}
