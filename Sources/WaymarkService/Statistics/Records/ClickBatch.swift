package import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Clicks waiting to be written: each takes a few words, whatever its visitor's properties, and only its link and
/// profile are looked up.
package struct ClickBatch: Sendable {
    /// 24 bytes, of which there may be millions.
    private struct Entry {
        let link: LinkID
        let subscriber: UInt64
        /// Unix time, until the year 2106.
        let second: UInt32
        let profile: UInt32
    }

    /// The clicks of one link and day are packed into blocks of their own.
    private struct LinkDay: Equatable {
        let link: LinkID
        let day: Int
    }

    /// Memory that profiles may take, in bytes. Visitors choose some values, so anyone can send any number of profiles:
    /// beyond this, what visitors choose freely becomes the rest, and no click is lost.
    package static let profileBytes = 16 << 20
    /// For profiles without such values, which have names that users of the API choose. Beyond this, profiles consist
    /// of values of which only a few thousand combinations exist.
    private static let reducedBytes = 4 << 20

    /// The memory of a profile here and while it is packed, without its texts.
    private static let profileCost = 640

    /// The number of clicks between pauses; processing one takes up to 0.1 µs.
    private static let piece = 1_000

    private var entries: [Entry] = []
    /// By number, as assigned by `numbers`.
    private var profiles: [ClickProfile] = []
    private var numbers = Interner<ClickProfile.Identity>()
    private var latest: (identity: ClickProfile.Identity, number: UInt32)?
    /// The memory of all profiles, as estimated.
    package private(set) var profileCosts = 0

    package init() {}

    package init(_ clicks: [Click]) { add(clicks.span) }

    package var count: Int { entries.count }

    package mutating func add(_ click: Click) {
        let one = CollectionOfOne(click)
        add(one.span)
    }

    /// Only does work that hardly accesses memory, as clicks arrive one by one: grouping is done in `blocks`, while
    /// its tables stay in the CPU's caches.
    package mutating func add(_ clicks: Span<Click>) {
        for index in clicks.indices {
            let identity = ClickProfile.Identity(clicks[index].profile)
            let number: UInt32
            if let latest, latest.identity == identity {
                number = latest.number
            } else if profileCosts < Self.profileBytes {
                number = UInt32(numbers.number(of: identity) { identity.fold(into: &$0) })
                if number == profiles.count { append(clicks[index].profile) }
                latest = (identity, number)
            } else {
                number = reducedNumber(of: clicks[index].profile)
            }
            entries.append(
                Entry(
                    link: clicks[index].link, subscriber: clicks[index].subscriber,
                    second: UInt32(clamping: clicks[index].time.seconds), profile: number))
        }
    }

    private mutating func append(_ profile: ClickProfile) {
        profiles.append(profile)
        let texts = (profile.referrerHost?.text.utf8.count ?? 0) + (profile.campaign?.text.utf8.count ?? 0)
        // Each text is there as it came, and packed.
        profileCosts += Self.profileCost + 2 * texts
    }

    /// The number of a profile while there are too many: its own one if it has one, else that of a profile with fewer
    /// values. Not kept as `latest`, because names that no profile refers to may be freed.
    private mutating func reducedNumber(of profile: ClickProfile) -> UInt32 {
        func known(_ profile: ClickProfile) -> UInt32? {
            let identity = ClickProfile.Identity(profile)
            return numbers.existing(identity) { identity.fold(into: &$0) }.map { UInt32($0) }
        }
        if let number = known(profile) { return number }
        var reduced = profile.withoutVisitorsChoices
        if let number = known(reduced) { return number }
        if profileCosts >= Self.profileBytes + Self.reducedBytes { reduced = profile.withoutNames }
        let identity = ClickProfile.Identity(reduced)
        let number = numbers.number(of: identity) { identity.fold(into: &$0) }
        if number == profiles.count { append(reduced) }
        return UInt32(number)
    }

    /// Keeps the memory if its size is in proportion to its use.
    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: entries.count * 4 >= entries.capacity)
        profiles = []
        numbers = Interner()
        latest = nil
        profileCosts = 0
    }

    /// The clicks as blocks, in the order used by stores; within a link and day, in the order they were added.
    ///
    /// - Parameters:
    ///   - range: Of the clicks, in the order they were added; nil for all.
    ///   - salts: by day; without one, nothing is stored that identifies visitors.
    ///   - number: returns a block's number, different each time.
    ///   - pause: called after each thousand clicks, or a larger block.
    package func blocks(
        of range: Range<Int>? = nil, salts: [Int: SipHash], number: () -> Int64, pause: () -> Void = {}
    ) -> [(block: ClickBlock, count: Int)] {
        let entries = entries[range ?? 0..<entries.count]
        var done = 0
        func went(_ clicks: Int) {
            done += clicks
            guard done >= Self.piece else { return }
            done = 0
            pause()
        }
        var indexes = Interner<LinkDay>()
        var counts: [Int] = []
        let indexOfEntry = entries.map { entry in
            went(1)
            let index = LinkDay(link: entry.link, day: Timestamp(seconds: Int64(entry.second)).day)
            let number = indexes.number(of: index) { hash in
                hash.fold(UInt64(bitPattern: index.link.rawValue), UInt64(truncatingIfNeeded: index.day))
            }
            if number == counts.count { counts.append(0) }
            counts[number] += 1
            return UInt32(number)
        }
        // Counting sort: the clicks of each group follow those of the previous groups.
        let order = indexes.keys.indices.sorted { one, other in
            let (one, other) = (indexes.keys[one], indexes.keys[other])
            return (one.day, one.link.rawValue) < (other.day, other.link.rawValue)
        }
        var ends = [Int](repeating: 0, count: order.count)
        var sum = 0
        for index in order {
            ends[index] = sum
            sum += counts[index]
        }
        // Safety: the counts of all groups add up to the number of entries, so that every element is initialised once.
        let sorted = unsafe [Entry](unsafeUninitializedCapacity: entries.count) { memory, count in
            for (entry, index) in zip(entries, indexOfEntry) {
                went(1)
                unsafe memory.initializeElement(at: ends[Int(index)], to: entry)
                ends[Int(index)] += 1
            }
            count = entries.count
        }
        var writer = ClickBlockWriter(profiles)
        var blocks: [(block: ClickBlock, count: Int)] = []
        blocks.reserveCapacity(order.count)
        for index in order {
            let (link, day) = (indexes.keys[index].link, indexes.keys[index].day)
            var start = ends[index] - counts[index]
            while start < ends[index] {
                let end = min(start + ClickBlock.capacity, ends[index])
                went(end - start)
                writer.begin(day: day, salt: salts[day], clicks: end - start)
                for entry in sorted[start..<end] {
                    writer.add(second: Int64(entry.second), subscriber: entry.subscriber, profile: Int(entry.profile))
                }
                let key = ClickBlock.Key(link: link, day: day, number: number())
                blocks.append((ClickBlock(key: key, bytes: writer.finish(), tally: writer.takeTally()), end - start))
                start = end
            }
        }
        return blocks
    }
}
