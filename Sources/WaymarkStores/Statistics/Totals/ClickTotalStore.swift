package import WaymarkLinks

/// Totals of clicks, by application and quarter of an hour, and by link and day. `ClickStore.append` adds to them in its
/// transaction, so they always equal a count of the records that were added.
///
/// Totals by link have rows of numbers of long links too (`LinkID.isOfLongLinks`), which are no links.
///
/// Totals by application keep clicks of links that have been deleted since, totals by link do not.
package protocol ClickTotalStore: ClickSummaryStore {
    /// Nil for a store that has kept totals since it was made.
    var earlierClicks: (any EarlierClickStore)? { get }

    /// The rows of these applications, in no particular order.
    func totals(
        of applications: [ApplicationID], quarters: Range<Int>
    ) async throws(StoreError) -> [ApplicationTotal]

    /// Rows of links in rising order of their keys. May hold links that no longer exist.
    ///
    /// - Parameter after: The key of the last row of the page before; nil for the first page.
    func linkTotals(
        days: Range<Int>, after: TotalsChange.PageKey?, limit: Int
    ) async throws(StoreError) -> [LinkTotalsRow]

    /// Rows of these pages, in no particular order.
    func linkTotals(pages: [Int64], days: Range<Int>) async throws(StoreError) -> [LinkTotalsRow]

    /// Blocks of records of all links, and of long links, in rising order of days, links and numbers.
    ///
    /// - Parameter after: The key of the last block of the page before; nil for the first page. A page with fewer than `limit`
    ///   blocks is the last one.
    func recordedBlocks(
        days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [RecordedBlock]

    /// The ids of an application's links in rising order.
    func linkIDs(
        of application: ApplicationID, after: LinkID?, limit: Int
    ) async throws(StoreError) -> [LinkID]

    /// The day (UTC) since which totals are kept, if click records are older than that.
    func totalsStart() async throws(StoreError) -> Int?

    /// Adds visits of addresses that no link has; ignores applications that do not exist. Not exact: a write that is repeated
    /// because the response to its commit was lost counts twice.
    func addUnknownVisits(_ days: [UnknownVisitsOfDay]) async throws(StoreError)

    /// In no particular order.
    func unknownVisits(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws(StoreError) -> [UnknownVisits]

    /// Deletes rows of earlier days.
    ///
    /// - Returns: The number of rows deleted, at most `limit`.
    func dropTotals(before day: Int, limit: Int) async throws(StoreError) -> Int

    /// Stores the rows of one application and day in less space; they read and change as before.
    ///
    /// - Parameters:
    ///   - last: What the call before returned.
    ///   - day: Later days, and this one, stay as they are.
    /// - Returns: Which day was looked at; nil if there is no further one.
    func packTotals(after last: PackedTotals.Key?, before day: Int) async throws(StoreError) -> PackedTotals.Key?

    /// Adds up rows of one key that several servers wrote; they read and change as before.
    ///
    /// - Parameters:
    ///   - quarter: This quarter of an hour and later ones stay as they are, and so do links on its day.
    ///   - limit: Of rows of applications and of links at a time.
    /// - Returns: The number of rows that were added to others; 0 if there are no further ones.
    func mergeTotals(before quarter: Int, limit: Int) async throws(StoreError) -> Int
    /// Keys whose rows `mergeTotals` left as they are, because one of them can't be read.
    func damagedTotalsCount() -> Int
}

extension ClickTotalStore {
    /// For stores whose rows take little more space than their bytes.
    package func packTotals(
        after last: PackedTotals.Key?, before day: Int
    ) async throws(StoreError) -> PackedTotals.Key? { nil }

    /// For stores in which a key has one row.
    package func mergeTotals(before quarter: Int, limit: Int) async throws(StoreError) -> Int { 0 }
    package func damagedTotalsCount() -> Int { 0 }
}

/// A block of records with what is known of its link, or of the number of its long links.
package struct RecordedBlock: Sendable, Equatable {
    package var block: ClickBlock
    package var application: ApplicationID
    package var domain: HostName

    package init(block: ClickBlock, application: ApplicationID, domain: HostName) {
        self.block = block
        self.application = application
        self.domain = domain
    }
}

/// The clicks of an application in a quarter of an hour, as `ClickTotal.encoded`.
package struct ApplicationTotal: Sendable, Equatable {
    /// Since 1970.
    package var quarter: Int
    package var bytes: [UInt8]

    package init(quarter: Int, bytes: [UInt8]) {
        self.quarter = quarter
        self.bytes = bytes
    }
}

extension ApplicationTotal {
    /// The sum of two rows, with all values of both.
    package static func merged(_ one: [UInt8], _ other: [UInt8]) throws(StoreError) -> [UInt8] {
        var total = try ClickTotal(encoded: one)
        total.merge(try ClickTotal(encoded: other))
        return total.encoded
    }

    /// The row with as many values as a row keeps.
    package static func narrow(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
        var total = try ClickTotal(encoded: bytes)
        total.narrow(to: .ofQuarter)
        return total.encoded
    }

    /// The row with as many values as are kept now; nil if it has no more.
    package static func narrowed(_ bytes: [UInt8]) throws(StoreError) -> [UInt8]? {
        var total = try ClickTotal(encoded: bytes)
        guard total.isWide else { return nil }
        total.narrow(to: .ofQuarter)
        return total.encoded
    }
}

/// The clicks of 64 links on a day, as `LinkTotals.encoded`.
package struct LinkTotalsRow: Sendable, Equatable {
    package var key: TotalsChange.PageKey
    package var bytes: [UInt8]

    package init(key: TotalsChange.PageKey, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}

extension LinkTotalsRow {
    /// Rows of the same key as one.
    ///
    /// - Parameter rows: In any order.
    /// - Returns: In rising order of their keys.
    package static func merged(_ rows: [LinkTotalsRow]) throws(StoreError) -> [LinkTotalsRow] {
        var merged: [LinkTotalsRow] = []
        for row in rows.sorted(by: { $0.key < $1.key }) {
            if let last = merged.last, last.key == row.key {
                merged[merged.count - 1].bytes = try LinkTotals(encoded: row.bytes).added(to: last.bytes)
            } else {
                merged.append(row)
            }
        }
        return merged
    }
}

/// Clicks that are added to a row. Its visitors are in no sketch yet: adding them to a large one is cheaper.
package struct AddedTotal: Sendable {
    /// With some of its visitors where they were too many to keep.
    var total: ClickTotal
    var visitors: [VisitorSketch.Item]

    /// The stored row after adding to it.
    ///
    /// - Parameter bytes: The row so far; nil if there is none.
    package func added(to bytes: [UInt8]?) throws(StoreError) -> [UInt8] {
        var total = total
        if let bytes {
            var stored = try ClickTotal(encoded: bytes)
            stored.merge(total)
            total = stored
        }
        total.narrow(to: .ofQuarter)
        total.visitors.add(visitors)
        return total.encoded
    }
}

extension LinkTotals {
    /// The stored row after adding to it.
    ///
    /// - Parameter bytes: The row so far; nil if there is none.
    package func added(to bytes: [UInt8]?) throws(StoreError) -> [UInt8] {
        guard let bytes else { return encoded }
        var totals = try LinkTotals(encoded: bytes)
        totals.merge(self)
        return totals.encoded
    }
}
