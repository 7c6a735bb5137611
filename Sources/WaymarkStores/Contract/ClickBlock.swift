package import WaymarkLinks

/// Clicks of one link on one day, packed together: what one server writes down at one time.
///
/// A block is written once and never changed. Its key is chosen by who writes it, so that writing it again after an
/// answer that never came adds nothing.
package struct ClickBlock: Sendable, Equatable {
    /// Clicks in one block at most, so that nobody who reads one holds more.
    package static let capacity = 4_096

    /// The days that a block can be of: those whose moments a `Timestamp` can say.
    package static let days = -106_751_991_166...106_751_991_166

    package struct Key: Hashable, Sendable, Comparable {
        package var link: LinkID
        /// The day in UTC, as days since 1970-01-01.
        package var day: Int
        /// Tells the blocks of a day apart, over all servers; later ones are mostly greater. Any but `Int64.min`, which
        /// stands for the beginning of a day.
        package var number: Int64

        package init(link: LinkID, day: Int, number: Int64) {
            self.link = link
            self.day = day
            self.number = number
        }

        /// Where the block stands among all of a store: days first.
        package var order: (day: Int, link: Int64, number: Int64) { (day, link.rawValue, number) }

        package static func < (one: Key, other: Key) -> Bool {
            (one.link.rawValue, one.day, one.number) < (other.link.rawValue, other.day, other.number)
        }
    }

    package var key: Key
    /// What `ClickBlockWriter` wrote; stores look at none of it.
    package var bytes: [UInt8]

    package init(key: Key, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}
