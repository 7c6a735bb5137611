package import WaymarkLinks
package import WaymarkStores

/// Clicks of people, and of programs.
package struct ClickCount: Sendable, Equatable {
    package var people = 0
    package var bots = 0

    package init(people: Int = 0, bots: Int = 0) {
        self.people = people
        self.bots = bots
    }

    var sum: Int { people + bots }

    static func += (count: inout ClickCount, other: ClickCount) {
        count.people += other.people
        count.bots += other.bots
    }
}

/// Counts a link's clicks interval by interval, while its blocks come by in the order of their keys.
///
/// Memory depends on how many intervals there are, and not on how many clicks: what takes more (visitors, values) is
/// settled as soon as its day is over.
package struct ClickSeries: Sendable {
    /// Different values of an interval; the others are summed up.
    package static let valueLimit = 100

    package struct Value: Sendable, Equatable {
        package var value: String?
        package var count: ClickCount
    }

    package struct Point: Sendable, Equatable {
        package var start: Timestamp
        package var count = ClickCount()
        /// Different people; 0 where nobody came, nil where they were not told apart.
        package var visitors: Int? = 0
        /// By the query's field; the most frequent ones first.
        package var values: [Value] = []
        /// The clicks of all further values.
        package var rest: ClickCount?
    }

    /// What was counted for the query.
    package struct Answer: Sendable, Equatable {
        package var query: ClickSelection
        package var points: [Point]
        package var count = ClickCount()
        /// The sum over the days: visitors of different days can't be told to be the same.
        package var visitors: Int? = 0
    }

    /// Records that were looked at, whether they count or not.
    package private(set) var examined = 0
    private var answer: Answer
    /// Of the day whose blocks come by.
    private var day: Int?
    private var openIndexes: Set<Int> = []
    private var openValues: [Int: ClickValues] = [:]
    private var openVisitors: [Int: DistinctVisitors] = [:]
    private var visitorsOfDay = DistinctVisitors()
    /// Over all days that are over, and whether any was told apart.
    private var visitors = 0
    private var isTold = false

    package init(_ query: ClickSelection) {
        answer = Answer(query: query, points: (0..<query.count).map { Point(start: query.start($0)) })
    }

    /// - Throws: `.corrupt` where the block's bytes are damaged.
    package mutating func add(_ block: ClickBlock) throws(StoreError) {
        guard let contents = block.contents else { throw .corrupt("records of clicks are damaged") }
        if day != block.key.day {
            settle()
            day = block.key.day
        }
        examined += contents.entries.count
        let query = answer.query
        let profiles = contents.profiles.map { (fits: query.fits($0), isPersons: $0[.bot] == nil) }
        // By profile, of the interval that the last click was in: mostly all of a block are in one.
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

    package consuming func finished() -> Answer {
        settle()
        answer.visitors = isTold || answer.count.people == 0 ? visitors : nil
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
            if let field = answer.query.field {
                openValues[index, default: ClickValues()].add(count, of: profile[field])
            }
        }
    }

    /// The day is over: what is known of it is all that there will be.
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
        }
        openIndexes = []
        openValues = [:]
        openVisitors = [:]
        visitorsOfDay = DistinctVisitors()
    }
}
