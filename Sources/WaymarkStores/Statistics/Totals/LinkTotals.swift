package import WaymarkLinks

/// The clicks of one day on each of 64 links with consecutive ids, as `ClickCountPage` groups them: a row for each link and day
/// would take more room than the clicks of most links.
package struct LinkTotals: Sendable, Equatable {
    private static let bits: Int64 = 6
    private static let mask: Int64 = 1 << bits - 1

    /// By the low bits of the link's id.
    private var counts: [UInt8: ClickCount] = [:]

    package init() {}

    package static func page(of link: LinkID) -> Int64 { link.rawValue >> bits }

    /// Whether it has the clicks on long links of applications, and none of a link.
    package static func isOfLongLinks(page: Int64) -> Bool { link(0, of: page).isOfLongLinks }

    package static func link(_ index: UInt8, of page: Int64) -> LinkID {
        LinkID(rawValue: page << bits | Int64(index))
    }

    package func links(of page: Int64) -> [(link: LinkID, count: ClickCount)] {
        counts.sorted { $0.key < $1.key }.map { (Self.link($0.key, of: page), $0.value) }
    }

    package subscript(link: LinkID) -> ClickCount { counts[Self.index(of: link)] ?? ClickCount() }

    package mutating func add(_ count: ClickCount, of link: LinkID) {
        counts[Self.index(of: link), default: ClickCount()] += count
    }

    package mutating func merge(_ other: LinkTotals) {
        for (index, count) in other.counts { counts[index, default: ClickCount()] += count }
    }

    private static func index(of link: LinkID) -> UInt8 { UInt8(link.rawValue & mask) }

    /// Form 1: the form's number; for each link with clicks the low bits of its id, and its clicks.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.byte(1)
        for (index, count) in counts.sorted(by: { $0.key < $1.key }) {
            writer.byte(index)
            writer.count(count)
        }
        return writer.bytes
    }

    /// - Throws: `.corrupt` for bytes that `encoded` did not write.
    package init(encoded bytes: [UInt8]) throws(StoreError) {
        let damaged = StoreError.corrupt("click totals of links are damaged")
        var reader = BinaryReader(bytes[...])
        guard reader.byte() == 1 else { throw damaged }
        while !reader.isAtEnd {
            guard let index = reader.byte(), index <= Self.mask, let count = reader.count() else { throw damaged }
            counts[index] = count
        }
    }
}
