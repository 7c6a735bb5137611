import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// Finished answers by the raw bytes of host and path and the visitor's class, for one event loop: a hit allocates
/// nothing, takes no lock and counts no reference. Classes that get the same from a link share an entry.
///
/// A table of small sets: a key stands in one of eight places, which fill two lines of the processor's cache, or where they
/// were taken in one of the eight beside them; neither a search nor a crowd of chosen keys takes longer. A link's entries for
/// several classes crowd there, so that each class has a second home besides, elsewhere for each. The table grows with what it
/// holds, so that a small one stays near the processor. Bounded by the entries' estimated bytes.
///
/// Isolation: confined to the thread of its event loop.
///
/// Safety: the table is allocated by `makeSlots`, freed by `grow` or `deinit`, and seen by nobody else. An index is
/// `first(tag) ^ step` with `step` below `reach`: the mask keeps the set below `setMask + 1`, there are at least 16 sets, and
/// `reach` is two of them, so it is below `slotCount`. The cache owns its entries: each is released once, when it leaves the
/// table, and what `entry` returns is used before the cache changes.
@safe
final class VisitCache {
    private struct Slot {
        /// The hash of the entry's key, with the highest bit set; its low bits choose the set. 0 where there is none.
        var tag: UInt32 = 0
        /// The classes of visitors that the entry is for, a bit each.
        var classes: UInt32 = 0
        var entry: VisitEntry?
    }

    private static let ways = 8
    /// Its set, and the one beside it.
    private static let reach = 2 * ways
    private static let setBytes = ways * MemoryLayout<Slot>.stride

