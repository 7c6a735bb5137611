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
/// grows with its number of entries, so that a small one fits in the CPU's caches. Its entries then move to the larger one
/// some at a time, so that no visit waits for all of them. Bounded by the entries' estimated bytes.
///
/// Isolation: confined to the thread of its event loop.
///
/// Safety: a table is allocated by `init`, freed by `deinit`, and private. An index is `first(tag) ^ step` with `step` below
/// `reach`: the mask keeps the set below `setMask + 1`, there are at least 16 sets, and `reach` is two of them, so it is
/// below `slotCount`.
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

    /// A pointer, because arrays in a class cost exclusivity checks and reference counting for each visit.
    @safe
    private struct Table {
        let slots: UnsafeMutablePointer<Slot>
        let setMask: Int

        init(sets: Int) {
            setMask = sets - 1
            unsafe slots = UnsafeMutableRawPointer.allocate(byteCount: sets * setBytes, alignment: setBytes)
                .bindMemory(to: Slot.self, capacity: sets * ways)
            unsafe slots.initialize(repeating: Slot(), count: sets * ways)
        }

        var slotCount: Int { (setMask &+ 1) &* ways }

        /// The first slot for a tag; XOR with a step below `reach` gives the others.
        @inline(__always)
        func first(_ tag: UInt32) -> Int { (Int(truncatingIfNeeded: tag) & setMask) &* ways }

        func release() {
            unsafe slots.deinitialize(count: slotCount)
            unsafe slots.deallocate()
        }

        /// Of a table whose entries have all moved.
        func releaseEmpty() { unsafe slots.deallocate() }
    }

    private var table = Table(sets: 16)
    /// The table before it grew, with the entries that have not moved yet: those from `moved` on, unless they were looked for.
    private var former: Table?
    private var moved = 0
    /// With each insertion.
    private static let movedAtOnce = 64
    var slotCount: Int { table.slotCount }
    private var entryCount = 0
    private let byteLimit: Int
    private(set) var byteCount = 0
    /// Random, so that nobody can choose keys that evict each other.
    private let seeds: (UInt64, UInt64)
    private var hand = 0
    private let invalidationEpoch = InvalidationEpoch.shared
    /// Of redirects.
    let heads = SharedHeads()

    init(
        byteLimit: Int, seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))
    ) {
        self.byteLimit = byteLimit
        self.seeds = seeds
    }

    deinit {
        table.release()
        former?.release()
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
        guard let index = index(tag, slot: slot), let entry = unsafe table.slots[index].entry,
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
        if former != nil {
            moveSome(8)
            move(tag, slot: slot)
        }
        return firstIndex(for: tag) { $0.tag == tag && $0.classes & classBit != 0 } ?? alternateIndex(tag, slot: slot)
    }

    /// The index of the entry in the alternate set. Not inlined, because it is rarely there.
    @inline(never)
    private func alternateIndex(_ tag: UInt32, slot: Int) -> Int? {
        let classBit = Self.classBit(slot)
        return firstIndex(for: Self.secondTag(tag, slot: slot)) { $0.tag == tag && $0.classes & classBit != 0 }
    }

    /// Uses an existing entry with the same bytes and response for this class, too; false if there is none. An entry in
    /// an alternate set is only found by its own class.
    func share(
        _ status: Status, _ fields: HeaderFields, body: [UInt8] = [], clickID: ClickID? = nil,
        to destination: Click.Destination, _ tag: UInt32, slot: Int, _ bytes: Span<UInt8>, _ host: ByteRange,
        _ path: ByteRange, choice: RuleSelector.Choice? = nil, now: Timestamp
    ) -> Bool {
        if former != nil { move(tag, slot: slot) }
        let index = firstIndex(for: tag) { index in
            guard index.tag == tag, let entry = index.entry else { return false }
            return entry.isFor(bytes, host, path) && entry.choice == choice
                && entry.says(status, fields, body: body, clickID: clickID, to: destination)
                && !entry.isStale(invalidationEpoch.current) && entry.isValid(at: now)
        }
        guard let index else { return false }
        unsafe table.slots[index].classes |= Self.classBit(slot)
        return true
    }

    /// Inserts an entry, which the cache then owns, and evicts others if necessary.
    func insert(_ entry: VisitEntry, _ tag: UInt32, slot: Int) {
        moveSome(Self.movedAtOnce)
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
            ?? table.first(tag) ^ Int(tag >> 28) & (Self.reach - 1)
        drop(index)
        unsafe table.slots[index] = Slot(tag: tag, classes: Self.classBit(slot), entry: entry)
        entryCount += 1
        byteCount += entry.byteCount
        makeRoom()
    }

    /// Notes that an entry takes more bytes than when it was inserted.
    func grew(by count: Int) {
        byteCount += count
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
        let first = table.first(tag)
        for step in 0..<Self.reach where unsafe fits(table.slots[first ^ step]) { return first ^ step }
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

    @inline(__always)
    private static func classBit(_ slot: Int) -> UInt32 {
        precondition(slot >= 0 && slot < VisitorClass.slotCount, "no class of visitors has this slot")
        return 1 &<< UInt32(slot)
    }

    private func drop(_ index: Int) {
        guard let entry = unsafe table.slots[index].entry else { return }
        unsafe table.slots[index] = Slot()
        entryCount -= 1
        byteCount -= entry.byteCount
    }

    /// Evicts entries in turn: an entry in use is made again with the next visit.
    private func makeRoom() {
        while byteCount > byteLimit, entryCount > 0 {
            if let former {
                dropFormer(former)
                continue
            }
            hand = hand < slotCount ? hand : 0
            drop(hand)
            hand += 1
        }
    }

    /// Doubles the number of sets.
    private func grow() {
        while former != nil { moveSome(Self.movedAtOnce) }
        former = table
        moved = 0
        table = Table(sets: 2 * (table.setMask + 1))
    }

    // MARK: Moving to a larger table

    /// Moves the entries that may be those of a tag and a class. Not inlined, because the table seldom grows.
    @inline(never)
    private func move(_ tag: UInt32, slot: Int) {
        guard let former else { return }
        let (first, second) = (former.first(tag), former.first(Self.secondTag(tag, slot: slot)))
        for step in 0..<Self.reach {
            move(first ^ step, of: former)
            move(second ^ step, of: former)
        }
    }

    private func moveSome(_ count: Int) {
        guard let former else { return }
        let end = min(moved + count, former.slotCount)
        while moved < end {
            move(moved, of: former)
            moved += 1
        }
        if moved == former.slotCount {
            former.releaseEmpty()
            self.former = nil
        }
    }

    /// Drops the entry that would move next.
    private func dropFormer(_ former: Table) {
        if let entry = unsafe former.slots[moved].entry {
            unsafe former.slots[moved] = Slot()
            entryCount -= 1
            byteCount -= entry.byteCount
        }
        moveSome(1)
    }

    /// Entries in alternate sets may not find a slot, and are made again with their next visit.
    private func move(_ index: Int, of former: Table) {
        let old = unsafe former.slots + index
        guard let entry = unsafe old.pointee.entry else { return }
        let (tag, classes) = unsafe (old.pointee.tag, old.pointee.classes)
        // An entry in an alternate set has one class. If others share it, all of them find it in the first set.
        let slot = classes.trailingZeroBitCount
        if let free = firstIndex(for: tag, where: { $0.tag == 0 })
            ?? (classes == Self.classBit(slot) ? freeIndex(tag, slot: slot) : nil)
        {
            unsafe table.slots[free] = Slot(tag: tag, classes: classes, entry: entry)
        } else {
            entryCount -= 1
            byteCount -= entry.byteCount
        }
        unsafe old.pointee = Slot()
    }
}
