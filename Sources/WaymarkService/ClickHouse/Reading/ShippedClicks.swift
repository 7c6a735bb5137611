import WaymarkLinks
import WaymarkStores

/// What ClickHouse tells for a report: clicks and visitors by day and interval, the rest by interval.
struct ShippedClicks {
    struct Part {
        var index: Int
        var count: ClickCount
        /// Clicks of people who did not ask not to be followed.
        var followed: Int
    }

    private(set) var parts: [Int: [Part]] = [:]
    private(set) var visitorsOfParts: [Int: [Int: Int]] = [:]
    private(set) var visitorsOfDays: [Int: Int] = [:]
    /// In the order of the query's fields, by interval; the most frequent ones first.
    private(set) var values: [[Int: [ClickSeries.Value]]] = []
    private(set) var tops: [ClickReportQuery.Top: [ClickSeries.Value]] = [:]
    private(set) var links: [(id: LinkID, count: ClickCount)] = []
    /// Whether lists were cut off that are added to others.
    private(set) var isCutOff = false

    /// Clicks of people with a visitor number, by day and interval.
    private var identified: [Int: [Int: Int]] = [:]
    /// Clicks of the days that ClickHouse had before the first query.
    private let confirmed: [Int: ClickCount]
    private let areAllConfirmed: Bool

    /// - Parameter isExact: whether visitors are counted one by one, instead of as sketches do.
    /// - Throws: Also if a query saw other clicks than the one before, as another replica may, or a server that lost some.
    init(
        _ query: ClickReportQuery, _ places: ReportDays, isExact: Bool = false, _ session: ClickHouseReader.Session
    ) async throws(ClickHouseFailure) {
        let days = places.inClickHouse
        confirmed = places.confirmed
        areAllConfirmed = days.joined().allSatisfy { [confirmed] in confirmed[$0] != nil }
        guard !days.isEmpty else {
            values = query.by.map { _ in [:] }
            return
        }
        let statements = ReportStatements(query, session.tables)
        let lengths = ListLengths(query, places)
        try await readParts(statements, days, query.boundaries.count - 1, session)
        visitorsOfParts = try await visitors(statements, days, ofWholeDays: false, isExact, session)
        if days.joined().allSatisfy(query.hasInOneInterval) {
            visitorsOfDays = visitorsOfParts.mapValues { $0.values.reduce(0, +) }
        } else {
            visitorsOfDays = try await visitors(statements, days, ofWholeDays: true, isExact, session)
                .compactMapValues { $0[0] }
        }
        for field in query.by { values.append(try await values(of: field, statements, days, lengths, session)) }
        let total = counts().values.reduce(into: ClickCount()) { $0 += $1 }
        for top in query.top {
            guard let field = top.field else { continue }
            var (found, clicks) = ([ClickSeries.Value](), 0)
            var answer = try await session.answer(to: statements.top(of: field, days, limit: lengths.top))
            while let row = try answer.next(columns: 3) {
                found.append(ClickSeries.Value(value: row.value(0), count: try row.clicks(1)))
                clicks += found[found.count - 1].count.sum
            }
            try check(clicks, of: total.sum, isWhole: found.count < lengths.top)
            if lengths.isMixed, found.count >= lengths.top { isCutOff = true }
            tops[top] = found.filter { $0.value != ClickField.rest }
        }
        guard query.top.contains(.links) else { return }
        var clicks = 0
        var answer = try await session.answer(to: statements.links(days, limit: lengths.links))
        while let row = try answer.next(columns: 3) {
            links.append((LinkID(rawValue: try row.number(0)), try row.clicks(1)))
            clicks += links[links.count - 1].count.sum
        }
        try check(clicks, of: total.sum, isWhole: links.count < lengths.links)
        if lengths.isMixed, links.count >= lengths.links { isCutOff = true }
        links.removeAll { $0.id.rawValue <= 0 }
    }

