import WaymarkLinks
import WaymarkStores

/// The number of clicks per link, for recently clicked links.
///
/// A custom table rather than a Dictionary, because every click uses it and a keyed hash would cost half as much as
/// parsing the request; a keyed hash is unnecessary, because the server assigns the IDs. At most half full.
struct ClickCountTable {
    private struct Slot {
        var id: Int64 = 0
        /// 0 for a free slot.
        var count = 0
    }

    private var slots: [Slot] = []
    /// 64 minus the number of bits of a slot's index.
    private var shift: UInt64 = 64
    /// The number of links with clicks.
    private(set) var links = 0

    subscript(id: LinkID) -> Int {
        guard !slots.isEmpty else { return 0 }
        return slots[slot(of: id.rawValue)].count
    }

    /// Adds to the link's clicks.
    mutating func add(_ count: Int, of id: LinkID) {
        guard count > 0 else { return }
        if links * 2 >= slots.count { grow() }
        let slot = slot(of: id.rawValue)
        if slots[slot].count == 0 {
            slots[slot].id = id.rawValue
            links += 1
        }
        slots[slot].count &+= count
    }

    /// Removes and returns all counts, sorted by link.
    mutating func takeAll() -> [ClickCounts.Entry] {
        var taken: [ClickCounts.Entry] = []
        taken.reserveCapacity(links)
        for slot in slots where slot.count > 0 { taken.append((LinkID(rawValue: slot.id), slot.count)) }
        taken.sort { $0.id.rawValue < $1.id.rawValue }
        // Keeps the memory if its size is in proportion to its use.
        if slots.count > 4_096, links * 8 < slots.count {
            slots = []
            shift = 64
        } else {
            for slot in slots.indices { slots[slot].count = 0 }
        }
        links = 0
        return taken
    }

    /// The slot of the link, or a free one for it: there always is one.
    private func slot(of id: Int64) -> Int {
        // Fibonacci hashing (2^64 over the golden ratio) spreads consecutive IDs far apart.
        var slot = Int((UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while slots[slot].count > 0, slots[slot].id != id { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: max(64, old.count * 2))
        shift = UInt64(64 - slots.count.trailingZeroBitCount)
        for entry in old where entry.count > 0 { slots[slot(of: entry.id)] = entry }
    }
}