    // Behind a pointer: arrays in a class cost checks for exclusivity and reference counts with each visit.
    private var slots: UnsafeMutablePointer<Slot>
    private var setMask: Int
    var slotCount: Int { (setMask &+ 1) &* Self.ways }
    private var entryCount = 0
    private let byteLimit: Int
    private(set) var byteCount = 0
    /// Chosen at random, so that nobody can choose keys that push each other out.
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
        for index in 0..<slotCount { unsafe slots[index].entry?.release() }
        unsafe slots.deallocate()
    }

    /// The tag under which a host's path is looked for.
    @inline(__always)
    func tag(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> UInt32 {
        var hash = ByteHash(seeds: seeds)
        hash.add(bytes.extracting(host.indices))
        hash.add(bytes.extracting(path.indices))
        return UInt32(truncatingIfNeeded: hash.value) | 1 << 31
    }

    /// The tag of a page in another language than English, which stands under the tag of its host and path.
    static func tag(_ tag: UInt32, in language: PageLanguage) -> UInt32 {
        // Multiplied by 2^32 over the golden ratio, so that the languages come far apart.
        language == .english ? tag : (tag ^ UInt32(language.rawValue) &* 0x9E37_79B9) | 1 << 31
    }

    /// The entry for these bytes, borrowed until the cache changes; one whose link is stale is dropped.
    ///
    /// - Parameters:
    ///   - tag: that of host and path.
    ///   - slot: of the visitor's class.
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

    /// Where the entry of a tag and a class stands, if there is one.
    @inline(__always)
    private func index(_ tag: UInt32, slot: Int) -> Int? {
        let classBit = Self.classBit(slot)
        return firstIndex(for: tag) { $0.tag == tag && $0.classes & classBit != 0 } ?? alternateIndex(tag, slot: slot)
    }

    /// Where the entry stands in the second home. A call by itself, because it is seldom there.
    @inline(never)
    private func alternateIndex(_ tag: UInt32, slot: Int) -> Int? {
        let classBit = Self.classBit(slot)
        return firstIndex(for: Self.secondTag(tag, slot: slot)) { $0.tag == tag && $0.classes & classBit != 0 }
    }

    /// Lets an entry for these bytes that says the same be for this class too; false where there is none. One in its second
    /// home is found by its own class only.
    func share(
        _ status: Status, _ fields: HeaderFields, body: [UInt8] = [], clickID: ClickID? = nil,
        to destination: Click.Destination, _ tag: UInt32, slot: Int, _ bytes: Span<UInt8>, _ host: ByteRange,
        _ path: ByteRange, now: Timestamp
    ) -> Bool {
        let index = firstIndex(for: tag) { index in
            guard index.tag == tag, let entry = index.entry else { return false }
            return entry.isFor(bytes, host, path)
                && entry.says(status, fields, body: body, clickID: clickID, to: destination)
                && !entry.isStale(invalidationEpoch.current) && now.rawValue < entry.validUntil
        }
        guard let index else { return false }
        unsafe slots[index].classes |= Self.classBit(slot)
        return true
    }

    /// Makes room for an entry and takes it over.
    func insert(_ entry: VisitEntry, _ tag: UInt32, slot: Int) {
        // What is there for the same key and class is not good any more; or the tags of two keys are alike, and they take
        // turns.
        if let index = index(tag, slot: slot) { drop(index) }
        // Three eighths: with more, many a key would stand beside its set, or nowhere.
        if entryCount * 8 > slotCount * 3 { grow() }
        // Where links are visited by many classes, two homes may not do.
        while freeIndex(tag, slot: slot) == nil, entryCount * 16 > slotCount { grow() }
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

    static func key(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> [UInt8] {
        host.copy(of: bytes) + path.copy(of: bytes)
    }

    /// Among the places where an entry with this tag may stand, the best first, the first that fits.
    @inline(__always)
    private func firstIndex(for tag: UInt32, where fits: (borrowing Slot) -> Bool) -> Int? {
        let first = first(tag)
        for step in 0..<Self.reach where unsafe fits(slots[first ^ step]) { return first ^ step }
        return nil
    }

    private func freeIndex(_ tag: UInt32, slot: Int) -> Int? {
        firstIndex(for: tag) { $0.tag == 0 } ?? firstIndex(for: Self.secondTag(tag, slot: slot)) { $0.tag == 0 }
    }

    /// Whose first home is the second one of that tag's entry for the class.
    private static func secondTag(_ tag: UInt32, slot: Int) -> UInt32 {
        // Multiplied by 2^32 over the golden ratio, tags and classes that are alike come far apart.
        let mixed = (tag &+ UInt32(slot) &+ 1) &* 0x9E37_79B9
        return mixed ^ mixed >> 15
    }

    /// The first of the best places for an entry with this tag. By XOR with a step below `reach` come the others.
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
        entry.release()
    }

    /// Drops whatever the hand comes by: an entry that is in use comes back with the next visit.
    private func makeRoom() {
        while byteCount > byteLimit, entryCount > 0 {
            hand = hand < slotCount ? hand : 0
            drop(hand)
            hand += 1
        }
    }

    /// Twice the sets. What stood in two sets that are beside each other has four of them now; what stood in a second home may
    /// find none, and comes back with its next visit.
    private func grow() {
        let (old, oldCount) = unsafe (slots, slotCount)
        setMask = setMask * 2 + 1
        unsafe slots = unsafe Self.makeSlots(setMask + 1)
        for index in 0..<oldCount where unsafe old[index].tag != 0 {
            // One in its second home has one class. Where others share it, it is found in the first by all of them.
            let slot = unsafe old[index].classes.trailingZeroBitCount
            if let free = unsafe firstIndex(for: old[index].tag, where: { $0.tag == 0 })
                ?? (old[index].classes == Self.classBit(slot) ? freeIndex(old[index].tag, slot: slot) : nil)
            {
                unsafe slots[free] = unsafe old[index]
            } else if let entry = unsafe old[index].entry {
                entryCount -= 1
                byteCount -= entry.byteCount
                entry.release()
            }
        }
        unsafe old.deallocate()
    }

    private static func makeSlots(_ sets: Int) -> UnsafeMutablePointer<Slot> {
        let slots = unsafe UnsafeMutableRawPointer.allocate(byteCount: sets * setBytes, alignment: setBytes)
            .bindMemory(to: Slot.self, capacity: sets * ways)
        unsafe slots.initialize(repeating: Slot(), count: sets * ways)
        return unsafe slots
    }
}
