import WaymarkLinks
import WaymarkStores

/// Reports that only records can answer, read from ClickHouse where it is configured.
extension LinkService {
    /// How long after its beginning a request that ClickHouse may answer stops reading.
    private static let patience: Duration = .milliseconds(7_500)
    /// The part of it in which ClickHouse is not asked any more.
    private static let timeForRecords: Duration = .milliseconds(2_500)

    /// When a request that begins now has to have its reports, all of them together; nil without ClickHouse.
    package var reportsEnd: ContinuousClock.Instant? {
        dependencies.clickHouse == nil ? nil : ContinuousClock.now + Self.patience
    }

    /// - Parameter end: of the whole request.
    /// - Returns: Nil if the records have to answer: there is no ClickHouse, or it can't tell.
    /// - Throws: `StoreError`, or `CancellationError`.
    func shippedReport(_ query: ClickReportQuery, until end: ContinuousClock.Instant?) async throws -> ClickReport? {
        try await readingShipped(query, until: end) { session, days, own, hasRest in
            // Totals of links have all clicks, if not their visitors.
            guard days.isComplete || !query.isCountedByLinkTotals else { return nil }
            let shipped = try await ShippedClicks(query, days, session)
            let report = try await report(query, days, own, shipped, hasRest: hasRest, until: end)
            guard query.isCountedByLinkTotals else { return report }
            let total = own.values.joined().reduce(into: ClickCount()) { $0 += $1.value }
            return report.count == total ? report : nil
        }
    }

    /// The same for a link. ClickHouse tells visitors exactly, also of a day that has so many that they are estimated from records.
    func shippedClicks(
        of link: LinkID, _ selection: ClickSelection, until end: ContinuousClock.Instant?
    ) async throws -> ClickSeries.Answer? {
        guard dependencies.clickHouse != nil, let application = try await store.link(link)?.application else {
            return nil
        }
        let query = ClickReportQuery(
            boundaries: (0...selection.count).map { selection.start($0).seconds }, interval: .total,
            applications: [application], filter: selection.filter.mapValues { [$0] }, links: [link],
            by: selection.field.map { [$0] } ?? [])
        return try await readingShipped(query, until: end) { session, days, own, hasRest in
            let shipped = try await ShippedClicks(query, days, isExact: true, session)
            var series = ClickSeries(selection)
            if !days.isComplete || hasRest { series.markIncomplete() }
            for day in days.all {
                if days.inRecords.contains(day) {
                    let limit = Self.clickRecordLimit
                    if try await !add(day...day, of: link, to: &series, limit: limit, until: end) {
                        series.markIncomplete()
                    }
                } else if let parts = shipped.parts[day] {
                    let ofDay = parts.map { part in
                        ClickSeries.Part(
                            index: part.index, count: part.count, visitors: shipped.visitorsOfParts[day]?[part.index],
                            values: shipped.values.first?[part.index] ?? [])
                    }
                    series.add(
                        ofDay, visitors: shipped.visitorsOfDays[day],
                        isVisited: parts.contains { $0.followed > 0 })
                }
            }
            return series.finished()
        }
    }

    /// Looks where the clicks of each day are.
    private func readingShipped<Value>(
        _ query: ClickReportQuery, until end: ContinuousClock.Instant?,
        _ body: (ClickHouseReader.Session, ReportDays, [Int: [LinkID: ClickCount]], _ hasRest: Bool) async throws ->
            Value?
    ) async throws -> Value? {
        guard let end, let reader = dependencies.clickHouse, reader.isWorthAsking, !query.applications.isEmpty,
            query.links?.isEmpty != true,
            let own = try await clicksByDay(query)
        else { return nil }
        let asked = query.days.clamped(to: ClickRows.days.lowerBound..<ClickRows.days.upperBound + 1)
        guard !asked.isEmpty else { return nil }
        let known = try await firstDayOfTotals()
        return try await reader.report(until: end - Self.timeForRecords) { session in
            let statements = ReportStatements(query, session.tables)
            var there: [Int: ClickCount] = [:]
            var hasRest = false
            var answer = try await session.answer(to: statements.days([asked.lowerBound...asked.upperBound - 1]))
            while let row = try answer.next(columns: 4) {
                there[try row.count(0)] = ClickCount(people: try row.count(1), bots: try row.count(2))
                // A value that was left out may have been one of those asked for.
                if try row.count(3) > 0 { hasRest = true }
            }
            let days = ReportDays(
                query.days, own: own.mapValues { $0.values.reduce(into: ClickCount()) { $0 += $1 } }, there: there,
                known: known, recorded: dependencies.now().day - configuration.clickRetentionDays,
                today: dependencies.now().day, limit: Self.reportRecordLimit)
            return try await body(session, days, own, hasRest)
        }
    }

