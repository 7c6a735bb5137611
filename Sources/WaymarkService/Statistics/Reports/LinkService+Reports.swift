package import WaymarkLinks
package import WaymarkStores

/// The clicks on many links: from totals if these can tell, else from records.
extension LinkService {
    /// Records of one report; more take too long.
    package static let reportRecordLimit = clickRecordLimit
    /// Bytes of totals of one report; more take too long.
    package static let reportByteLimit = 256 << 20
    /// Links that are selected one by one or by tags.
    package static let reportLinkLimit = 10_000
    private static let blockPage = 128
    private static let totalsPage = 960
    private static let linkPage = 2_000
    /// Days whose totals are in memory at a time.
    private static let summariesAtOnce = 8
    /// Rows of links that are looked up by their pages; of more, all of a day are read.
    private static let pagesAtOnce = 64
    /// Links and days whose records are looked up.
    private static let lookUpLimit = 20_000

    /// - Parameter flushes: False if the caller has just asked for another report: flushes are paced, so a second one
    ///   would wait for the next second.
    /// - Parameter end: of all reports of a request; see `reportsEnd`.
    /// - Returns: Nil if more than `reportRecordLimit` records, or more bytes of totals than the limit, would have to be read.
    /// - Throws: `StoreError`, or `CancellationError` if the task is cancelled.
    package func report(
        _ query: ClickReportQuery, flushes: Bool = true, byteLimit: Int = reportByteLimit,
        until asked: ContinuousClock.Instant? = nil
    ) async throws -> ClickReport? {
        let end = asked ?? reportsEnd
        if flushes { try await flushWaitingRecords() }
        if query.isAnsweredByTotals { return try await reportFromTotals(query, byteLimit: byteLimit, until: end) }
        if let report = try await shippedReport(query, until: end) { return report }
        return try await reportFromLinks(query, until: end)
    }

    /// The same from records alone.
    ///
    /// - Parameter cutsOff: Whether too many records are an answer that is not complete, instead of none.
    package func reportFromRecords(
        _ query: ClickReportQuery, limit: Int = reportRecordLimit, cutsOff: Bool = false,
        until end: ContinuousClock.Instant? = nil
    ) async throws -> ClickReport? {
        var reading = RecordReading(query, until: end)
        let days = query.days.lowerBound...max(query.days.lowerBound, query.days.upperBound - 1)
        let isWhole = try await add(days, query, to: &reading, limit: limit)
        guard isWhole || cutsOff else { return nil }
        return try await finished(reading, query, isWhole: isWhole)
    }

