import WaymarkLinks
import WaymarkStores

/// Measures the calls of another store of totals.
struct InstrumentedTotalStore: ClickTotalStore {
    private let store: any ClickTotalStore
    private let metrics: StoreMetrics
    /// Not measured: nobody waits for it.
    var earlierClicks: (any EarlierClickStore)? { store.earlierClicks }

    init(_ store: any ClickTotalStore, _ metrics: StoreMetrics) {
        self.store = store
        self.metrics = metrics
    }

    func totals(
        of applications: [ApplicationID], quarters: Range<Int>
    ) async throws(StoreError) -> [ApplicationTotal] {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in
            try await store.totals(of: applications, quarters: quarters)
        }
    }

    func recordedBlocks(
        days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [RecordedBlock] {
        try await metrics.measure(.clickBlocks) { () async throws(StoreError) in
            try await store.recordedBlocks(days: days, after: after, limit: limit)
        }
    }

    func linkIDs(of application: ApplicationID, after: LinkID?, limit: Int) async throws(StoreError) -> [LinkID] {
        try await metrics.measure(.list) { () async throws(StoreError) in
            try await store.linkIDs(of: application, after: after, limit: limit)
        }
    }

    func linkTotals(
        days: Range<Int>, after: TotalsChange.PageKey?, limit: Int
    ) async throws(StoreError) -> [LinkTotalsRow] {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in
            try await store.linkTotals(days: days, after: after, limit: limit)
        }
    }

    func linkTotals(pages: [Int64], days: Range<Int>) async throws(StoreError) -> [LinkTotalsRow] {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in
            try await store.linkTotals(pages: pages, days: days)
        }
    }

    func addUnknownVisits(_ days: [UnknownVisitsOfDay]) async throws(StoreError) {
        try await metrics.measure(.addUnknownVisits) { () async throws(StoreError) in
            try await store.addUnknownVisits(days)
        }
    }

    func unknownVisits(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws(StoreError) -> [UnknownVisits] {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in
            try await store.unknownVisits(of: applications, days: days)
        }
    }

    func totalsStart() async throws(StoreError) -> Int? {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in try await store.totalsStart() }
    }

    func dropTotals(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await metrics.measure(.dropTotals) { () async throws(StoreError) in
            try await store.dropTotals(before: day, limit: limit)
        }
    }

    func summaries(within days: Range<Int>) async throws(StoreError) -> [ClickSummaryKey: [UInt8]] {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in
            try await store.summaries(within: days)
        }
    }

    func beginSummary(_ key: ClickSummaryKey, token: [UInt8]) async throws(StoreError) {
        try await metrics.measure(.addSummary) { () async throws(StoreError) in
            try await store.beginSummary(key, token: token)
        }
    }

    func addSummary(
        _ key: ClickSummaryKey, parts: [(part: Int64, bytes: [UInt8])], token: [UInt8], directory: [UInt8]?
    ) async throws(StoreError) -> Bool {
        try await metrics.measure(.addSummary) { () async throws(StoreError) in
            try await store.addSummary(key, parts: parts, token: token, directory: directory)
        }
    }

    func summaryParts(
        of keys: [ClickSummaryKey], parts: [Int64]
    ) async throws(StoreError) -> [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])]? {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in
            try await store.summaryParts(of: keys, parts: parts)
        }
    }

    func narrowTotals(of application: ApplicationID, quarters: [Int]) async throws(StoreError) {
        try await metrics.measure(.addSummary) { () async throws(StoreError) in
            try await store.narrowTotals(of: application, quarters: quarters)
        }
    }

    func firstDayOfTotals() async throws(StoreError) -> Int? {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in try await store.firstDayOfTotals() }
    }

    func applications(
        ofLinks ids: Range<Int64>
    ) async throws(StoreError) -> [(id: LinkID, application: ApplicationID)] {
        try await metrics.measure(.list) { () async throws(StoreError) in
            try await store.applications(ofLinks: ids)
        }
    }

    func hasDeletedLinks(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws(StoreError) -> Bool {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in
            try await store.hasDeletedLinks(of: applications, days: days)
        }
    }
}