    /// Adds up what ClickHouse tells and the records of other days.
    private func report(
        _ query: ClickReportQuery, _ days: ReportDays, _ own: [Int: [LinkID: ClickCount]], _ shipped: ShippedClicks,
        hasRest: Bool, until end: ContinuousClock.Instant?
    ) async throws -> ClickReport {
        var reading = RecordReading(query, until: end)
        let counts = shipped.counts()
        var told: Set<Int> = []
        for day in days.all {
            guard let parts = shipped.parts[day] else {
                if days.inRecords.contains(day), try await !add(day, own[day] ?? [:], query, to: &reading) {
                    reading.counter.markIncomplete()
                }
                continue
            }
            reading.counter.begin(day: day)
            for part in parts {
                reading.counter.add(part.count, at: part.index)
                if part.followed > 0 { reading.counter.markVisited(at: part.index) }
                if let visitors = shipped.visitorsOfParts[day]?[part.index] {
                    reading.counter.add(visitors: visitors, at: part.index)
                }
                guard told.insert(part.index).inserted else { continue }
                for (place, values) in shipped.values.enumerated() {
                    reading.counter.add(
                        values[part.index] ?? [], of: counts[part.index] ?? ClickCount(), place: place, at: part.index)
                }
            }
            if let visitors = shipped.visitorsOfDays[day] { reading.counter.add(visitorsOfDay: visitors) }
        }
        for (top, values) in shipped.tops { reading.counter.add(values, to: top) }
        for (link, count) in shipped.links { reading.links[link, default: ClickCount()] += count }
        if hasRest || shipped.isCutOff || !days.isComplete { reading.counter.markIncomplete() }
        return reading.counter.finished(
            hasVisitors: true, isComplete: try await hasNoDeletedLinks(query),
            links: query.top.contains(.links) ? Self.ordered(reading.links) : [])
    }

    /// Adds the records of a day.
    private func add(
        _ day: Int, _ links: [LinkID: ClickCount], _ query: ClickReportQuery, to reading: inout RecordReading
    ) async throws -> Bool {
        query.links == nil || query.domains != nil
            ? try await add(day...day, query, to: &reading, limit: Self.reportRecordLimit)
            : try await add(links, on: day, query, to: &reading)
    }

    /// Clicks of the links, or else of the applications, by day; these under a link that does not exist. Nil if there are too many
    /// totals to read.
    private func clicksByDay(_ query: ClickReportQuery) async throws -> [Int: [LinkID: ClickCount]]? {
        if let links = query.links, query.domains == nil { return try await clicksByDay(of: links, query.days) }
        var daily = ClickReportQuery(
            boundaries: (query.days.lowerBound...query.days.upperBound).map { Int64($0) * Timestamp.secondsOfDay },
            interval: .day, applications: query.applications)
        daily.links = nil
        guard let totals = try await reportFromTotals(daily, byteLimit: Self.reportByteLimit) else { return nil }
        var clicks: [Int: [LinkID: ClickCount]] = [:]
        for (index, point) in totals.points.enumerated() where point.count.sum > 0 {
            clicks[query.days.lowerBound + index] = [.unstored: point.count]
        }
        return clicks
    }

    private func firstDayOfTotals() async throws(StoreError) -> Int {
        let kept = dependencies.now().day - configuration.clickTotalsRetentionDays
        return max(kept, try await store.clickTotals.totalsStart() ?? kept)
    }
}
