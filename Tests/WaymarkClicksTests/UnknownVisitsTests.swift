import Testing
import WaymarkStores

/// Visits of addresses that no link has.
@Suite struct UnknownVisitsTests {
    @Test func keepsTheMostVisitedAddresses() throws {
        var visits = UnknownVisits()
        for _ in 0..<3 { visits.add(ClickCount(people: 1), of: "go.example.com/often") }
        for number in 0..<10_000 { visits.add(ClickCount(bots: 1), of: "go.example.com/\(number)") }
        #expect(visits.counts.count < 2 * UnknownVisits.addressLimit)
        let stored = try UnknownVisits(encoded: visits.encoded)
        #expect(stored.counts.count == UnknownVisits.addressLimit)
        #expect(stored.counts.first { $0.address == "go.example.com/often" }?.count.people == 3)
        let more = try UnknownVisits(encoded: visits.added(to: visits.encoded))
        #expect(more.counts.count == UnknownVisits.addressLimit)
        #expect(more.counts.first { $0.address == "go.example.com/often" }?.count.people == 6)
    }

    @Test func leavesOutLongAddresses() throws {
        var visits = UnknownVisits()
        visits.add(ClickCount(people: 1), of: String(repeating: "x", count: UnknownVisits.addressLength + 1))
        #expect(visits.counts.isEmpty)
        #expect(!visits.isEmpty)
    }

    @Test(arguments: [[], [2], [1, 9], [1, 1, 2, 65, 1, 0, 0, 0, 7]] as [[UInt8]])
    func refusesDamagedRows(bytes: [UInt8]) {
        #expect(throws: StoreError.self) { try UnknownVisits(encoded: bytes) }
    }
}
