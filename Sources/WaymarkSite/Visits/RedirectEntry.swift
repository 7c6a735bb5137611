import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// One link's finished redirects, for visits that bring no query: one response for each class of visitors, made when
/// the first of the class came by.
///
/// Isolation: confined to the thread of its event loop. All that a hit looks at is a constant or behind a pointer, because
/// variables of a class would be checked for exclusivity with each visit.
final class RedirectEntry {
    let hash: UInt64
    let cached: CachedLink
    let link: LinkID
    let campaign: Click.Name?
    /// When time alone changes what the link is; `.max`: never.
    let validUntil: Int64
    /// How many bytes of the key are the host.
    let hostCount: Int
    let keyCount: Int
    /// A reference, or nil, for each slot; behind them host and path as they came. Allocated in init for as long as the
    /// object lives.
    private let memory: UnsafeMutablePointer<Unmanaged<PreparedResponse>?>
    /// What each slot's response leads to, for the record of the click. As long-lived as `memory`.
    private let destinations: UnsafeMutablePointer<Click.Destination>
    /// Estimated memory.
    private(set) var byteCount: Int

    /// - Parameter key: host and path as they came, one behind the other.
    init(key: [UInt8], hostCount: Int, hash: UInt64, cached: CachedLink, validUntil: Timestamp?) {
        self.hash = hash
        self.cached = cached
        link = cached.link.id
        campaign = cached.campaign
        self.validUntil = validUntil?.rawValue ?? .max
        self.hostCount = hostCount
        keyCount = key.count
        let slots = VisitorClass.slotCount
        let size = slots * MemoryLayout<Unmanaged<PreparedResponse>?>.stride + key.count
        let raw = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<Unmanaged<PreparedResponse>?>.alignment)
        memory = raw.bindMemory(to: Unmanaged<PreparedResponse>?.self, capacity: slots)
        memory.initialize(repeating: nil, count: slots)
        destinations = .allocate(capacity: slots)
        destinations.initialize(repeating: .web, count: slots)
        let end = UnsafeMutableRawPointer(memory + slots)
        key.withUnsafeBytes { end.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(end), byteCount: $0.count) }
        byteCount = 224 + size
    }

    deinit {
        for slot in 0..<VisitorClass.slotCount { memory[slot]?.release() }
        memory.deallocate()
        destinations.deallocate()
    }

    /// Whether host and path are these.
    @inline(__always)
    func isFor(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Bool {
        guard host.count == hostCount, host.count &+ path.count == keyCount else { return false }
        let key = UnsafeRawPointer(memory + VisitorClass.slotCount)
        return ByteHash.areEqual(bytes.extracting(host.indices).bytes, key)
            && ByteHash.areEqual(bytes.extracting(path.indices).bytes, key + hostCount)
    }

    /// Borrowed, because counting references costs more than finding the response: the entry keeps it.
    ///
    /// - Precondition: `slot` is within `0..<VisitorClass.slotCount`.
    @inline(__always)
    subscript(slot: Int) -> Unmanaged<PreparedResponse>? {
        precondition(slot >= 0 && slot < VisitorClass.slotCount, "no class of visitors has this slot")
        return memory[slot]
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
            guard let known = memory[other]?.takeUnretainedValue(), known.says(status, fields) else { continue }
            memory[slot] = .passRetained(known)
            return 0
        }
        let response = PreparedResponse(status, fields: fields, route: Site.visitRoute)
        memory[slot] = .passRetained(response)
        let added = response.byteCount + 96
        byteCount += added
        return added
    }
}
