package import WaymarkLinks

/// Human clicks per link since the last write.
package struct ClickCounts: Sendable, ExpressibleByDictionaryLiteral {
    package typealias Entry = (id: LinkID, count: Int)

    /// Sorted by ID, without duplicates: stores update their tables in this order.
    package let links: ArraySlice<Entry>

    /// How many of the clicks used up nothing of their link's `maxClicks`, where any did.
    package let free: [LinkID: Int]

    /// - Parameters:
    ///   - links: sorted by ID, without duplicates.
    ///   - free: of some of the links, not more than their clicks.
    package init(rising links: ArraySlice<Entry>, free: [LinkID: Int] = [:]) {
        self.links = links
        self.free = free
    }

    package init(dictionaryLiteral links: (LinkID, Int)...) {
        self.init(rising: links.map { (id: $0.0, count: $0.1) }.sorted { $0.id.rawValue < $1.id.rawValue }[...])
    }
}