    private mutating func readParts(
        _ statements: ReportStatements, _ days: [ClosedRange<Int>], _ intervals: Int,
        _ session: ClickHouseReader.Session
    ) async throws(ClickHouseFailure) {
        var seen: [Int: ClickCount] = [:]
        var answer = try await session.answer(to: statements.parts(days))
        while let row = try answer.next(columns: 8) {
            let day = try row.count(0)
            guard days.contains(where: { $0.contains(day) }) else { throw .answer("a day that was not asked for") }
            let ofDay = try row.clicks(6)
            seen[day, default: ClickCount()] += ofDay
            guard try row.number(1) != -1 else { continue }
            let part = Part(
                index: try row.count(1, below: intervals), count: try row.clicks(2), followed: try row.count(4))
            guard part.count.people <= ofDay.people, part.count.bots <= ofDay.bots else {
                throw .answer("more clicks than there are")
            }
            let people = try row.count(5)
            if people > 0 { identified[day, default: [:]][part.index, default: 0] += people }
            if part.count.sum > 0 { parts[day, default: []].append(part) }
        }
        for (day, count) in confirmed where seen[day] != count { throw .answer("other clicks than a moment ago") }
    }

    /// By day and interval, or of days (interval 0).
    private func visitors(
        _ statements: ReportStatements, _ days: [ClosedRange<Int>], ofWholeDays: Bool, _ isExact: Bool,
        _ session: ClickHouseReader.Session
    ) async throws(ClickHouseFailure) -> [Int: [Int: Int]] {
        var (found, clicks): ([Int: [Int: Int]], [Int: [Int: Int]]) = ([:], [:])
        if isExact {
            var answer = try await session.answer(to: statements.exactVisitors(days, ofWholeDays: ofWholeDays))
            while let row = try answer.next(columns: 4) {
                let (day, index) = (try row.count(0), try row.count(1))
                found[day, default: [:]][index] = try row.count(2)
                clicks[day, default: [:]][index, default: 0] += try row.count(3)
            }
        } else {
            var sketches: [Int: [Int: VisitorSketch.Ranks]] = [:]
            var answer = try await session.answer(to: statements.visitors(days, ofWholeDays: ofWholeDays))
            while let row = try answer.next(columns: 6) {
                let (day, index) = (try row.count(0), try row.count(1))
                let rank = try row.count(2, below: VisitorSketch.Ranks.limit)
                let registers = try row.count(3, below: VisitorSketch.Ranks.registerLimit + 1)
                let places = try row.count(4, below: VisitorSketch.Ranks.placeLimit + 1)
                sketches[day, default: [:]][index, default: VisitorSketch.Ranks()]
                    .add(rank: rank, registers: registers, places: places)
                clicks[day, default: [:]][index, default: 0] += try row.count(5)
            }
            found = sketches.mapValues { $0.mapValues(\.visitors) }
        }
        for day in confirmed.keys {
            var expected = identified[day] ?? [:]
            if ofWholeDays, !expected.isEmpty { expected = [0: expected.values.reduce(0, +)] }
            guard clicks[day] ?? [:] == expected else { throw .answer("visitors of other clicks") }
        }
        // Of an interval that has no clicks there would be no place to add them to.
        return ofWholeDays
            ? found
            : found.reduce(into: [:]) { known, entry in
                known[entry.key] = entry.value.filter { identified[entry.key]?[$0.key] != nil }
            }
    }

