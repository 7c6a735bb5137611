package import WaymarkLinks

/// Reads the index of one store. All functions read one snapshot of it.
package protocol SearchIndexReader {
    /// What is indexed, and what is not yet.
    func state() throws -> SearchState
    /// Links that were changed after they were indexed, in the order of the listing, at most `limit`.
    func changed(after id: LinkID?, ascending: Bool, limit: Int) throws -> [LinkID]
    /// The application's links in the order of the listing, at most `limit`.
    func links(
        of application: ApplicationID, after id: LinkID?, ascending: Bool, limit: Int
    ) throws -> [LinkID]
    /// For each segment, the links that have a word with this beginning, if the index has them.
    func links(_ prefix: [UInt8], in segments: [[SearchPart]]) throws -> [SearchBitmap]
    /// Examines links with these IDs, which are in the order of the listing; false if the page has ended.
    func examine(_ ids: [LinkID], into page: inout LinkPageBuilder) throws -> Bool
    /// Examines all links in the range, in the order of the listing; false if the page has ended.
    func examine(_ range: ClosedRange<Int64>, ascending: Bool, into page: inout LinkPageBuilder) throws -> Bool
    /// How many segments to look up at once, at first and at most.
    var segmentsAtOnce: ClosedRange<Int> { get }
}

/// Which links are indexed.
package struct SearchState: Sendable {
    /// In ascending order of the segments.
    package var parts: [SearchPart]
    /// The IDs that are not indexed yet, apart from changed ones.
    package var unindexed: ClosedRange<Int64>?

    package init(parts: [SearchPart], unindexed: ClosedRange<Int64>?) {
        self.parts = parts
        self.unindexed = unindexed
    }
}

/// A search by words, in the order of creation.
package struct SearchScan<Reader: SearchIndexReader> {
    /// Maximum number of changed links to read at once.
    private static var changesAtOnce: Int { 5_000 }

    /// An application with at most so many links is searched without the index: that costs a few milliseconds, however
    /// many links of others have the words, and tells nothing about them.
    private static var linksWithoutIndex: Int { 2_000 }

    private let reader: Reader
    private let application: ApplicationID?
    private let words: [[UInt8]]
    private let isAscending: Bool

    /// - Parameter application: the only one whose links may match; nil: all.
    package init(_ reader: Reader, of application: ApplicationID?, words: SearchWords, ascending: Bool) {
        self.reader = reader
        self.application = application
        self.words = words.words.map { Array($0.prefix(SearchSegment.wordLimit)) }
        isAscending = ascending
    }

    package func run(after: LinkID?, into page: inout LinkPageBuilder) throws {
        if let application {
            let own = try reader.links(
                of: application, after: after, ascending: isAscending, limit: Self.linksWithoutIndex + 1)
            if own.count <= Self.linksWithoutIndex {
                _ = try reader.examine(own, into: &page)
                return
            }
        }
        let state = try reader.state()
        let changed = try reader.changed(after: after, ascending: isAscending, limit: Self.changesAtOnce)
        // Beyond these, more may have changed.
        let horizon = changed.count == Self.changesAtOnce ? changed.last : nil
        var changes: [Int64: [Int]] = [:]
        for id in changed { changes[SearchSegment.number(of: id), default: []].append(SearchSegment.offset(of: id)) }
        var parts: [Int64: [SearchPart]] = [:]
        for part in state.parts { parts[part.segment, default: []].append(part) }
        let bounds = Bounds(after: after, horizon: horizon, unindexed: state.unindexed, isAscending: isAscending)
        let numbers = Set(parts.keys).union(changes.keys).filter(bounds.mayInclude)
        var rest = (isAscending ? numbers.sorted() : numbers.sorted(by: >))[...]
        if !isAscending, try !examineRest(state, after, &page) { return }
        var count = reader.segmentsAtOnce.lowerBound
        var isFirst = true
        while !rest.isEmpty {
            if !isFirst, page.isFull || page.isOverTime { return page.endEarly() }
            isFirst = false
            let group = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            count = min(count * 2, reader.segmentsAtOnce.upperBound)
            for (segment, indexed) in zip(group, try links(in: group.map { parts[$0] ?? [] })) {
                var links = indexed
                for offset in changes[segment] ?? [] { links.insert(offset) }
                var ids = links.offsets.map { SearchSegment.id(segment, $0) }.filter(bounds.include)
                if !isAscending { ids.reverse() }
                guard try reader.examine(ids, into: &page) else { return }
                let end = SearchSegment.id(segment, isAscending ? SearchSegment.size - 1 : 0)
                if let horizon, bounds.isAfter(end, horizon) {
                    page.pass(LinkPosition(horizon), examined: 0)
                    return page.endEarly()
                }
                page.pass(LinkPosition(end), examined: 0)
            }
        }
        if isAscending { _ = try examineRest(state, after, &page) }
    }

    /// The IDs that the index may find on this page.
    private struct Bounds {
        /// Where the page starts.
        var after: LinkID?
        /// The last change that was read.
        var horizon: LinkID?
        /// Examined separately.
        var unindexed: ClosedRange<Int64>?
        var isAscending: Bool

        func isAfter(_ one: LinkID, _ other: LinkID) -> Bool {
            isAscending ? one.rawValue > other.rawValue : one.rawValue < other.rawValue
        }

        func include(_ id: LinkID) -> Bool {
            if let after, !isAfter(id, after) { return false }
            if let horizon, isAfter(id, horizon) { return false }
            return unindexed?.contains(id.rawValue) != true
        }

        func mayInclude(segment: Int64) -> Bool {
            guard let after else { return true }
            let own = SearchSegment.number(of: after)
            return isAscending ? segment >= own : segment <= own
        }
    }

    /// The links of all words. The first word is the longest; where it is not found, the others aren't looked up.
    private func links(in segments: [[SearchPart]]) throws -> [SearchBitmap] {
        var found = segments.map { _ in SearchBitmap() }
        var open = Array(segments.indices)
        for (index, word) in words.enumerated() {
            let links = try reader.links(word, in: open.map { segments[$0] })
            for (segment, links) in zip(open, links) {
                if index == 0 { found[segment] = links } else { found[segment].formIntersection(links) }
            }
            open = open.filter { !found[$0].isEmpty }
            if open.isEmpty { break }
        }
        return found
    }

    private func examineRest(_ state: SearchState, _ after: LinkID?, _ page: inout LinkPageBuilder) throws -> Bool {
        guard let range = state.unindexed else { return true }
        var first = range.lowerBound
        var last = range.upperBound
        if let after {
            if isAscending { first = max(first, after.rawValue + 1) } else { last = min(last, after.rawValue - 1) }
        }
        guard first <= last else { return true }
        return try reader.examine(first...last, ascending: isAscending, into: &page)
    }
}
