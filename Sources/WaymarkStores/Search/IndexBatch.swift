import Synchronization
package import WaymarkLinks

/// One step in bringing the search index up to date.
package enum IndexStep: Sendable {
    /// To index the links that changed since they were indexed.
    case changes
    /// To index new links, up to this ID.
    case new(through: Int64)
    case merge([SearchPart])

    /// Maximum number of changed links in one batch.
    package static let changeLimit = 4_096
    /// From so many on they are indexed: until then, each search examines them.
    private static let changesWorthwhile = 256
    private static let linksWorthwhile = 1_024

    /// The next step; nil if the index is up to date, or nearly so.
    ///
    /// - Parameters:
    ///   - changes: the number of changes, counted up to `changeLimit`.
    ///   - last: the highest ID of a link.
    ///   - all: whether it must be up to date.
    package static func next(_ state: SearchState, changes: Int, last: Int64, all: Bool) -> IndexStep? {
        if let first = state.unindexed?.lowerBound, last - first + 1 >= (all ? 1 : linksWorthwhile) {
            // Up to the end of a segment, so that one that is indexed at once has one part.
            return .new(through: min(last, (first >> SearchSegment.bits + 1) << SearchSegment.bits - 1))
        }
        if changes >= (all ? 1 : changesWorthwhile) { return .changes }
        for parts in Dictionary(grouping: state.parts, by: \.segment).values {
            if let merging = SearchPart.merging(parts) { return .merge(merging) }
        }
        return nil
    }
}

/// New parts of the search index, and what else is kept for listings of their links.
package struct IndexBatch: Sendable {
    package struct NewPart: Sendable {
        package var part: SearchPart
        package var leaves: [SearchLeaf]
    }

    package var parts: [NewPart] = []
    package var expiries: [(link: LinkID, expiresAt: Timestamp)] = []
    package var clicks: [(link: LinkID, clicks: Int)] = []

    package init() {}
}

package struct IndexBatchBuilder {
    private var builders: [Int64: SearchPartBuilder] = [:]
    private var batch = IndexBatch()

    package init() {}

    package mutating func add(_ link: Link) { add(link.id, link.slug, link.content, clicks: link.clicks) }

    /// - Parameter content: at least what `LinkContentCodec.decodeIndexed` reads of it.
    package mutating func add(_ id: LinkID, _ slug: Slug, _ content: LinkContent, clicks: Int) {
        let segment = SearchSegment.number(of: id)
        builders[segment, default: SearchPartBuilder(segment: segment)].add(id, slug, content)
        if let end = content.expiresAt { batch.expiries.append((id, end)) }
        if clicks > 0 { batch.clicks.append((id, clicks)) }
    }

    package mutating func add(leaf: [UInt8], of segment: Int64) throws(StoreError) {
        try builders[segment, default: SearchPartBuilder(segment: segment)].add(leaf: leaf)
    }

    /// - Parameter parts: the parts that there are, for the numbers of the new ones.
    package consuming func build(besides parts: [SearchPart]) -> IndexBatch {
        var last: [Int64: Int64] = [:]
        for part in parts { last[part.segment] = max(last[part.segment] ?? 0, part.number) }
        for (segment, builder) in builders.sorted(by: { $0.key < $1.key }) where !builder.isEmpty {
            let (leaves, links) = builder.build()
            let part = SearchPart(segment: segment, number: (last[segment] ?? 0) + 1, links: links)
            batch.parts.append(IndexBatch.NewPart(part: part, leaves: leaves))
        }
        return batch
    }
}

/// Links that were clicked since the order by clicks was last updated.
package final class ClickedLinks: Sendable {
    private struct State {
        var links: Set<LinkID> = []
        var next = ContinuousClock.now
    }

    /// The order is updated this often: doing so costs more than counting a click.
    private static let interval = Duration.seconds(10)

    private let state = Mutex(State())

    package init() {}

    package func note(_ counts: ClickCounts) {
        state.withLock { state in
            for (id, count) in counts.links where count > 0 { state.links.insert(id) }
        }
    }

    package func note(_ ids: [LinkID]) { state.withLock { $0.links.formUnion(ids) } }

    /// Removes at most `limit` links, in ascending order; they must be noted again if their order could not be written.
    ///
    /// - Parameter all: also before the interval has passed.
    package func take(_ limit: Int, all: Bool) -> [LinkID] {
        state.withLock { state in
            guard all || .now >= state.next else { return [] }
            let taken = Array(state.links.prefix(limit))
            state.links.subtract(taken)
            if state.links.isEmpty { state.next = .now + Self.interval }
            return taken.sorted { $0.rawValue < $1.rawValue }
        }
    }
}
