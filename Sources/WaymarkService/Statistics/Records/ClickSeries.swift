package import WaymarkLinks
package import WaymarkStores

/// Counts a link's clicks by interval from its blocks, which must be added in order of their keys.
///
/// Memory depends on the number of intervals, not of clicks: visitors and values, which need more, are reduced at the
/// end of each day.
package struct ClickSeries: Sendable {
    /// Maximum number of distinct values per interval; the others are summed up.
    package static let valueLimit = 100

    package struct Value: Sendable, Equatable {
        package var value: String?
        package var count: ClickCount
    }

    package struct Point: Sendable, Equatable {
        package var start: Timestamp
        package var count = ClickCount()
        /// Unique human visitors; 0 if there were none, nil if they were not identified.
        package var visitors: Int? = 0
        /// Grouped by the query's field; the most frequent ones first.
        package var values: [Value] = []
        /// The clicks of all other values.
        package var rest: ClickCount?
    }

    /// The result of the query.
    package struct Answer: Sendable, Equatable {
        package var query: ClickSelection
        package var points: [Point]
        package var count = ClickCount()
        /// The sum over the days: visitors can't be identified across days. Nil if those of a day were not identified.
        package var visitors: Int? = 0
        /// False if clicks may be missing.
        package var isComplete = true
    }

    /// The number of records read, whether they match or not.
    package private(set) var examined = 0
    private var answer: Answer
    /// The day of the current blocks.
    private var day: Int?
    private var openIndexes: Set<Int> = []
    private var openValues: [Int: ClickValues] = [:]
    private var openVisitors: [Int: DistinctVisitors] = [:]
    private var visitorsOfDay = DistinctVisitors()
    /// Whether people clicked on this day who did not ask not to be followed.
    private var isDayVisited = false
    /// The sum over all completed days, and whether any visitors were identified.
    private var visitors = 0
    private var isTold = false
    /// Whether such people clicked on a day, and none was identified.
    private var hasUntoldDay = false

    package init(_ query: ClickSelection) {
        answer = Answer(query: query, points: (0..<query.count).map { Point(start: query.start($0)) })
    }

    /// - Throws: `.corrupt` if the block's bytes are damaged.
    package mutating func add(_ block: ClickBlock) throws(StoreError) {
        guard let contents = block.contents else { throw .corrupt("records of clicks are damaged") }
        if day != block.key.day {
            settle()
            day = block.key.day
        }
        examined += contents.entries.count
        let query = answer.query
        let profiles = contents.profiles.map { (fits: query.fits($0), isPersons: $0[.bot] == nil) }
        // A value that was left out may have been the one asked for.
        if query.filter.keys.contains(where: { field in contents.profiles.contains { $0[field] == ClickField.rest } }) {
            markIncomplete()
        }
        // By profile, for the interval of the last click: mostly, all clicks of a block are in one.
        var counts = [Int](repeating: 0, count: profiles.count)
        var index: Int?
        for entry in contents.entries where profiles[entry.profile].fits {
            let second = entry.time.seconds
            guard query.seconds.contains(second) else { continue }
            let current = Int((second - query.seconds.lowerBound) / query.interval.seconds)
            if index != current {
                if let index { add(&counts, of: contents.profiles, at: index) }
                index = current
            }
            counts[entry.profile] += 1
            guard let visitor = entry.visitor, profiles[entry.profile].isPersons else { continue }
            openVisitors[current, default: DistinctVisitors()].add(visitor)
            if query.interval != .day { visitorsOfDay.add(visitor) }
        }
        if let index { add(&counts, of: contents.profiles, at: index) }
    }

    /// What was counted elsewhere of an interval of a day.
    struct Part {
        var index: Int
        var count: ClickCount
        /// Nil if none was identified.
        var visitors: Int?
        /// Grouped by the query's field; the most frequent ones first.
        var values: [Value] = []
    }

    /// Adds a day that was counted elsewhere, in the order of days like blocks.
    ///
    /// - Parameters:
    ///   - visitors: of the day; nil if none was identified.
    ///   - isVisited: whether people clicked who did not ask not to be followed.
    mutating func add(_ parts: [Part], visitors ofDay: Int?, isVisited: Bool) {
        settle()
        for part in parts {
            answer.points[part.index].count += part.count
            answer.count += part.count
            if part.count.people > 0 { answer.points[part.index].visitors = part.visitors }
            guard answer.query.field != nil else { continue }
            var rest = part.count
            var values = ClickValues()
            for value in part.values {
                values.add(value.count, of: value.value)
                rest.people -= value.count.people
                rest.bots -= value.count.bots
            }
            values.add(rest: ClickCount(people: max(0, rest.people), bots: max(0, rest.bots)))
            (answer.points[part.index].values, answer.points[part.index].rest) = values.settled(limit: Self.valueLimit)
        }
        if let ofDay {
            visitors += ofDay
            isTold = true
        } else if isVisited {
            hasUntoldDay = true
        }
    }

    mutating func markIncomplete() { answer.isComplete = false }

    package consuming func finished() -> Answer {
        settle()
        answer.visitors = (isTold || answer.count.people == 0) && !hasUntoldDay ? visitors : nil
        return answer
    }

    private mutating func add(_ counts: inout [Int], of profiles: [ClickRecord.Profile], at index: Int) {
        for number in counts.indices where counts[number] > 0 {
            let profile = profiles[number]
            let isPersons = profile[.bot] == nil
            let count = isPersons ? ClickCount(people: counts[number]) : ClickCount(bots: counts[number])
            counts[number] = 0
            answer.points[index].count += count
            answer.count += count
            openIndexes.insert(index)
            // Only clicks of those who asked not to be followed have no platform.
            if isPersons, profile[.platform] != nil { isDayVisited = true }
            if let field = answer.query.field {
                openValues[index, default: ClickValues()].add(count, of: profile[field])
            }
        }
    }

    /// Completes a day, for which there are no further blocks.
    private mutating func settle() {
        for (index, var values) in openValues {
            (answer.points[index].values, answer.points[index].rest) = values.settled(limit: Self.valueLimit)
        }
        var ofDay: Int?
        for index in openIndexes where answer.points[index].count.people > 0 {
            let visitors = openVisitors[index]?.count()
            answer.points[index].visitors = visitors
            ofDay = visitors ?? ofDay
        }
        if answer.query.interval != .day { ofDay = visitorsOfDay.count() }
        if let ofDay {
            visitors += ofDay
            isTold = true
        } else if isDayVisited {
            hasUntoldDay = true
        }
        isDayVisited = false
        openIndexes = []
        openValues = [:]
        openVisitors = [:]
        visitorsOfDay = DistinctVisitors()
    }
}
