import WaymarkLinks
import WaymarkStores

/// Measures the calls of another store of click records.
struct InstrumentedClickStore: ClickStore {
    private let store: any ClickStore
    private let metrics: StoreMetrics

    init(_ store: any ClickStore, _ metrics: StoreMetrics) {
        self.store = store
        self.metrics = metrics
    }

    func append(_ blocks: [ClickBlock]) async throws(StoreError) {
        try await metrics.measure(.appendClicks) { () async throws(StoreError) in
            try await store.append(blocks)
        }
    }

    func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock] {
        try await metrics.measure(.clickBlocks) { () async throws(StoreError) in
            try await store.blocks(of: link, days: days, after: after, limit: limit)
        }
    }

    func longLinkNumbers(
        of application: ApplicationID, on domains: [HostName]
    ) async throws(StoreError) -> [HostName: LinkID] {
        try await metrics.measure(.putApplication) { () async throws(StoreError) in
            try await store.longLinkNumbers(of: application, on: domains)
        }
    }

    func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await metrics.measure(.dropClicks) { () async throws(StoreError) in
            try await store.dropClicks(before: day, limit: limit)
        }
    }
}
