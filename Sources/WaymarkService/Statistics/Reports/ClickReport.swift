package import WaymarkLinks
package import WaymarkStores

/// The clicks on many links, by interval.
package struct ClickReport: Sendable, Equatable {
    package struct Values: Sendable, Equatable {
        /// The most frequent ones first.
        package var values: [ClickSeries.Value] = []
        /// The clicks of all further values.
        package var rest: ClickCount?
    }

    package struct Point: Sendable, Equatable {
        package var start: Timestamp
        package var count = ClickCount()
        /// Nil if not counted.
        package var visitors: Int? = 0
        /// In the order of the query's fields.
        package var values: [Values] = []
    }

    package var count = ClickCount()
    /// The sum over the days (UTC); nil if those of a day with clicks of people were not counted.
    package var visitors: Int? = 0
    package var points: [Point]
    package var top: [ClickReportQuery.Top: [ClickSeries.Value]] = [:]
    /// The links with the most clicks of people, if asked for.
    package var links: [(id: LinkID, count: ClickCount)] = []
    /// False if clicks are missing, or may be among those whose values were too many to be told apart.
    package var isComplete = true

    package static func == (one: ClickReport, other: ClickReport) -> Bool {
        one.count == other.count && one.visitors == other.visitors && one.points == other.points
            && one.top == other.top && one.links.elementsEqual(other.links) { $0 == $1 }
            && one.isComplete == other.isComplete
    }
}

/// Unique visitors, summed over the days (UTC).
private struct VisitorSum {
    var sum = 0
    /// Whether there were any.
    var isTold = false
    /// Whether a day has clicks of people who did not ask not to be followed, and none has a visitor number.
    var hasUntoldDay = false

    var visitors: Int? { isTold && !hasUntoldDay ? sum : nil }
}

