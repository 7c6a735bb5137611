/// Clicks that wait to be written down: each is a few words here, whatever it says of its visitor, and nothing is looked
/// up for it but its link and what it shares with others.
package struct ClickBatch: Sendable {
    private struct Entry {
        let link: LinkID
        let subscriber: UInt64
        let second: Int64
        let profile: UInt32
    }

    /// What goes into blocks of its own.
    private struct LinkDay: Equatable {
        let link: LinkID
        let day: Int
    }

    private var entries: [Entry] = []
    private var profiles = Numbering<ClickProfile>()
    private var latest: (profile: ClickProfile, number: UInt32)?

    package init() {}

    package init(_ clicks: some Sequence<Click>) {
        for click in clicks { add(click) }
    }

    package var count: Int { entries.count }

    /// Only what one click after another can do with hardly a look at memory: what belongs together is found out in
    /// `blocks`, when the tables for it stay in the processor's cache.
    package mutating func add(_ click: Click) {
        entries.append(
            Entry(
                link: click.link, subscriber: click.subscriber, second: click.time.seconds,
                profile: number(of: ClickProfile(click))))
    }

    /// Keeps the memory, while it is in proportion to what it was used for.
    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: entries.count * 4 >= entries.capacity)
        profiles = Numbering()
        latest = nil
    }

    private mutating func number(of profile: ClickProfile) -> UInt32 {
        if let latest, latest.profile == profile { return latest.number }
        let number = UInt32(profiles.number(of: profile) { profile.fold(into: &$0) })
        latest = (profile, number)
        return number
    }

    /// The clicks as blocks, in the order in which stores keep them; within a link and day, in the order in which they
    /// were added.
    ///
    /// - Parameters:
    ///   - salts: by day; where there is none, nothing is kept that tells visitors apart.
    ///   - number: a block's number, another one each time.
    package func blocks(
        salts: [Int: SipHash], number: () -> Int64
    ) -> [(block: ClickBlock, count: Int)] {
        var places = Numbering<LinkDay>()
        var counts: [Int] = []
        let placeOfEntry = entries.map { entry in
            let place = LinkDay(link: entry.link, day: Timestamp(seconds: entry.second).day)
            let number = places.number(of: place) { hash in
                hash.fold(UInt64(bitPattern: place.link.rawValue), UInt64(truncatingIfNeeded: place.day))
            }
            if number == counts.count { counts.append(0) }
            counts[number] += 1
            return UInt32(number)
        }
        // Sorted by counting: each place's clicks go behind those of the places before it.
        let order = places.keys.indices.sorted { one, other in
            let (one, other) = (places.keys[one], places.keys[other])
            return (one.day, one.link.rawValue) < (other.day, other.link.rawValue)
        }
        var ends = [Int](repeating: 0, count: order.count)
        var sum = 0
        for place in order {
            ends[place] = sum
            sum += counts[place]
        }
        let sorted = [Entry](unsafeUninitializedCapacity: entries.count) { memory, count in
            for (entry, place) in zip(entries, placeOfEntry) {
                memory.initializeElement(at: ends[Int(place)], to: entry)
                ends[Int(place)] += 1
            }
            count = entries.count
        }
        var writer = ClickBlockWriter(profiles.keys)
        var blocks: [(block: ClickBlock, count: Int)] = []
        blocks.reserveCapacity(order.count)
        for place in order {
            let (link, day) = (places.keys[place].link, places.keys[place].day)
            var start = ends[place] - counts[place]
            while start < ends[place] {
                let end = min(start + ClickBlock.capacity, ends[place])
                writer.begin(day: day, salt: salts[day])
                for entry in sorted[start..<end] {
                    writer.add(second: entry.second, subscriber: entry.subscriber, profile: Int(entry.profile))
                }
                let key = ClickBlock.Key(link: link, day: day, number: number())
                blocks.append((ClickBlock(key: key, bytes: writer.finish()), end - start))
                start = end
            }
        }
        return blocks
    }
}
