package import WaymarkClicks
package import WaymarkLinks
import WaymarkStores

extension LinkService {
    /// Maximum number of records read per query; about a second of work.
    package static let clickRecordLimit = 1_000_000
    /// Blocks per page: at most some megabytes.
    private static let clickPage = 128

    /// A link's clicks recorded so far.
    ///
    /// - Parameter limit: the maximum number of records to read.
    /// - Returns: nil if the period has more than `limit` records.
    /// - Throws: `StoreError`, or `CancellationError` if the task is cancelled.
    package func clicks(
        of link: LinkID, _ query: ClickSelection, limit: Int = clickRecordLimit
    ) async throws -> ClickSeries.Answer? {
        // Each flush writes a row per link clicked since the last one, so concurrent callers share one.
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
            // Long queries must not block their thread.
            await Task.yield()
        }
    }
}
