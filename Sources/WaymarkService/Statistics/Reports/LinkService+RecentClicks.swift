package import WaymarkLinks
package import WaymarkStores

/// What people clicked lately, for a page of the list of links.
package struct RecentClicks: Sendable {
    package static let dayCount = 30

    /// In UTC, up to today.
    package let days: Range<Int>
    /// Clicks of each day; links without any are left out.
    package let people: [LinkID: [Int]]
    /// Whether all clicks of these days are known.
    package let isComplete: Bool
}

extension LinkService {
    /// One read of totals, of at most one row a day for each link: links with IDs close to each other share rows.
    ///
    /// - Parameter links: of one page, at most 200.
    package func recentClicks(of links: [LinkID]) async throws(StoreError) -> RecentClicks {
        try await flushWaitingRecords()
        let end = dependencies.now().day + 1
        let days = end - RecentClicks.dayCount..<end
        let pages = Set(links.map { LinkTotals.page(of: $0) }).sorted()
        let wanted = Set(links)
        let rows = try await store.clickTotals.linkTotals(pages: pages, days: days)
        var people: [LinkID: [Int]] = [:]
        for row in rows {
            for (link, count) in try LinkTotals(encoded: row.bytes).links(of: row.key.page)
            where count.people > 0 && wanted.contains(link) {
                people[link, default: Array(repeating: 0, count: days.count)][row.key.day - days.lowerBound] +=
                    count.people
            }
        }
        let isKept = try await hasTotals(since: days.lowerBound)
        return RecentClicks(days: days, people: people, isComplete: isKept && recordWriter != nil)
    }
}
