import Testing
import WaymarkLinks

@testable import WaymarkStores

/// Totals of a day in one row.
@Suite struct PackedTotalsTests {
    private static let first = 20_000 * ClickTotal.quartersOfDay

    /// - Parameter hosts: How many of them a row has.
    private static func row(_ place: Int, hosts: Int = 60) -> ApplicationTotal {
        var total = ClickTotal()
        for number in 0..<hosts {
            let count = ClickCount(people: number % 7 + 1, bots: number % 3)
            total.count += count
            for dimension in ClickTotal.Dimension.all { total[dimension].add(count, of: nil) }
            total[.field(.referrerHost)].add(count, of: "news-\((number + place) % 80).example.com")
            total[.field(.campaign)].add(count, of: number % 2 == 0 ? "" : "b\u{FC}cher-\(number)")
        }
        // Every other row is of the form that has rules.
        if place % 2 == 1 {
            for field in ClickField.ofRules { total[.field(field)].add(ClickCount(people: place), of: "German") }
        }
        total[.domain].rest = ClickCount(people: 300, bots: 1 << 40)
        total.visitors.add((0..<hosts).map { VisitorSketch.Item(visitor: UInt64($0 * 7_919_113_331)) })
        return ApplicationTotal(quarter: first + place, bytes: total.encoded)
    }

    @Test(arguments: [[], [0], [95], [95, 3, 40], Array(0..<96)])
    func rowsComeOutAsTheyWentIn(places: [Int]) throws {
        let rows = places.map { Self.row($0, hosts: $0) }
        let packed = try #require(PackedTotals(rows, day: 20_000))
        let sorted = rows.sorted { $0.quarter < $1.quarter }
        #expect(try packed.rows(of: 20_000, within: Self.first..<Self.first + 96) == sorted)
        let within = Self.first + 4..<Self.first + 95
        #expect(try packed.rows(of: 20_000, within: within) == sorted.filter { within.contains($0.quarter) })
    }

    @Test func aDayTakesAThirdOfItsRows() throws {
        let rows = (0..<96).map { Self.row($0) }
        let packed = try #require(PackedTotals(rows, day: 20_000))
        #expect(packed.bytes.count * 3 < rows.reduce(0) { $0 + $1.bytes.count })
    }

    @Test(arguments: [
        [UInt8](), [1], [2, 0, 0], [1, 0, 0, 9], ClickTotal().encoded + [0], Array(row(0).bytes.dropLast(2)),
        // A length of two bytes that one would hold.
        [1, 0x80, 0, 0, 0],
    ])
    func rowsThatDoNotComeOutTheSameAreNotPacked(bytes: [UInt8]) {
        let damaged = ApplicationTotal(quarter: Self.first + 1, bytes: bytes)
        #expect(PackedTotals([Self.row(0), damaged], day: 20_000) == nil)
    }

    @Test func rowsOfAnotherDayAreNotPacked() {
        for day in [19_999, 20_001] { #expect(PackedTotals([Self.row(0)], day: day) == nil) }
        #expect(PackedTotals([Self.row(0), Self.row(0)], day: 20_000) == nil)
    }

    @Test func damagedBytesAreNoReasonToTrap() throws {
        let packed = try #require(PackedTotals([Self.row(0, hosts: 5), Self.row(7, hosts: 3)], day: 20_000))
        for index in packed.bytes.indices {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = packed.bytes
                bytes[index] = byte
                _ = try? PackedTotals(bytes: bytes).rows(of: 20_000, within: Self.first..<Self.first + 96)
                _ = try? PackedTotals(bytes: Array(bytes[..<index])).rows(
                    of: 20_000, within: Self.first..<Self.first + 96)
            }
        }
        #expect(throws: StoreError.corrupt("click totals are damaged")) {
            try PackedTotals(bytes: [9]).rows(of: 20_000, within: 0..<1)
        }
    }
}
