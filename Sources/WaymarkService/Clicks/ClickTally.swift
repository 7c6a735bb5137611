import WaymarkLinks

/// How many clicks each link has, for as many as were clicked lately.
///
/// A table of its own instead of a Dictionary, because every click passes through it, and a keyed hash would cost as much
/// as half of parsing the request: ids are ours, nobody chooses them. At most half full.
struct ClickTally {
    private struct Place {
        var id: Int64 = 0
        /// 0 where there is none.
        var count = 0
    }

    private var places: [Place] = []
    /// 64 minus the bits of a place's number.
    private var shift: UInt64 = 64
    /// How many links have clicks.
    private(set) var links = 0

    subscript(id: LinkID) -> Int {
        guard !places.isEmpty else { return 0 }
        return places[place(of: id.rawValue)].count
    }

    /// Adds to what the link has.
    mutating func add(_ count: Int, of id: LinkID) {
        guard count > 0 else { return }
        if links * 2 >= places.count { grow() }
        let place = place(of: id.rawValue)
        if places[place].count == 0 {
            places[place].id = id.rawValue
            links += 1
        }
        places[place].count &+= count
    }

    /// In the order of the links; nothing is left.
    mutating func takeAll() -> [ClickCounts.Entry] {
        var taken: [ClickCounts.Entry] = []
        taken.reserveCapacity(links)
        for place in places where place.count > 0 { taken.append((LinkID(rawValue: place.id), place.count)) }
        taken.sort { $0.id.rawValue < $1.id.rawValue }
        // The memory stays while it is in proportion to what it is used for.
        if places.count > 4_096, links * 8 < places.count {
            places = []
            shift = 64
        } else {
            for place in places.indices { places[place].count = 0 }
        }
        links = 0
        return taken
    }

    /// Where the link stands, or would: there is always a free place.
    private func place(of id: Int64) -> Int {
        // Multiplied by 2^64 over the golden ratio, ids that follow one another are spread as far apart as can be.
        var place = Int((UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while places[place].count > 0, places[place].id != id { place = (place + 1) & (places.count - 1) }
        return place
    }

    private mutating func grow() {
        let old = places
        places = [Place](repeating: Place(), count: max(64, old.count * 2))
        shift = UInt64(64 - places.count.trailingZeroBitCount)
        for entry in old where entry.count > 0 { places[place(of: entry.id)] = entry }
    }
}