/// Counts a report, from totals or from records, which must come in the order of their days.
package struct ClickReportCounter {
    private let query: ClickReportQuery
    private var report: ClickReport
    private var day: Int?
    /// Visitors that are added to sketches many at a time.
    private var waiting: [Int: [VisitorSketch.Item]] = [:]
    private static let waitingLimit = 8_192
    private var visitorsOfDay = VisitorSketch()
    /// Intervals in which people clicked on this day who did not ask not to be followed.
    private var visitedParts: Set<Int> = []
    private var visitorsOfParts: [Int: VisitorSketch] = [:]
    /// Visitors of this day that were counted elsewhere.
    private var countedOfDay: Int?
    private var countedOfParts: [Int: Int] = [:]
    private var visitors = VisitorSum()
    private var visitorsOfPoints: [VisitorSum]
    /// Of intervals that are not over.
    private var open: [Int: [ClickValues]] = [:]
    private var tops: [ClickReportQuery.Top: ClickValues] = [:]
    private var latest = 0

    package init(_ query: ClickReportQuery) {
        self.query = query
        report = ClickReport(
            points: query.boundaries.dropLast().map { ClickReport.Point(start: Timestamp(seconds: $0)) })
        visitorsOfPoints = Array(repeating: VisitorSum(), count: report.points.count)
    }

    /// The interval of a moment.
    package mutating func index(ofSecond second: Int64) -> Int? {
        guard query.seconds.contains(second) else { return nil }
        if query.boundaries[latest] > second { latest = 0 }
        if query.boundaries[latest + 1] <= second {
            var (low, high) = (latest + 1, report.points.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if query.boundaries[middle] <= second { low = middle } else { high = middle }
            }
            latest = low
        }
        return latest
    }

    /// Clicks of the day follow.
    package mutating func begin(day new: Int) {
        guard day != new else { return }
        endDay()
        day = new
        let start = Int64(new) * Timestamp.secondsOfDay
        for index in open.keys where query.boundaries[index + 1] <= start { settle(index) }
    }

    package mutating func add(_ count: ClickCount, at index: Int) {
        report.points[index].count += count
        report.count += count
    }

    /// People clicked who did not ask not to be followed.
    package mutating func markVisited(at index: Int) { visitedParts.insert(index) }

    package mutating func add(_ count: ClickCount, of value: String?, field: ClickField, at index: Int) {
        for (place, by) in query.by.enumerated() where by == field {
            open[index, default: Array(repeating: ClickValues(), count: query.by.count)][place].add(count, of: value)
        }
        for top in query.top where top.field == field { tops[top, default: ClickValues()].add(count, of: value) }
    }

    package mutating func markIncomplete() { report.isComplete = false }

    /// Clicks of values that were too many.
    package mutating func add(rest count: ClickCount, field: ClickField, at index: Int) {
        guard count.sum > 0 else { return }
        for (place, by) in query.by.enumerated() where by == field {
            open[index, default: Array(repeating: ClickValues(), count: query.by.count)][place].add(rest: count)
        }
    }

    package mutating func add(_ items: [VisitorSketch.Item], at index: Int) {
        guard !items.isEmpty else { return }
        waiting[index, default: []].append(contentsOf: items)
        guard waiting[index, default: []].count >= Self.waitingLimit else { return }
        addWaiting()
    }

    private mutating func addWaiting() {
        let taken = waiting
        waiting = [:]
        for (index, items) in taken {
            var sketch = VisitorSketch()
            sketch.add(items)
            add(sketch, at: index)
        }
    }

    package mutating func add(_ sketch: VisitorSketch, at index: Int) {
        guard !sketch.isEmpty else { return }
        visitorsOfDay.merge(sketch)
        visitorsOfParts[index, default: VisitorSketch()].merge(sketch)
    }

    // MARK: What was counted elsewhere

    /// The visitors of an interval on this day.
    package mutating func add(visitors: Int, at index: Int) { countedOfParts[index, default: 0] += visitors }

    package mutating func add(visitorsOfDay visitors: Int) { countedOfDay = (countedOfDay ?? 0) + visitors }

    /// The most frequent values of an interval.
    ///
    /// - Parameters:
    ///   - count: of all values.
    ///   - place: of their field among those of the query.
    package mutating func add(_ values: [ClickSeries.Value], of count: ClickCount, place: Int, at index: Int) {
        var rest = count
        for value in values {
            open[index, default: Array(repeating: ClickValues(), count: query.by.count)][place]
                .add(value.count, of: value.value)
            rest.people -= value.count.people
            rest.bots -= value.count.bots
        }
        rest = ClickCount(people: max(0, rest.people), bots: max(0, rest.bots))
        guard rest.sum > 0 else { return }
        open[index, default: Array(repeating: ClickValues(), count: query.by.count)][place].add(rest: rest)
    }

    package mutating func add(_ values: [ClickSeries.Value], to top: ClickReportQuery.Top) {
        for value in values { tops[top, default: ClickValues()].add(value.count, of: value.value) }
    }

    /// - Parameters:
    ///   - hasVisitors: Whether visitors were given for all clicks that count.
    ///   - links: The clicks of each link.
    package consuming func finished(
        hasVisitors: Bool, isComplete: Bool, links: [(id: LinkID, count: ClickCount)] = []
    ) -> ClickReport {
        endDay()
        for index in Array(open.keys) { settle(index) }
        for index in report.points.indices where report.points[index].values.isEmpty {
            report.points[index].values = query.by.map { _ in ClickReport.Values() }
        }
        for top in query.top where top.field != nil {
            report.top[top] = tops[top, default: ClickValues()].mostPeople(limit: ClickReportQuery.topLimit)
        }
        func visitors(_ found: VisitorSum, _ count: ClickCount) -> Int? {
            if count.people == 0 { return 0 }
            return hasVisitors ? found.visitors : nil
        }
        for index in report.points.indices {
            report.points[index].visitors = visitors(visitorsOfPoints[index], report.points[index].count)
        }
        report.visitors = visitors(self.visitors, report.count)
        report.isComplete = report.isComplete && isComplete
        report.links = links
        return report
    }

    private mutating func endDay() {
        addWaiting()
        for (index, sketch) in visitorsOfParts {
            visitorsOfPoints[index].sum += sketch.count
            visitorsOfPoints[index].isTold = true
        }
        for (index, counted) in countedOfParts {
            visitorsOfPoints[index].sum += counted
            visitorsOfPoints[index].isTold = true
        }
        if let countedOfDay {
            visitors.sum += countedOfDay
            visitors.isTold = true
        } else if !visitorsOfDay.isEmpty {
            visitors.sum += visitorsOfDay.count
            visitors.isTold = true
        } else if !visitedParts.isEmpty {
            visitors.hasUntoldDay = true
            for index in visitedParts { visitorsOfPoints[index].hasUntoldDay = true }
        }
        visitedParts = []
        countedOfDay = nil
        countedOfParts = [:]
        visitorsOfDay = VisitorSketch()
        visitorsOfParts = [:]
    }

    private mutating func settle(_ index: Int) {
        guard let fields = open.removeValue(forKey: index) else { return }
        report.points[index].values = fields.map { values in
            var values = values
            let settled = values.settled(limit: ClickSeries.valueLimit)
            return ClickReport.Values(values: settled.values, rest: settled.rest)
        }
    }
}
