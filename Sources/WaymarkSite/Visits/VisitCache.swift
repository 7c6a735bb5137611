import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// Cached responses by the raw bytes of host and path and the visitor's class, for one event loop: a hit neither
/// allocates nor locks. Classes with the same response for a link share an entry.
///
/// A set-associative table: a key is in one of the eight slots of its set, which fill two cache lines, or if these are
/// taken in one of the eight slots of the neighbouring set; so lookups stay fast, even with chosen keys. Entries of one
/// link for several classes collide in one set, so each class also has an alternate set (two-choice hashing). The table
/// grows with its number of entries, so that a small one fits in the CPU's caches. Bounded by the entries' estimated
/// bytes.
///
/// Isolation: confined to the thread of its event loop.
///
/// Safety: the table is allocated by `makeSlots`, freed by `grow` or `deinit`, and private. An index is
/// `first(tag) ^ step` with `step` below `reach`: the mask keeps the set below `setMask + 1`, there are at least 16
/// sets, and `reach` is two of them, so it is below `slotCount`.
@safe
final class VisitCache {
    private struct Slot {
        /// The hash of the entry's key, with the highest bit set; its low bits choose the set. 0 for a free slot.
        var tag: UInt32 = 0
        /// A bitmap of the visitor classes to which the entry applies.
        var classes: UInt32 = 0
        var entry: VisitEntry?
    }

    private static let ways = 8
    /// The slots of a set and its neighbour.
    private static let reach = 2 * ways
    private static let setBytes = ways * MemoryLayout<Slot>.stride

    // A pointer, because arrays in a class cost exclusivity checks and reference counting for each visit.
    private var slots: UnsafeMutablePointer<Slot>
    private var setMask: Int
    var slotCount: Int { (setMask &+ 1) &* Self.ways }
    private var entryCount = 0
    private let byteLimit: Int
    private(set) var byteCount = 0
    /// Random, so that nobody can choose keys that evict each other.
    private let seeds: (UInt64, UInt64)
    private var hand = 0
    private let invalidationEpoch = InvalidationEpoch.shared

