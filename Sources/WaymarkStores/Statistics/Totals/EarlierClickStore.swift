import WaymarkLinks

/// Click records that are older than totals, after an upgrade: a server counts them into totals, one day at a time.
package protocol EarlierClickStore: Sendable {
    /// Nil if all are counted.
    func earlierClicks() async throws(StoreError) -> EarlierClicks?
    /// The next day with click records.
    func nextClickDay(after day: Int?) async throws(StoreError) -> Int?
    /// Blocks of one day in ascending order of links and numbers, without those of deleted links.
    func blocksToCount(of day: Int, after key: ClickBlock.Key?, limit: Int) async throws(StoreError) -> [CountedBlock]
    /// Replaces a day's totals, in one transaction, and stores that the day is counted.
    ///
    /// - Parameter token: As given to `beginSummary` of the applications on this day before the blocks were read.
    /// - Returns: Whether it did: false if clicks of the day were recorded since `beginSummary`.
    func replaceTotals(of day: Int, by change: TotalsChange, token: [UInt8]) async throws(StoreError) -> Bool
    /// Totals are complete from now on.
    func endCounting() async throws(StoreError)
}

package struct EarlierClicks: Sendable, Equatable {
    /// The day (UTC) since which totals are complete without counting.
    package var start: Int
    /// The last day that was counted; nil before the first.
    package var counted: Int?

    package init(start: Int, counted: Int?) {
        self.start = start
        self.counted = counted
    }

    /// Whether the day's totals will be replaced; the last one may be counted twice.
    package func awaits(_ day: Int) -> Bool { day < start && (day > counted ?? .min || day == start - 1) }
}

/// A block of records with what totals need to know of its link.
package struct CountedBlock: Sendable {
    package var block: ClickBlock
    /// As the store numbers it.
    package var application: Int64
    /// The link's domain, as the store numbers it.
    package var host: Int64

    package init(block: ClickBlock, application: Int64, host: Int64) {
        self.block = block
        self.application = application
        self.host = host
    }
}

extension TotalsChange {
    package mutating func add(_ counted: CountedBlock) {
        add(counted.block, application: counted.application, host: counted.host)
    }
}

/// The totals of one day, as they are stored or as a count of the day's records gives them.
package struct DayTotals: Sendable {
    /// As `ClickTotal.encoded`.
    package var applications: [TotalsChange.Key: [UInt8]] = [:]
    /// As `LinkTotals.encoded`.
    package var links: [TotalsChange.PageKey: [UInt8]] = [:]

    package init() {}

    /// - Parameter domain: The name of a host.
    package init(_ change: TotalsChange, domain: (Int64) throws -> String) throws {
        for (key, total) in try change.totals(domain: domain) { applications[key] = try total.added(to: nil) }
        for (key, totals) in change.links { links[key] = totals.encoded }
    }
}
