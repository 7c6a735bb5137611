import Testing
import WaymarkStores

@testable import WaymarkService

@Suite struct ReportDaysTests {
    struct Case: Sendable {
        var name: String
        var own: [Int]
        var there: [Int]
        var known = 0
        var recorded = 0
        var today = 3
        var limit = 1_000
        var inClickHouse: [ClosedRange<Int>] = []
        var inRecords: [Int] = []
        var isComplete = true
    }

    static let cases = [
        Case(name: "equal days", own: [1, 2, 3], there: [1, 2, 3], recorded: 3, inClickHouse: [0...2]),
        Case(name: "days without clicks", own: [1, 0, 3], there: [1, 0, 3], inClickHouse: [0...0, 2...2]),
        Case(name: "clicks under way", own: [1, 2, 3], there: [1, 2, 2], inClickHouse: [0...1], inRecords: [2]),
        Case(
            name: "today", own: [1, 2, 3], there: [1, 2, 3], today: 2, inClickHouse: [0...1], inRecords: [2]),
        Case(
            name: "today of too many records", own: [1, 2, 3], there: [1, 2, 3], today: 2, limit: 2,
            inClickHouse: [0...2], isComplete: false),
        Case(name: "a double", own: [1, 2, 3], there: [1, 4, 3], inClickHouse: [0...0, 2...2], inRecords: [1]),
        Case(
            name: "no records", own: [1, 2, 3], there: [0, 2, 3], recorded: 1, inClickHouse: [0...2],
            isComplete: false),
        Case(
            name: "days of before the totals", own: [0, 2, 3], there: [1, 2, 3], known: 1, recorded: 1,
            inClickHouse: [0...2], isComplete: false),
        Case(
            name: "an empty day of before the totals", own: [0, 2, 3], there: [0, 2, 3], known: 1, recorded: 1,
            inClickHouse: [0...2], isComplete: false),
        Case(
            name: "too many records, the latest first", own: [5, 6, 6], there: [0, 0, 0], limit: 11,
            inClickHouse: [1...1], inRecords: [0, 2], isComplete: false),
    ]

    @Test(arguments: cases)
    func `each day is read where it is complete`(example: Case) {
        func counts(_ people: [Int]) -> [Int: ClickCount] {
            Dictionary(uniqueKeysWithValues: people.enumerated().map { ($0, ClickCount(people: $1)) })
        }
        let days = ReportDays(
            0..<3, own: counts(example.own), there: counts(example.there), known: example.known,
            recorded: example.recorded, today: example.today, limit: example.limit)
        #expect(days.inClickHouse == example.inClickHouse, "\(example.name)")
        #expect(days.inRecords == example.inRecords, "\(example.name)")
        #expect(days.isComplete == example.isComplete, "\(example.name)")
    }

    @Test func `people and programs are compared apart`() {
        let days = ReportDays(
            0..<1, own: [0: ClickCount(people: 1, bots: 2)], there: [0: ClickCount(people: 2, bots: 1)], known: 0,
            recorded: 0, today: 1, limit: 10)
        #expect(days.inRecords == [0])
    }
}
