package import WaymarkLinks

extension LinkService {
    /// Records that one question may look at; about a second of work.
    package static let clickRecordLimit = 1_000_000
    /// Blocks of a page: at most some megabytes.
    private static let clickPage = 128

    /// A link's clicks as they were recorded until now.
    ///
    /// - Parameter limit: How many records are looked at.
    /// - Returns: nil where there are more than `limit` in that time.
    /// - Throws: `StoreError`, or `CancellationError` where nobody waits for the answer any more.
    package func clicks(
        of link: LinkID, _ query: ClickSelection, limit: Int = clickRecordLimit
    ) async throws -> ClickSeries.Answer? {
        // Each flush makes a row for each link that was clicked since, so concurrent callers share one.
        try await recordFlush.run { [self] () async throws(StoreError) in try await flushRecords() }
        var series = ClickSeries(query)
        var last: ClickBlock.Key?
        while true {
            let page = try await store.clickRecords.blocks(
                of: link, days: query.days, after: last, limit: Self.clickPage)
            for block in page {
                try series.add(block)
                guard series.examined <= limit else { return nil }
            }
            guard page.count == Self.clickPage, let end = page.last else { return series.finished() }
            last = end.key
            try Task.checkCancellation()
            // Whoever counts for long lets others have the thread in between.
            await Task.yield()
        }
    }
}
