import Testing

@testable import WaymarkService

@Suite struct ClickHouseTablesTests {
    @Test(arguments: [
        ("clicks", true), ("_c1", true), ("", false), ("1c", false), ("a-b", false), ("a`b", false), ("ü", false),
    ])
    func `names need no quotation`(text: String, isName: Bool) {
        #expect(ClickHouseTables.isName(text) == isName)
        #expect(!ClickHouseTables.isName(String(repeating: "a", count: 65)))
    }

    @Test(arguments: [("24.8.4.13", true), ("26.9.2.1", true), ("22.1", true), ("18.16.1", false), ("", true)])
    func `versions are compared by their year`(version: String, isModern: Bool) {
        #expect(ClickHouseTables.isModern(version) == isModern)
    }

    @Test func `tables of a cluster are replicated and distributed`() {
        let tables = ClickHouseTables(database: "clicks", cluster: "main")
        let statements = tables.statements(retentionDays: 30)
        #expect(statements.dropLast().allSatisfy { $0.contains(" ON CLUSTER `main`") })
        #expect(statements.contains { $0.contains("ENGINE = ReplicatedMergeTree(") && $0.contains("clicks_local") })
        #expect(statements.contains { $0.contains("ENGINE = Distributed('main', 'clicks', 'clicks_local', ") })
        #expect(statements.last?.hasPrefix("INSERT INTO `clicks`.waymark_schema ") == true)
    }

    @Test func `old servers get no statement that they don't know`() {
        let statements = ClickHouseTables(database: "clicks").statements(retentionDays: 30, isModern: false)
        #expect(!statements.contains { $0.contains("TTL") || $0.contains("deduplication_window") })
    }

    @Test func `a delay doubles up to a minute`() {
        #expect(
            (1...9).map { ShippingPace.delay(after: $0, jitter: 0) } == [
                1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
            ])
        #expect(ShippingPace.delay(after: 1, jitter: 1) == 500)
        #expect(ShippingPace.delay(after: .max, jitter: 1) == 30_000)
    }
}
