package import WaymarkLinks

/// Clicks of one link on one day, packed by one server in one write.
///
/// A block is immutable. The writer chooses its key, so that repeating a write after a lost response adds nothing.
package struct ClickBlock: Sendable, Equatable {
    /// Maximum number of clicks per block, which limits the memory of readers.
    package static let capacity = 4_096

    /// The possible days: those in the range of `Timestamp`.
    package static let days = -106_751_991_166...106_751_991_166

    package struct Key: Hashable, Sendable, Comparable {
        package var link: LinkID
        /// The UTC day, in days since 1970-01-01.
        package var day: Int
        /// Distinguishes the blocks of a day across all servers; usually increasing. Must not be `Int64.min`, which
        /// represents the start of a day.
        package var number: Int64

        package init(link: LinkID, day: Int, number: Int64) {
            self.link = link
            self.day = day
            self.number = number
        }

        /// The position of the block in a store: by day first.
        package var order: (day: Int, link: Int64, number: Int64) { (day, link.rawValue, number) }

        package static func < (one: Key, other: Key) -> Bool {
            (one.link.rawValue, one.day, one.number) < (other.link.rawValue, other.day, other.number)
        }
    }

    package var key: Key
    /// Written by `ClickBlockWriter`; opaque to stores.
    package var bytes: [UInt8]
    /// What the bytes add to totals, if that is known without reading them. Never stored.
    package var tally: ClickTally?

    package init(key: Key, bytes: [UInt8], tally: ClickTally? = nil) {
        self.key = key
        self.bytes = bytes
        self.tally = tally
    }

    package static func == (one: ClickBlock, other: ClickBlock) -> Bool {
        one.key == other.key && one.bytes == other.bytes
    }
}
