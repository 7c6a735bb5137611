import Testing
import WaymarkMetrics
import WaymarkStores

@Suite struct StoreMetricsTests {
    private func counts(_ metrics: StoreMetrics) -> [StoreOperation: Int] {
        Dictionary(uniqueKeysWithValues: metrics.durationsByOperation.map { ($0.operation, $0.metrics.count) })
    }

    @Test func `counts calls and failures by operation`() async throws {
        let metrics = StoreMetrics()
        let value = try await metrics.measure(.link) { 7 }
        #expect(value == 7)
        await #expect(throws: StoreError.unavailable("away")) {
            try await metrics.measure(.link) { () async throws(StoreError) -> Void in throw .unavailable("away") }
        }
        #expect(counts(metrics) == [.link: 2])
        #expect(metrics.failuresByOperation.filter { $0.count > 0 }.map(\.operation) == [.link])
    }

    /// Also an operation that is not measured by itself.
    @Test(arguments: [nil, .create] as [StoreOperation?]) func `notes a lack of room`(operation: StoreOperation?) async
    {
        let metrics = StoreMetrics()
        await #expect(throws: StoreError.diskFull) {
            try await metrics.measure(operation) { () async throws(StoreError) -> Void in throw .diskFull }
        }
        #expect(metrics.hasFailedAsFull)
        metrics.forgetFull()
        #expect(!metrics.hasFailedAsFull)
    }
}
