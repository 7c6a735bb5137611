import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// One link's finished redirects, for visits that bring no query: one response for each class of visitors, made when
/// the first of the class came by.
final class RedirectEntry {
    /// Host and path as they came, one behind the other.
    let key: [UInt8]
    let hash: UInt64
    let cached: CachedLink
    /// When time alone changes what the link is; nil: never.
    let validUntil: Timestamp?
    private var responses: [Response?]
    /// Estimated memory.
    private(set) var byteCount: Int

    init(key: [UInt8], hash: UInt64, cached: CachedLink, validUntil: Timestamp?) {
        self.key = key
        self.hash = hash
        self.cached = cached
        self.validUntil = validUntil
        responses = Array(repeating: nil, count: VisitorClass.slotCount)
        byteCount = 256 + key.count + VisitorClass.slotCount * MemoryLayout<Response?>.stride
    }

    subscript(slot: Int) -> Response? { responses[slot] }

    /// Keeps a response and gives the bytes that this adds.
    func set(_ response: Response, slot: Int) -> Int {
        guard responses[slot] == nil else { return 0 }
        responses[slot] = response
        let added = response.fields.bytes.count + 64
        byteCount += added
        return added
    }
}
