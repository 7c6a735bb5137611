import Testing
import WaymarkLinks

@testable import WaymarkStores

/// How many values totals tell apart.
@Suite struct ClickTotalValuesTests {
    private static func values(_ counts: [(String?, Int)]) -> ClickTotal.Values {
        var values = ClickTotal.Values()
        for (value, people) in counts { values.add(ClickCount(people: people, bots: 1), of: value) }
        return values
    }

    private static func sum(_ values: ClickTotal.Values) -> ClickCount {
        values.counts.values.reduce(into: values.rest) { $0 += $1 }
    }

    @Test func keepsTheMostFrequentValuesAndAddsUpTheRest() {
        var values = Self.values([(nil, 1), ("often", 50)] + (100..<400).map { ("h\($0)", 2) })
        let before = Self.sum(values)
        values.narrow(to: .ofQuarter)
        #expect(values.counts.count == 100)
        #expect(Self.sum(values) == before)
        #expect(values.counts["often"]?.people == 50 && values.counts[nil]?.people == 1)
        // Of equal ones the first by name.
        #expect(values.counts["h197"] != nil && values.counts["h198"] == nil)
    }

    @Test func boundsTheBytesOfValues() {
        let long = String(repeating: "x", count: 250)
        var values = Self.values((100..<200).map { ("\($0)\(long)", 2) })
        let before = Self.sum(values)
        values.narrow(to: .ofQuarter)
        #expect(values.counts.count == (12 << 10) / 253)
        #expect(Self.sum(values) == before)
    }

    @Test func theOrderOfAddingDoesNotMatter() {
        let counts = (0..<500).map { ("h\($0)", $0 % 7) }
        var (one, other) = (Self.values(counts), Self.values(counts.shuffled()))
        one.narrow(to: .ofQuarter)
        other.narrow(to: .ofQuarter)
        #expect(one == other)
    }

    /// A row of a quarter of an hour is written 96 times a day: 5 MB at the most.
    @Test func aRowTakesFiftyKilobytesWhateverVisitorsSend() throws {
        var added = ClickTotal()
        for number in 0..<4_000 {
            added[.field(.referrerHost)].add(
                ClickCount(people: 1), of: "\(number).\(String(repeating: "x", count: 90))")
            added[.field(.campaign)].add(ClickCount(people: 1), of: "\(number)\(String(repeating: "y", count: 250))")
            added[.field(.language)].add(ClickCount(people: 1), of: "l\(number)")
            added.count += ClickCount(people: 1)
        }
        let visitors = (0..<20_000).map {
            VisitorSketch.Item(visitor: UInt64($0) &* 0x9E37_79B9_7F4A_7C15 & 0xFF_FFFF_FFFF)
        }
        var row: [UInt8]?
        for _ in 0..<3 { row = try AddedTotal(total: added, visitors: visitors).added(to: row) }
        let bytes = try #require(row)
        #expect(bytes.count < 50_000)
        let total = try ClickTotal(encoded: bytes)
        #expect(total.count.people == 12_000 && !total.isWide)
        #expect(Self.sum(total[.field(.referrerHost)]).people == 12_000)
    }

    @Test func valuesThatWereLeftOutAreInTheRest() {
        let values = Self.values([(ClickField.rest, 3), ("a.example", 1)])
        #expect(values.counts.keys.compactMap(\.self) == ["a.example"] && values.rest.people == 3)
    }
}
