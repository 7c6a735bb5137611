package import WaymarkBytes
package import WaymarkLinks
import WaymarkStores

/// Clicks waiting to be written: each takes a few words, whatever its visitor's properties, and only its link and
/// profile are looked up.
package struct ClickBatch: Sendable {
    /// 24 bytes, of which there may be millions.
    struct Entry {
        let link: LinkID
        let subscriber: UInt64
        /// Unix time, until the year 2106.
        let second: UInt32
        let profile: UInt32
    }

    /// The memory of a waiting click.
    package static let clickBytes = MemoryLayout<Entry>.stride
    /// Clicks whose memory is taken at once: an array of all would take twice as much when it grows.
    private static let chunk = 1 << 14

    /// Memory that profiles may take, in bytes. Visitors choose some values, so anyone can send any number of profiles:
    /// beyond this, what visitors choose freely becomes the rest, and no click is lost.
    package static let profileBytes = 16 << 20
    /// For profiles without such values, which have names that users of the API choose. Beyond this, profiles consist
    /// of values of which only a few thousand combinations exist.
    private static let reducedBytes = 4 << 20

    /// The memory of a profile here and while it is packed, without its texts.
    private static let profileCost = 640

    /// The first `used` ones have clicks, and all of these but the last are full; the others are for reuse.
    private var chunks: [[Entry]] = []
    private var used = 0
    /// By number, as assigned by `numbers`.
    private(set) var profiles: [ClickProfile] = []
    private var numbers = Interner<ClickProfile.Identity>()
    private var latest: (identity: ClickProfile.Identity, number: UInt32)?
    /// The memory of all profiles, as estimated.
    package private(set) var profileCosts = 0

    package init() {}

    package init(_ clicks: [Click]) { add(clicks.span) }

    package var count: Int { used == 0 ? 0 : (used - 1) * Self.chunk + chunks[used - 1].count }

    /// In the order they were added.
    var entries: ArraySlice<[Entry]> { chunks[..<used] }

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
            if used == 0 || chunks[used - 1].count == Self.chunk { openChunk() }
            chunks[used - 1].append(
                Entry(
                    link: clicks[index].link, subscriber: clicks[index].subscriber,
                    second: UInt32(clamping: clicks[index].time.seconds), profile: number))
        }
    }

    private mutating func openChunk() {
        if used == chunks.count {
            chunks.append([])
            chunks[used].reserveCapacity(Self.chunk)
        }
        used += 1
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
        chunks.removeSubrange(min(chunks.count, used * 4)...)
        for index in 0..<min(used, chunks.count) { chunks[index].removeAll(keepingCapacity: true) }
        used = 0
        profiles = []
        numbers = Interner()
        latest = nil
        profileCosts = 0
    }

    /// The clicks as blocks, as `SortedClicks` makes them.
    package func blocks(
        salts: [Int: SipHash], number: () -> Int64, pause: () -> Void = {}
    ) -> [PackedBlock] {
        var clicks = SortedClicks(self, pause: pause)
        var blocks: [PackedBlock] = []
        while let next = clicks.nextBlocks(salts: salts, number: number, pause: pause) { blocks += next }
        return blocks
    }
}