    private mutating func values(
        of field: ClickField, _ statements: ReportStatements, _ days: [ClosedRange<Int>], _ lengths: ListLengths,
        _ session: ClickHouseReader.Session
    ) async throws(ClickHouseFailure) -> [Int: [ClickSeries.Value]] {
        let counts = counts()
        var all: [Int: [ClickSeries.Value]] = [:]
        for list in lengths.values {
            var found: [Int: [ClickSeries.Value]] = [:]
            var answer = try await session.answer(
                to: statements.values(of: field, days, in: list.intervals, limit: list.limit))
            while let row = try answer.next(columns: 4) {
                found[try row.count(0), default: []].append(
                    ClickSeries.Value(value: row.value(1), count: try row.clicks(2)))
            }
            for (index, count) in counts where list.intervals?.contains(where: { $0.contains(index) }) ?? true {
                let values = found.removeValue(forKey: index) ?? []
                try check(
                    values.reduce(0) { $0 + $1.count.sum }, of: count.sum, isWhole: values.count < list.limit)
                if list.isShared, values.count >= list.limit { isCutOff = true }
                all[index] = values.filter { $0.value != ClickField.rest }
            }
            guard found.isEmpty else { throw .answer("values of intervals without clicks") }
        }
        return all
    }

    /// - Parameters:
    ///   - clicks: what a list adds up to.
    ///   - isWhole: whether the list was not cut off.
    private func check(_ clicks: Int, of all: Int, isWhole: Bool) throws(ClickHouseFailure) {
        guard clicks <= all else { throw .answer("a list of more clicks than there are") }
        guard clicks == all || !isWhole || !areAllConfirmed else {
            throw .answer("a list of fewer clicks than there are")
        }
    }

    /// Clicks of an interval in all.
    func counts() -> [Int: ClickCount] {
        var counts: [Int: ClickCount] = [:]
        for part in parts.values.joined() { counts[part.index, default: ClickCount()] += part.count }
        return counts
    }
}

/// How many values ClickHouse lists. Where records are added to them, also those that may get to the front then.
private struct ListLengths {
    struct Values {
        /// Nil: all.
        var intervals: [Range<Int>]?
        var limit: Int
        /// Whether records are added to the same intervals.
        var isShared: Bool
    }

    let isMixed: Bool
    /// Lists of values by interval.
    private(set) var values: [Values] = []
    let top: Int
    let links: Int

    /// Of lists of all intervals together, in rows.
    private static let most = 400_000

    init(_ query: ClickReportQuery, _ days: ReportDays) {
        isMixed = !days.inRecords.isEmpty
        // One more, because the clicks of values that were left out may be among them.
        top = (isMixed ? 10_000 : ClickReportQuery.topLimit) + 1
        // Some of them may have been deleted.
        links = (isMixed ? 10_000 : 1_000) + 1
        let (recorded, shipped) = (Set(days.inRecords), Set(days.inClickHouse.joined()))
        let boundaries = query.boundaries
        var (shared, others): ([Range<Int>], [Range<Int>]) = ([], [])
        func append(_ index: Int, to ranges: inout [Range<Int>]) {
            if let last = ranges.last, last.upperBound == index {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        for index in 0..<max(0, boundaries.count - 1) {
            let first = Int(boundaries[index] / Timestamp.secondsOfDay)
            let touched = first...max(first, Int((boundaries[index + 1] - 1) / Timestamp.secondsOfDay))
            let isShared = touched.contains { recorded.contains($0) } && touched.contains { shipped.contains($0) }
            if isShared { append(index, to: &shared) } else { append(index, to: &others) }
        }
        let count = shared.reduce(0) { $0 + $1.count }
        let limit = count == 1 ? 10_000 : min(1_000, Self.most / max(1, count))
        if !shared.isEmpty {
            values.append(Values(intervals: others.isEmpty ? nil : shared, limit: limit + 1, isShared: true))
        }
        if !others.isEmpty {
            values.append(
                Values(
                    intervals: shared.isEmpty ? nil : others, limit: ClickSeries.valueLimit + 1, isShared: false))
        }
    }
}

extension ClickHouseAnswer.Row {
    fileprivate func clicks(_ column: Int) throws(ClickHouseFailure) -> ClickCount {
        ClickCount(people: try count(column), bots: try count(column + 1))
    }

    /// Nil for a click without one.
    fileprivate func value(_ column: Int) -> String? {
        let text = text(column)
        return text.isEmpty ? nil : text
    }
}
