import WaymarkBytes
import WaymarkLinks
package import WaymarkStores

/// A block, and the number of clicks in it.
package typealias PackedBlock = (block: ClickBlock, count: Int)

/// The clicks of a batch by day and link, from which blocks are made piece by piece: a block takes more memory than the
/// clicks in it, if these are few.
struct SortedClicks {
    /// The clicks of one link and day are packed into blocks of their own.
    private struct LinkDay: Equatable {
        let link: LinkID
        let day: Int
    }

    /// A piece ends with the first of these numbers that it reaches.
    private static let blocksOfPiece = 3_000
    private static let clicksOfPiece = 1 << 17
    /// The number of clicks between pauses; processing one takes up to 0.1 µs.
    private static let clicksBetweenPauses = 1_000

    private var entries: [ClickBatch.Entry]
    private var groups: [LinkDay] = []
    /// Where each group ends.
    private var ends: [Int] = []
    private var group = 0
    /// The clicks that are in blocks.
    private var packed = 0
    private var writer: ClickBlockWriter
    let profileCosts: Int

    /// Clicks that are not in blocks.
    var count: Int { entries.count - packed }

    /// - Parameter pause: called after each thousand clicks.
    init(_ batch: borrowing ClickBatch, pause: () -> Void = {}) {
        writer = ClickBlockWriter(batch.profiles)
        profileCosts = batch.profileCosts
        let count = batch.count
        var done = 0
        func proceed() {
            done += 1
            if done % Self.clicksBetweenPauses == 0 { pause() }
        }
        var indexes = Interner<LinkDay>()
        var counts: [Int] = []
        var indexOfEntry: [UInt32] = []
        indexOfEntry.reserveCapacity(count)
        for chunk in batch.entries {
            for entry in chunk {
                proceed()
                let index = LinkDay(link: entry.link, day: Timestamp(seconds: Int64(entry.second)).day)
                let number = indexes.number(of: index) { hash in
                    hash.fold(UInt64(bitPattern: index.link.rawValue), UInt64(truncatingIfNeeded: index.day))
                }
                if number == counts.count { counts.append(0) }
                counts[number] += 1
                indexOfEntry.append(UInt32(number))
            }
        }
        // Counting sort: the clicks of each group follow those of the previous groups.
        let order = indexes.keys.indices.sorted { one, other in
            let (one, other) = (indexes.keys[one], indexes.keys[other])
            return (one.day, one.link.rawValue) < (other.day, other.link.rawValue)
        }
        var places = [Int](repeating: 0, count: order.count)
        var sum = 0
        groups.reserveCapacity(order.count)
        ends.reserveCapacity(order.count)
        for index in order {
            places[index] = sum
            sum += counts[index]
            groups.append(indexes.keys[index])
            ends.append(sum)
        }
        // Safety: the counts of all groups add up to the number of entries, so that every element is initialised once.
        entries = unsafe [ClickBatch.Entry](unsafeUninitializedCapacity: count) { memory, initialized in
            var number = 0
            for chunk in batch.entries {
                for entry in chunk {
                    proceed()
                    let index = Int(indexOfEntry[number])
                    number += 1
                    unsafe memory.initializeElement(at: places[index], to: entry)
                    places[index] += 1
                }
            }
            initialized = count
        }
    }

    /// The next blocks, in the order used by stores; within a link and day, the clicks are in the order they were added.
    ///
    /// - Parameters:
    ///   - salts: by day; without one, nothing is stored that identifies visitors.
    ///   - number: returns a block's number, different each time.
    ///   - pause: called after each thousand clicks, or a larger block.
    /// - Returns: nil if all clicks are in blocks.
    mutating func nextBlocks(
        salts: [Int: SipHash], number: () -> Int64, pause: () -> Void = {}
    ) -> [PackedBlock]? {
        guard packed < entries.count else { return nil }
        var blocks: [PackedBlock] = []
        let bound = packed + Self.clicksOfPiece
        var paused = packed
        while packed < min(bound, entries.count), blocks.count < Self.blocksOfPiece {
            let (link, day) = (groups[group].link, groups[group].day)
            let end = min(packed + ClickBlock.capacity, ends[group])
            let count = end - packed
            writer.begin(day: day, salt: salts[day], clicks: count)
            for entry in entries[packed..<end] {
                writer.add(second: Int64(entry.second), subscriber: entry.subscriber, profile: Int(entry.profile))
            }
            let key = ClickBlock.Key(link: link, day: day, number: number())
            blocks.append((ClickBlock(key: key, bytes: writer.finish(), tally: writer.takeTally()), count))
            packed = end
            if packed == ends[group] { group += 1 }
            if packed - paused >= Self.clicksBetweenPauses {
                paused = packed
                pause()
            }
        }
        return blocks
    }
}
