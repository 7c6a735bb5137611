package import WaymarkLinks

/// Human clicks per link since the last write.
package struct ClickCounts: Sendable, ExpressibleByDictionaryLiteral {
    package typealias Entry = (id: LinkID, count: Int)

    /// Sorted by ID, without duplicates: stores update their tables in this order.
    package let links: ArraySlice<Entry>

    /// - Parameter links: sorted by ID, without duplicates.
    package init(rising links: ArraySlice<Entry>) { self.links = links }

    package init(dictionaryLiteral links: (LinkID, Int)...) {
        self.init(rising: links.map { (id: $0.0, count: $0.1) }.sorted { $0.id.rawValue < $1.id.rawValue }[...])
    }
}
