import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// Visits of addresses that no link has, between two writes.
@Suite struct UnknownVisitCounterTests {
    @Test func countsVisitsBeyondItsBoundWithoutTheirAddress() throws {
        let counter = try UnknownVisitCounter(store: SQLiteLinkStore(path: ":memory:"))
        let now = Timestamp(seconds: 1_795_255_200)
        let applications = try (0..<20).map { try #require(ApplicationID("a\($0)")) }
        for application in applications {
            for number in 0..<1_500 {
                counter.record("go.example.com/\(number)", of: application, at: now, isPersons: true)
            }
        }
        #expect(counter.addressCount == UnknownVisitCounter.addressLimit)
    }
}
