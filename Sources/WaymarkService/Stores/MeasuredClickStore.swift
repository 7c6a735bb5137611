import WaymarkLinks

/// A store of click records that measures what another one is asked.
struct MeasuredClickStore: ClickStore {
    private let store: any ClickStore
    private let figures: StoreFigures

    init(_ store: any ClickStore, _ figures: StoreFigures) {
        self.store = store
        self.figures = figures
    }

    func append(_ blocks: [ClickBlock]) async throws(StoreError) {
        try await figures.measure(.appendClicks) { () async throws(StoreError) in
            try await store.append(blocks)
        }
    }

    func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock] {
        try await figures.measure(.clickBlocks) { () async throws(StoreError) in
            try await store.blocks(of: link, days: days, after: after, limit: limit)
        }
    }

    func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await figures.measure(.dropClicks) { () async throws(StoreError) in
            try await store.dropClicks(before: day, limit: limit)
        }
    }
}
