import WaymarkLinks
import WaymarkStores

/// Measures the calls of another store of totals.
struct InstrumentedTotalStore: ClickTotalStore {
    private let store: any ClickTotalStore
    private let metrics: StoreMetrics

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

    func totalsStart() async throws(StoreError) -> Int? {
        try await metrics.measure(.clickTotals) { () async throws(StoreError) in try await store.totalsStart() }
    }

    func dropTotals(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await metrics.measure(.dropTotals) { () async throws(StoreError) in
            try await store.dropTotals(before: day, limit: limit)
        }
    }
}