    /// Adds the records of some days.
    ///
    /// - Returns: False if they are too many; then some are added.
    func add(
        _ days: ClosedRange<Int>, _ query: ClickReportQuery, to reading: inout RecordReading, limit: Int
    ) async throws -> Bool {
        let wantsLinks = query.top.contains(.links)
        let applications = Set(query.applications)
        var last: ClickBlock.Key?
        while true {
            guard !reading.isLate else { return false }
            let page = try await store.clickTotals.recordedBlocks(days: days, after: last, limit: Self.blockPage)
            for recorded in page {
                try await reading.pauseIfDue(Self.recordsAtOnce)
                let isSelected =
                    applications.contains(recorded.application)
                    && query.domains?.contains(recorded.domain) ?? true
                    && query.links?.contains(recorded.block.key.link) ?? true
                if isSelected {
                    try reading.add(
                        recorded.block, query, noting: wantsLinks && !recorded.block.key.link.isOfLongLinks)
                } else {
                    // Looking for clicks among many others is bounded too.
                    reading.examined += 1
                }
                guard reading.examined <= limit else { return false }
            }
            guard page.count == Self.blockPage, let end = page.last else { return true }
            last = end.block.key
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private func finished(
        _ reading: RecordReading, _ query: ClickReportQuery, isWhole: Bool
    ) async throws(StoreError) -> ClickReport {
        let isComplete = isWhole && isWithinRecords(query) ? try await hasNoDeletedLinks(query) : false
        return reading.counter.finished(
            hasVisitors: true, isComplete: isComplete,
            links: query.top.contains(.links) ? Self.ordered(reading.links) : [])
    }

    // MARK: Totals

    func reportFromTotals(
        _ query: ClickReportQuery, byteLimit: Int, until end: ContinuousClock.Instant? = nil
    ) async throws -> ClickReport? {
        var counter = ClickReportCounter(query)
        var hasVisitors = true
        var bytesRead = 0
        let summaries = try await store.clickTotals.summaries(within: query.days)
        for start in stride(from: query.days.lowerBound, to: query.days.upperBound, by: Self.summariesAtOnce) {
            let days = start..<min(start + Self.summariesAtOnce, query.days.upperBound)
            let known = try await totals(of: query.applications, days.filter(query.hasInOneInterval), summaries)
            for day in days {
                counter.begin(day: day)
                if let rows = known[day] {
                    for bytes in rows {
                        bytesRead += bytes.count
                        let row = ApplicationTotal(quarter: day * ClickTotal.quartersOfDay, bytes: bytes)
                        if try !counter.add(row, query) { hasVisitors = false }
                    }
                } else if try await !addQuarters(of: day, query, to: &counter, bytesRead: &bytesRead) {
                    hasVisitors = false
                }
                guard bytesRead <= byteLimit else { return nil }
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        var isComplete = try await isWithinTotals(query)
        var links: [(id: LinkID, count: ClickCount)] = []
        if query.top.contains(.links) {
            guard let found = try await linkTotals(query, until: end) else { return nil }
            links = found.links
            if !found.areAll { isComplete = false }
        }
        return counter.finished(hasVisitors: hasVisitors, isComplete: isComplete, links: links)
    }

    /// The totals of whole days that have a summary, by day.
    private func totals(
        of applications: [ApplicationID], _ days: [Int], _ summaries: [ClickSummaryKey: [UInt8]]
    ) async throws(StoreError) -> [Int: [[UInt8]]] {
        let selected = Set(applications)
        var ofAll: [ClickSummaryKey] = []
        var found: [Int: [[UInt8]]] = [:]
        for day in days {
            let key = ClickSummaryKey(span: ClickSummaryKey.applications, day: day)
            guard let directory = summaries[key] else { continue }
            let named = try ClickSummaryDirectory.applications(directory)
            guard !selected.isSuperset(of: named) else {
                ofAll.append(key)
                continue
            }
            let parts = named.indices.filter { selected.contains(named[$0]) }.map { Int64($0 + 1) }
            if let rows = try await store.clickTotals.summaryParts(of: [key], parts: parts), rows.count == parts.count {
                found[day] = rows.map(\.bytes)
            }
        }
        // One with too many values, made by an earlier version, has no parts.
        for row in try await store.clickTotals.summaryParts(of: ofAll, parts: [0]) ?? [] {
            found[row.key.day] = [row.bytes]
        }
        return found
    }

    /// - Returns: Whether the visitors of the rows are those of the query.
    private func addQuarters(
        of day: Int, _ query: ClickReportQuery, to counter: inout ClickReportCounter, bytesRead: inout Int
    ) async throws -> Bool {
        let asked =
            Int(query.seconds.lowerBound / ClickTotal.quarter)..<Int(query.seconds.upperBound / ClickTotal.quarter)
        let quarters = asked.clamped(to: day * ClickTotal.quartersOfDay..<(day + 1) * ClickTotal.quartersOfDay)
        guard !quarters.isEmpty else { return true }
        // Whole days at a time, because those of an application may be stored in one row.
        let step = max(1, Self.totalsPage / quarters.count)
        var hasVisitors = true
        for start in stride(from: 0, to: query.applications.count, by: step) {
            let applications = Array(query.applications[start...].prefix(step))
            for row in try await store.clickTotals.totals(of: applications, quarters: quarters) {
                bytesRead += row.bytes.count
                if try !counter.add(row, query) { hasVisitors = false }
            }
            await Task.yield()
        }
        return hasVisitors
    }

    /// The most clicked links of the applications, from totals if the time consists of whole days, else from records.
    ///
    /// - Returns: Nil if there are too many records.
    private func linkTotals(
        _ query: ClickReportQuery, until end: ContinuousClock.Instant?
    ) async throws -> (links: [(id: LinkID, count: ClickCount)], areAll: Bool)? {
        let seconds = query.seconds
        let day = Timestamp.secondsOfDay
        // The rest of today has no clicks.
        let endsWithDay = seconds.upperBound % day == 0 || seconds.upperBound >= dependencies.now().seconds
        guard seconds.lowerBound % day == 0, endsWithDay else {
            var whole = query
            whole.by = []
            whole.top = [.links]
            var found = try await shippedReport(whole, until: end)
            if found == nil { found = try await reportFromRecords(whole, cutsOff: answersAlways, until: end) }
            guard let report = found else { return nil }
            return (report.links, report.isComplete)
        }
        let links = try await MostClickedLinks(store: store, applications: query.applications)
            .links(days: query.days, limit: ClickReportQuery.topLimit)
        return (links, try await hasNoDeletedLinks(query))
    }

    /// Whether all clicks of the applications on these days are of links that exist, as far as is known.
    func hasNoDeletedLinks(_ query: ClickReportQuery) async throws(StoreError) -> Bool {
        try await !store.clickTotals.hasDeletedLinks(of: query.applications, days: query.days)
    }

    // MARK: Selected links

    private func reportFromLinks(
        _ query: ClickReportQuery, until end: ContinuousClock.Instant?
    ) async throws -> ClickReport? {
        guard let selected = query.links, query.domains == nil else {
            return try await reportFromRecords(query, cutsOff: answersAlways, until: end)
        }
        let clicks = try await clicksByDay(of: selected, query.days)
        let total = clicks.values.reduce(into: ClickCount()) { sum, links in for count in links.values { sum += count }
        }
        let isBounded = total.sum <= Self.reportRecordLimit
        let cutsOff = answersAlways && !query.isCountedByLinkTotals
        let records =
            isBounded || cutsOff ? try await recordsOfLinks(query, clicks, cutsOff: cutsOff, until: end) : nil
        // Visitors are known only as long as all records are.
        if let records, !query.isCountedByLinkTotals || records.count == total { return records }
        guard query.isCountedByLinkTotals else { return nil }
        var counter = ClickReportCounter(query)
        var ofLinks: [LinkID: ClickCount] = [:]
        for (day, links) in clicks.sorted(by: { $0.key < $1.key }) {
            counter.begin(day: day)
            guard let index = counter.index(ofSecond: Int64(day) * Timestamp.secondsOfDay) else { continue }
            for (link, count) in links {
                counter.add(count, at: index)
                ofLinks[link, default: ClickCount()] += count
            }
        }
        let isComplete = try await isWithinTotals(query) ? try await hasNoDeletedLinks(query) : false
        return counter.finished(
            hasVisitors: false, isComplete: isComplete, links: query.top.contains(.links) ? Self.ordered(ofLinks) : [])
    }

    func clicksByDay(
        of selected: Set<LinkID>, _ days: Range<Int>
    ) async throws -> [Int: [LinkID: ClickCount]] {
        var clicks: [Int: [LinkID: ClickCount]] = [:]
        func add(_ row: LinkTotalsRow) throws(StoreError) {
            for (link, count) in try LinkTotals(encoded: row.bytes).links(of: row.key.page)
            where selected.contains(link) && count.sum > 0 {
                clicks[row.key.day, default: [:]][link, default: ClickCount()] += count
            }
        }
        let pages = Set(selected.map { LinkTotals.page(of: $0) }).sorted()
        if pages.count <= Self.pagesAtOnce {
            for day in days where !pages.isEmpty {
                for row in try await store.clickTotals.linkTotals(pages: pages, days: day..<day + 1) { try add(row) }
            }
            return clicks
        }
        var last: TotalsChange.PageKey?
        while true {
            let rows = try await store.clickTotals.linkTotals(days: days, after: last, limit: Self.linkPage)
            for row in rows { try add(row) }
            guard rows.count == Self.linkPage, let end = rows.last else { return clicks }
            last = end.key
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Blocks of all links, day by day, so that visitors of several links are told apart.
    ///
    /// - Returns: Nil if these are too many.
    private func recordsOfLinks(
        _ query: ClickReportQuery, _ clicks: [Int: [LinkID: ClickCount]], cutsOff: Bool,
        until end: ContinuousClock.Instant?
    ) async throws -> ClickReport? {
        // Without an answer at the end there is no need to begin.
        guard cutsOff || clicks.values.reduce(0, { $0 + $1.count }) <= Self.lookUpLimit else { return nil }
        var reading = RecordReading(query, until: end)
        for (day, ofDay) in clicks.sorted(by: { $0.key < $1.key }) {
            let isWhole = try await add(ofDay, on: day, query, to: &reading)
            guard isWhole || cutsOff else { return nil }
            guard isWhole else { return try await finished(reading, query, isWhole: false) }
        }
        return try await finished(reading, query, isWhole: true)
    }

    /// Adds the records of these links.
    ///
    /// - Returns: False if they are too many; then some are added.
    func add(
        _ links: [LinkID: ClickCount], on day: Int, _ query: ClickReportQuery, to reading: inout RecordReading
    ) async throws -> Bool {
        for link in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            reading.lookUps += 1
            guard reading.lookUps <= Self.lookUpLimit, !reading.isLate else { return false }
            var last: ClickBlock.Key?
            while true {
                let page = try await store.clickRecords.blocks(
                    of: link, days: day...day, after: last, limit: Self.blockPage)
                for block in page {
                    try await reading.pauseIfDue(Self.recordsAtOnce)
                    try reading.add(block, query, noting: true)
                }
                guard reading.examined <= Self.reportRecordLimit, !reading.isLate else { return false }
                guard page.count == Self.blockPage, let end = page.last else { break }
                last = end.key
            }
        }
        try Task.checkCancellation()
        await Task.yield()
        return true
    }

    // MARK: Completeness

    /// Whether a report that too many records are needed for tells what it can: ClickHouse answers others, when it is there.
    var answersAlways: Bool { dependencies.clickHouse != nil }

    /// Whether records of the whole time are kept.
    private func isWithinRecords(_ query: ClickReportQuery) -> Bool { hasRecords(since: query.days.lowerBound) }

    /// Whether records of all days since this one are kept.
    func hasRecords(since day: Int) -> Bool { day >= dependencies.now().day - configuration.clickRetentionDays }

    /// Whether totals of the whole time are kept.
    private func isWithinTotals(_ query: ClickReportQuery) async throws(StoreError) -> Bool {
        try await hasTotals(since: query.days.lowerBound)
    }

    /// Whether totals of all days since this one are kept.
    func hasTotals(since day: Int) async throws(StoreError) -> Bool {
        guard day >= dependencies.now().day - configuration.clickTotalsRetentionDays else { return false }
        guard let start = try await store.clickTotals.totalsStart() else { return true }
        return day >= start
    }

    static func ordered(_ counts: [LinkID: ClickCount]) -> [(id: LinkID, count: ClickCount)] {
        // The most clicks of people first; of equal ones the older link.
        counts.sorted {
            ($1.value.people, $1.value.bots, $0.key.rawValue) < ($0.value.people, $0.value.bots, $1.key.rawValue)
        }
        .map { (id: $0.key, count: $0.value) }
    }
}

// MARK: - Visits of unknown addresses

extension LinkService {
    /// The addresses that no link has, by visits of people, on the days (UTC) that the query touches.
    ///
    /// - Parameter probes: Whether to list those that browsers and scanners request from every host, or all others.
    package func unknownAddresses(
        _ query: ClickReportQuery, probes: Bool
    ) async throws(StoreError) -> [ClickSeries.Value] {
        try await unknownVisits?.flush()
        var values = ClickValues()
        for visits in try await store.clickTotals.unknownVisits(of: query.applications, days: query.days) {
            for (address, count) in visits.counts
            where query.isOnDomain(address) && ProbePath.contains(address: address) == probes {
                values.add(count, of: address)
            }
        }
        return values.mostPeople(limit: ClickReportQuery.topLimit)
    }
}

extension ClickReportQuery {
    /// - Parameter address: Host and path.
    fileprivate func isOnDomain(_ address: String) -> Bool {
        guard let domains else { return true }
        return domains.contains { address.hasPrefix($0.text + "/") }
    }
}

// MARK: - Links of a report

extension LinkService {
    package func find(_ id: LinkID) async throws(StoreError) -> Link? { try await store.link(id) }

    /// The links of these applications with any of the tags; nil if they are more than `reportLinkLimit`.
    package func linkIDs(
        taggedWithAnyOf tags: [String], in applications: [ApplicationID]
    ) async throws -> Set<LinkID>? {
        let applications = Set(applications)
        var found: Set<LinkID> = []
        for tag in tags {
            var listing = LinkListing(tag: tag)
            listing.limit = 200
            while true {
                let page = try await store.list(listing)
                found.formUnion(page.links.filter { applications.contains($0.application) }.map(\.id))
                guard found.count <= Self.reportLinkLimit else { return nil }
                guard let next = page.next else { break }
                listing.after = next
                try Task.checkCancellation()
            }
        }
        return found
    }

    /// Those of the links that are of these applications and on these domains (nil: any).
    package func links(
        _ links: Set<LinkID>, in applications: [ApplicationID], domains: Set<HostName>?
    ) async throws(StoreError) -> Set<LinkID> {
        var found: Set<LinkID> = []
        for id in links {
            guard let link = try await store.link(id), applications.contains(link.application),
                domains?.contains(link.domain) ?? true
            else { continue }
            found.insert(id)
        }
        return found
    }
}
