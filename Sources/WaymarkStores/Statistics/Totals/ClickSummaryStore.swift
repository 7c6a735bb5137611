package import WaymarkLinks

/// A summary of the clicks on one or more days (UTC) that are over.
package struct ClickSummaryKey: Sendable, Hashable {
    /// The days of a summary of links. The next one is four times as long, and is made of four.
    package static let spans = [1, 4, 16, 64]
    /// The span of a summary of applications, which is of one day.
    package static let applications = 0

    /// In days; `applications` for totals of applications.
    package var span: Int
    /// The first day: a multiple of the span.
    package var day: Int

    package init(span: Int, day: Int) {
        self.span = span
        self.day = day
    }

    package var days: Range<Int> { day..<day + max(1, span) }

    /// All summaries that a day is part of.
    package static func all(of day: Int) -> [ClickSummaryKey] {
        [ClickSummaryKey(span: applications, day: day)]
            + spans.map { ClickSummaryKey(span: $0, day: day - (day % $0 + $0) % $0) }
    }
}

/// Summaries of clicks, so that reports over many days read few rows. They are made of totals: whoever adds to totals of a day
/// deletes its summaries in the same transaction, so a summary that is there equals the totals.
package protocol ClickSummaryStore: Sendable {
    /// The complete summaries that lie within the days, with what was given for their directory.
    func summaries(within days: Range<Int>) async throws(StoreError) -> [ClickSummaryKey: [UInt8]]

    /// Begins to make a summary. What is read of totals from now on is current as long as `token` is stored.
    func beginSummary(_ key: ClickSummaryKey, token: [UInt8]) async throws(StoreError)

    /// Adds parts, and completes the summary if `directory` is given. Returns false, and adds nothing, if the totals have
    /// changed since `beginSummary`.
    func addSummary(
        _ key: ClickSummaryKey, parts: [(part: Int64, bytes: [UInt8])], token: [UInt8], directory: [UInt8]?
    ) async throws(StoreError) -> Bool

    /// The parts that exist, in no particular order; nil if one of the summaries is not complete any more.
    func summaryParts(
        of keys: [ClickSummaryKey], parts: [Int64]
    ) async throws(StoreError) -> [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])]?

    /// Rewrites the totals of quarters of an hour that have more values than are kept now, as earlier versions wrote them.
    func narrowTotals(of application: ApplicationID, quarters: [Int]) async throws(StoreError)

    /// The first day that totals of links are kept of.
    func firstDayOfTotals() async throws(StoreError) -> Int?

    /// The applications of the links with these ids, in no particular order.
    func applications(ofLinks ids: Range<Int64>) async throws(StoreError) -> [(id: LinkID, application: ApplicationID)]

    /// Whether links of these applications that people had clicked, and that existed on one of the days, have been deleted
    /// since.
    func hasDeletedLinks(of applications: [ApplicationID], days: Range<Int>) async throws(StoreError) -> Bool
}
