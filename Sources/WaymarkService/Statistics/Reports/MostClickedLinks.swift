import WaymarkLinks
import WaymarkStores

/// Finds the links of some applications with the most clicks on some days, from summaries where there are any, else from the
/// totals of the day. In memory it has 64 Ki links at a time, and those of days without a summary.
struct MostClickedLinks {
    /// Rows of totals that are read at a time.
    private static let rowPage = 2_000
    /// Links that are looked up: more than asked for, because some may be deleted or of other applications.
    private static let candidates = 2_000

    let store: any LinkStore
    let applications: Set<ApplicationID>

    init(store: any LinkStore, applications: [ApplicationID]) {
        self.store = store
        self.applications = Set(applications)
    }

    /// The most clicks of people first; of equal ones the older link.
    func links(days: Range<Int>, limit: Int) async throws -> [(id: LinkID, count: ClickCount)] {
        var candidates = Self.candidates
        while true {
            let top = try await counted(days, atMost: candidates)
            var found: [(id: LinkID, count: ClickCount)] = []
            for (id, count) in top.ordered {
                guard found.count < limit else { return found }
                guard let link = try await store.link(id), applications.contains(link.application) else { continue }
                found.append((id, count))
            }
            guard found.count < limit, top.isTruncated else { return found }
            candidates *= 16
        }
    }

    private func counted(_ days: Range<Int>, atMost limit: Int) async throws -> TopLinks {
        // Summaries may be deleted between two reads, when late clicks come: then once more with those that are left.
        while true {
            let summaries = try await store.clickTotals.summaries(within: days)
            let (keys, rest) = Self.cover(days, summaries)
            var open: [Int64: LinkSummaryCounts] = [:]
            for day in rest { try await addTotals(of: day, to: &open) }
            var parts = Set(open.keys)
            for key in keys { parts.formUnion(try ClickSummaryDirectory.linkParts(summaries[key] ?? [])) }
            if let top = try await add(keys, parts.sorted(), &open, TopLinks(limit: limit)) { return top }
            try Task.checkCancellation()
        }
    }

    /// Nil if a summary is gone.
    private func add(
        _ keys: [ClickSummaryKey], _ parts: [Int64], _ open: inout [Int64: LinkSummaryCounts], _ top: TopLinks
    ) async throws -> TopLinks? {
        var top = top
        for part in parts {
            guard let rows = try await store.clickTotals.summaryParts(of: keys, parts: [part]) else { return nil }
            var counts = open.removeValue(forKey: part) ?? LinkSummaryCounts()
            for row in rows { try counts.add(row.bytes, of: applications) }
            counts.forEach { top.add(LinkSummary.link($0, of: part), $1) }
            try Task.checkCancellation()
            await Task.yield()
        }
        return top
    }

    /// The longest summaries that cover the days, and the days without one.
    private static func cover(
        _ days: Range<Int>, _ summaries: [ClickSummaryKey: [UInt8]]
    ) -> (keys: [ClickSummaryKey], rest: [Int]) {
        var keys: [ClickSummaryKey] = []
        var rest: [Int] = []
        var day = days.lowerBound
        while day < days.upperBound {
            let key = ClickSummaryKey.spans.reversed().lazy.map { ClickSummaryKey(span: $0, day: day) }
                .first { $0.day % $0.span == 0 && $0.days.upperBound <= days.upperBound && summaries[$0] != nil }
            if let key { keys.append(key) } else { rest.append(day) }
            day = key?.days.upperBound ?? day + 1
        }
        return (keys, rest)
    }

    private func addTotals(of day: Int, to open: inout [Int64: LinkSummaryCounts]) async throws {
        var last: TotalsChange.PageKey?
        while true {
            let rows = try await store.clickTotals.linkTotals(days: day..<day + 1, after: last, limit: Self.rowPage)
            for row in rows where !LinkTotals.isOfLongLinks(page: row.key.page) {
                for (link, count) in try LinkTotals(encoded: row.bytes).links(of: row.key.page) {
                    open[LinkSummary.part(of: link), default: LinkSummaryCounts()].add(
                        count, at: LinkSummary.index(of: link))
                }
            }
            guard rows.count == Self.rowPage, let end = rows.last else { return }
            last = end.key
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

/// The links with the most clicks among those that are added.
struct TopLinks {
    private var links: [(id: LinkID, count: ClickCount)] = []
    private let limit: Int
    /// Whether links were left out.
    private(set) var isTruncated = false
    /// Links with fewer clicks of people can't be among them.
    private var leastPeople = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ id: LinkID, _ count: ClickCount) {
        guard count.people >= leastPeople else {
            isTruncated = true
            return
        }
        links.append((id, count))
        if links.count >= 2 * limit { shorten() }
    }

    /// The most clicks of people first; of equal ones the older link.
    var ordered: [(id: LinkID, count: ClickCount)] {
        links.sorted {
            ($1.count.people, $1.count.bots, $0.id.rawValue) < ($0.count.people, $0.count.bots, $1.id.rawValue)
        }
    }

    private mutating func shorten() {
        links = Array(ordered.prefix(limit))
        leastPeople = links.last?.count.people ?? 0
        isTruncated = true
    }
}
