/// Keys that the store was asked for since the last refresh, so that it is asked for each only once, and for few in all:
/// callers that try random keys must not keep it busy.
struct UnknownKeys: Sendable {
    static let limit = 100
    private var digests: Set<[UInt8]> = []

    /// Whether the store may be asked for the key of that digest; true at most once for each.
    mutating func admit(_ digest: [UInt8]) -> Bool {
        digests.count < Self.limit && digests.insert(digest).inserted
    }

    mutating func forgetAll() {
        if !digests.isEmpty { digests.removeAll(keepingCapacity: true) }
    }
}