    init(
        byteLimit: Int, seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))
    ) {
        self.byteLimit = byteLimit
        self.seeds = seeds
        setMask = 15
        unsafe slots = unsafe Self.makeSlots(setMask + 1)
    }

    deinit {
        unsafe slots.deinitialize(count: slotCount)
        unsafe slots.deallocate()
    }

    /// The tag of a host's path.
    @inline(__always)
    func tag(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> UInt32 {
        var hash = ByteHash(seeds: seeds)
        hash.add(bytes.extracting(host.indices))
        hash.add(bytes.extracting(path.indices))
        return UInt32(truncatingIfNeeded: hash.value) | 1 << 31
    }

    /// The tag of a page in a language other than English, derived from the tag of its host and path.
    static func tag(_ tag: UInt32, in language: PageLanguage) -> UInt32 {
        // Fibonacci hashing (2^32 over the golden ratio) spreads the languages far apart.
        language == .english ? tag : (tag ^ UInt32(language.rawValue) &* 0x9E37_79B9) | 1 << 31
    }

    /// The tag of a response that a choice of rules leads to, derived from the tag of its host and path.
    static func tag(_ tag: UInt32, of choice: RuleSelector.Choice) -> UInt32 {
        // As for languages, with another factor (2^32 over the plastic number), so that the two don't meet.
        (tag ^ (choice.number &+ 1) &* 0xC13F_A9A9) | 1 << 31
    }

    /// The entry for these bytes, borrowed until the cache changes; drops an entry whose link is stale.
    ///
    /// - Parameters:
    ///   - tag: the tag of host and path.
    ///   - slot: the slot of the visitor's class.
    @inline(__always)
    func entry(
        _ tag: UInt32, slot: Int, _ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange
    ) -> VisitEntry? {
        guard let index = index(tag, slot: slot), let entry = unsafe slots[index].entry,
            entry.isFor(bytes, host, path)
        else { return nil }
        guard !entry.isStale(invalidationEpoch.current) else {
            drop(index)
            return nil
        }
        return entry
    }

    /// The index of the entry for a tag and a class, if there is one.
    @inline(__always)
    private func index(_ tag: UInt32, slot: Int) -> Int? {
        let classBit = Self.classBit(slot)
        return firstIndex(for: tag) { $0.tag == tag && $0.classes & classBit != 0 } ?? alternateIndex(tag, slot: slot)
    }

    /// The index of the entry in the alternate set. Not inlined, because it is rarely there.
    @inline(never)
    private func alternateIndex(_ tag: UInt32, slot: Int) -> Int? {
        let classBit = Self.classBit(slot)
        return firstIndex(for: Self.secondTag(tag, slot: slot)) { $0.tag == tag && $0.classes & classBit != 0 }
    }

    /// Uses an existing entry with the same bytes and response for this class, too; nil if there is none. An entry in
    /// an alternate set is only found by its own class.
    func share(
        _ status: Status, _ fields: HeaderFields, body: [UInt8] = [], clickID: ClickID? = nil,
        to destination: Click.Destination, _ tag: UInt32, slot: Int, _ bytes: Span<UInt8>, _ host: ByteRange,
        _ path: ByteRange, choice: RuleSelector.Choice? = nil, now: Timestamp
    ) -> VisitEntry? {
        let index = firstIndex(for: tag) { index in
            guard index.tag == tag, let entry = index.entry else { return false }
            return entry.isFor(bytes, host, path) && entry.choice == choice
                && entry.says(status, fields, body: body, clickID: clickID, to: destination)
                && !entry.isStale(invalidationEpoch.current) && entry.isValid(at: now)
        }
        guard let index else { return nil }
        unsafe slots[index].classes |= Self.classBit(slot)
        return unsafe slots[index].entry
    }

    /// Inserts an entry, which the cache then owns, and evicts others if necessary.
    func insert(_ entry: VisitEntry, _ tag: UInt32, slot: Int) {
        // An entry for the same key and class is outdated, or it belongs to another key with the same tag, and the two
        // alternate.
        if let index = index(tag, slot: slot) { drop(index) }
        // Above three eighths, many keys would be outside of their set, or have no slot.
        if entryCount * 8 > slotCount * 3, mayGrow { grow() }
        // If links are visited by many classes, two sets may not be enough.
        while freeIndex(tag, slot: slot) == nil, entryCount * 16 > slotCount, mayGrow { grow() }
        let index =
            freeIndex(tag, slot: slot)
            ?? firstIndex(for: tag) { $0.entry?.isStale(invalidationEpoch.current) == true }
            ?? first(tag) ^ Int(tag >> 28) & (Self.reach - 1)
        drop(index)
        unsafe slots[index] = Slot(tag: tag, classes: Self.classBit(slot), entry: entry)
        entryCount += 1
        byteCount += entry.byteCount
        makeRoom()
    }

    /// Whether twice as many slots take less than a quarter of the bytes, beyond those of the entries.
    private var mayGrow: Bool { 2 * slotCount * MemoryLayout<Slot>.stride <= max(byteLimit / 4, 1 << 16) }

    static func key(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> [UInt8] {
        host.copy(of: bytes) + path.copy(of: bytes)
    }

    /// The first slot that fits, among those possible for an entry with this tag, in order of preference.
    @inline(__always)
    private func firstIndex(for tag: UInt32, where fits: (borrowing Slot) -> Bool) -> Int? {
        let first = first(tag)
        for step in 0..<Self.reach where unsafe fits(slots[first ^ step]) { return first ^ step }
        return nil
    }

    private func freeIndex(_ tag: UInt32, slot: Int) -> Int? {
        firstIndex(for: tag) { $0.tag == 0 } ?? firstIndex(for: Self.secondTag(tag, slot: slot)) { $0.tag == 0 }
    }

    /// A tag whose first set is the alternate set for that tag and class.
    private static func secondTag(_ tag: UInt32, slot: Int) -> UInt32 {
        // Fibonacci hashing (2^32 over the golden ratio) spreads similar tags and classes far apart.
        let mixed = (tag &+ UInt32(slot) &+ 1) &* 0x9E37_79B9
        return mixed ^ mixed >> 15
    }

    /// The first slot for a tag; XOR with a step below `reach` gives the others.
    @inline(__always)
    private func first(_ tag: UInt32) -> Int {
        (Int(truncatingIfNeeded: tag) & setMask) &* Self.ways
    }

    @inline(__always)
    private static func classBit(_ slot: Int) -> UInt32 {
        precondition(slot >= 0 && slot < VisitorClass.slotCount, "no class of visitors has this slot")
        return 1 &<< UInt32(slot)
    }

    private func drop(_ index: Int) {
        guard let entry = unsafe slots[index].entry else { return }
        unsafe slots[index] = Slot()
        entryCount -= 1
        byteCount -= entry.byteCount
    }

    /// Evicts entries in turn: an entry in use is made again with the next visit.
    private func makeRoom() {
        while byteCount > byteLimit, entryCount > 0 {
            hand = hand < slotCount ? hand : 0
            drop(hand)
            hand += 1
        }
    }

    /// Doubles the number of sets. Entries of two neighbouring sets then have four; those in alternate sets may not
    /// find a slot, and are made again with their next visit.
    private func grow() {
        let (old, oldCount) = unsafe (slots, slotCount)
        setMask = setMask * 2 + 1
        unsafe slots = unsafe Self.makeSlots(setMask + 1)
        for index in 0..<oldCount where unsafe old[index].tag != 0 {
            // An entry in an alternate set has one class. If others share it, all of them find it in the first set.
            let slot = unsafe old[index].classes.trailingZeroBitCount
            if let free = unsafe firstIndex(for: old[index].tag, where: { $0.tag == 0 })
                ?? (old[index].classes == Self.classBit(slot) ? freeIndex(old[index].tag, slot: slot) : nil)
            {
                unsafe slots[free] = unsafe old[index]
            } else if let entry = unsafe old[index].entry {
                entryCount -= 1
                byteCount -= entry.byteCount
            }
        }
        unsafe old.deinitialize(count: oldCount)
        unsafe old.deallocate()
    }

    private static func makeSlots(_ sets: Int) -> UnsafeMutablePointer<Slot> {
        let slots = unsafe UnsafeMutableRawPointer.allocate(byteCount: sets * setBytes, alignment: setBytes)
            .bindMemory(to: Slot.self, capacity: sets * ways)
        unsafe slots.initialize(repeating: Slot(), count: sets * ways)
        return unsafe slots
    }
}
