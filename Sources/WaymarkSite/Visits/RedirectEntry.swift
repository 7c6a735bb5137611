import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// One link's finished redirects, for visits that bring no query: one response for each class of visitors, made when
/// the first of the class came by.
///
/// One piece of memory, because out of many links each is mostly far from the processor: behind the head what each slot's
/// response leads to (for the record of the click), host and path as they came, and a reference, or nil, for each slot.
///
/// Isolation: confined to the thread of its event loop.
final class RedirectEntry: ManagedBuffer<RedirectEntry.Head, UInt64> {
    struct Head {
        fileprivate let link: LinkID
        fileprivate let validUntil: Int64
        fileprivate let campaign: Click.Name?
        /// The entry's own reference; unmanaged, because it would be counted with each look otherwise.
        fileprivate let cached: Unmanaged<CachedLink>
        fileprivate let hash: UInt64
        fileprivate let hostCount: Int32
        fileprivate let keyCount: Int32
        fileprivate var byteCount: Int
    }

    /// - Parameter key: host and path as they came, one behind the other.
    static func make(
        key: [UInt8], hostCount: Int, hash: UInt64, cached: CachedLink, validUntil: Timestamp?
    ) -> RedirectEntry {
        let words = (destinationBytes + key.count + 7) / 8 + VisitorClass.slotCount
        let buffer = create(minimumCapacity: words) { _ in
            Head(
                link: cached.link.id, validUntil: validUntil?.rawValue ?? .max, campaign: cached.campaign,
                cached: .passRetained(cached), hash: hash, hostCount: Int32(hostCount), keyCount: Int32(key.count),
                byteCount: 96 + words * 8)
        }
        let entry = unsafeDowncast(buffer, to: RedirectEntry.self)
        entry.withUnsafeMutablePointerToElements { $0.initialize(repeating: 0, count: words) }
        entry.destinations.initialize(repeating: .web, count: VisitorClass.slotCount)
        key.withUnsafeBytes {
            entry.key.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(entry.key), byteCount: $0.count)
        }
        entry.responses.initialize(repeating: nil, count: VisitorClass.slotCount)
        return entry
    }

    deinit {
        for slot in 0..<VisitorClass.slotCount { responses[slot]?.release() }
        head.pointee.cached.release()
    }

    var hash: UInt64 { head.pointee.hash }
    /// Borrowed for as long as the entry lives.
    var cached: Unmanaged<CachedLink> { head.pointee.cached }
    var link: LinkID { head.pointee.link }
    var campaign: Click.Name? { head.pointee.campaign }
    /// When time alone changes what the link is; `.max`: never.
    var validUntil: Int64 { head.pointee.validUntil }
    /// Estimated memory.
    var byteCount: Int { head.pointee.byteCount }

    /// Whether host and path are these.
    @inline(__always)
    func isFor(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Bool {
        let hostCount = Int(head.pointee.hostCount)
        guard host.count == hostCount, host.count &+ path.count == Int(head.pointee.keyCount) else { return false }
        return ByteHash.areEqual(bytes.extracting(host.indices).bytes, key)
            && ByteHash.areEqual(bytes.extracting(path.indices).bytes, key + hostCount)
    }

    /// Borrowed, because counting references costs more than finding the response: the entry keeps it.
    ///
    /// - Precondition: `slot` is within `0..<VisitorClass.slotCount`.
    @inline(__always)
    subscript(slot: Int) -> Unmanaged<PreparedResponse>? {
        precondition(slot >= 0 && slot < VisitorClass.slotCount, "no class of visitors has this slot")
        return responses[slot]
    }

    /// - Precondition: as of the subscript.
    @inline(__always)
    func destination(slot: Int) -> Click.Destination {
        precondition(slot >= 0 && slot < VisitorClass.slotCount, "no class of visitors has this slot")
        return destinations[slot]
    }

    /// Keeps a response and gives the bytes that this adds. Classes that get the same share it.
    func set(_ status: Status, _ fields: HeaderBlock, _ destination: Click.Destination, slot: Int) -> Int {
        guard self[slot] == nil else { return 0 }
        destinations[slot] = destination
        for other in 0..<VisitorClass.slotCount {
            guard let known = responses[other]?.takeUnretainedValue(), known.says(status, fields) else { continue }
            responses[slot] = .passRetained(known)
            return 0
        }
        let response = PreparedResponse.make(status, fields: fields, route: Site.visitRoute)
        responses[slot] = .passRetained(response)
        let added = response.byteCount + 96
        head.pointee.byteCount += added
        return added
    }

    // Where the parts stand; they live as long as the object. Each slot has a byte and, behind the key, a word.

    private static let destinationBytes = VisitorClass.slotCount * MemoryLayout<Click.Destination>.stride

    /// Instead of `header`, which is checked for exclusivity with each look.
    @inline(__always)
    private var head: UnsafeMutablePointer<Head> { withUnsafeMutablePointerToHeader { $0 } }

    @inline(__always)
    private var start: UnsafeMutableRawPointer { withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } }

    @inline(__always)
    private var destinations: UnsafeMutablePointer<Click.Destination> {
        start.assumingMemoryBound(to: Click.Destination.self)
    }

    @inline(__always)
    private var key: UnsafeMutableRawPointer { start + Self.destinationBytes }

    @inline(__always)
    private var responses: UnsafeMutablePointer<Unmanaged<PreparedResponse>?> {
        let words = (Self.destinationBytes &+ Int(head.pointee.keyCount) &+ 7) / 8
        return (start + words &* 8).assumingMemoryBound(to: Unmanaged<PreparedResponse>?.self)
    }
}
