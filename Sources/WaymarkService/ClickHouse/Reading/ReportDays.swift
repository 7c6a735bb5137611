import WaymarkStores

/// Where the clicks of each day of a report are read: in ClickHouse where it has as many as the totals say, else in the records as
/// long as these are kept.
struct ReportDays: Equatable {
    private(set) var inClickHouse: [ClosedRange<Int>] = []
    private(set) var inRecords: [Int] = []
    /// Whether clicks of some days may be missing.
    private(set) var isComplete = true
    /// The clicks of days that ClickHouse has completely.
    private(set) var confirmed: [Int: ClickCount] = [:]

    /// Those that have clicks, in their order.
    var all: [Int] { (Array(inClickHouse.joined()) + inRecords).sorted() }

    /// - Parameters:
    ///   - own: what the totals say; days without clicks have none.
    ///   - there: what ClickHouse has.
    ///   - known: the first day that totals tell the clicks of.
    ///   - recorded: the first day whose records are kept.
    ///   - today: clicks may arrive between two queries, so records answer if they can.
    ///   - limit: of clicks that are read from records.
    init(
        _ days: Range<Int>, own: [Int: ClickCount], there: [Int: ClickCount], known: Int, recorded: Int, today: Int,
        limit: Int
    ) {
        var budget = limit
        // The latest first: those of today are still on their way to ClickHouse.
        var places: [(day: Int, isInClickHouse: Bool)] = []
        for day in days.reversed() {
            let (clicks, shipped) = (own[day] ?? ClickCount(), there[day] ?? ClickCount())
            if day >= known, clicks == shipped, day < today || clicks.sum == 0 {
                guard clicks.sum > 0 else { continue }
                confirmed[day] = clicks
                places.append((day, true))
            } else if day >= recorded, clicks.sum <= budget {
                budget -= clicks.sum
                places.append((day, false))
            } else {
                isComplete = false
                places.append((day, true))
            }
        }
        for (day, isInClickHouse) in places.reversed() {
            if !isInClickHouse {
                inRecords.append(day)
            } else if let last = inClickHouse.last, last.upperBound == day - 1 {
                inClickHouse[inClickHouse.count - 1] = last.lowerBound...day
            } else {
                inClickHouse.append(day...day)
            }
        }
    }
}
