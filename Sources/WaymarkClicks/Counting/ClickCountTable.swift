import WaymarkLinks
import WaymarkStores

/// How many clicks each link has, for as many as were clicked lately.
///
/// A table of its own instead of a Dictionary, because every click passes through it, and a keyed hash would cost as much
/// as half of parsing the request: ids are ours, nobody chooses them. At most half full.
struct ClickCountTable {
    private struct Slot {
        var id: Int64 = 0
        /// 0 where there is none.
        var count = 0
    }

    private var slots: [Slot] = []
    /// 64 minus the bits of a place's number.
    private var shift: UInt64 = 64
    /// How many links have clicks.
    private(set) var links = 0

    subscript(id: LinkID) -> Int {
        guard !slots.isEmpty else { return 0 }
        return slots[slot(of: id.rawValue)].count
    }

    /// Adds to what the link has.
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

    /// In the order of the links; nothing is left.
    mutating func takeAll() -> [ClickCounts.Entry] {
        var taken: [ClickCounts.Entry] = []
        taken.reserveCapacity(links)
        for slot in slots where slot.count > 0 { taken.append((LinkID(rawValue: slot.id), slot.count)) }
        taken.sort { $0.id.rawValue < $1.id.rawValue }
        // The memory stays while it is in proportion to what it is used for.
        if slots.count > 4_096, links * 8 < slots.count {
            slots = []
            shift = 64
        } else {
            for slot in slots.indices { slots[slot].count = 0 }
        }
        links = 0
        return taken
    }

    /// Where the link stands, or would: there is always a free place.
    private func slot(of id: Int64) -> Int {
        // Multiplied by 2^64 over the golden ratio, ids that follow one another are spread as far apart as can be.
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
