package import WaymarkLinks

/// How often people clicked some links since they were last written down.
package struct ClickCounts: Sendable, ExpressibleByDictionaryLiteral {
    package typealias Entry = (id: LinkID, count: Int)

    /// In rising order of the ids, each once: stores go through their tables in that order.
    package let links: ArraySlice<Entry>

    /// - Parameter links: In rising order of the ids, each once.
    package init(rising links: ArraySlice<Entry>) { self.links = links }

    package init(dictionaryLiteral links: (LinkID, Int)...) {
        self.init(rising: links.map { (id: $0.0, count: $0.1) }.sorted { $0.id.rawValue < $1.id.rawValue }[...])
    }
}
