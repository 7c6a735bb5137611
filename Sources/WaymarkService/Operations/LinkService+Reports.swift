package import WaymarkClicks
package import WaymarkLinks
package import WaymarkStores

/// The clicks on many links: from totals if these can tell, else from records.
extension LinkService {
    /// Records of one report; more take too long.
    package static let reportRecordLimit = clickRecordLimit
    /// Links that are selected one by one or by tags.
    package static let reportLinkLimit = 10_000
    private static let blockPage = 128
    private static let totalsPage = 960
    private static let linkPage = 2_000
    /// Rows of links that are looked up by their pages; of more, all of a day are read.
    private static let pagesAtOnce = 64
    /// Links and days whose records are looked up.
    private static let lookUpLimit = 20_000

    /// - Parameter flushes: False if the caller has just asked for another report: flushes are paced, so a second one
    ///   would wait for the next second.
    /// - Returns: Nil if more than `reportRecordLimit` records would have to be read.
    /// - Throws: `StoreError`, or `CancellationError` if the task is cancelled.
    package func report(_ query: ClickReportQuery, flushes: Bool = true) async throws -> ClickReport? {
        if flushes {
            try await recordFlush.run { [self] () async throws(StoreError) in try await flushRecords() }
        }
        return try await query.isAnsweredByTotals ? reportFromTotals(query) : reportFromLinks(query)
    }

    /// The same from records alone.
    package func reportFromRecords(
        _ query: ClickReportQuery, limit: Int = reportRecordLimit
    ) async throws -> ClickReport? {
        var counter = ClickReportCounter(query)
        var examined = 0
        var links: [LinkID: ClickCount] = [:]
        let wantsLinks = query.top.contains(.links)
        func add(_ block: ClickBlock) throws(StoreError) -> Bool {
            let added = try counter.add(block, query)
            examined += added.examined
            if wantsLinks, added.count.sum > 0 { links[block.key.link, default: ClickCount()] += added.count }
            return examined <= limit
        }
        let applications = Set(query.applications)
        let days = query.days.lowerBound...max(query.days.lowerBound, query.days.upperBound - 1)
        var last: ClickBlock.Key?
        while true {
            let page = try await store.clickTotals.recordedBlocks(days: days, after: last, limit: Self.blockPage)
            for recorded in page {
                let isSelected =
                    applications.contains(recorded.application)
                    && query.domains?.contains(recorded.domain) ?? true
                    && query.links?.contains(recorded.block.key.link) ?? true
                guard isSelected else {
                    // Looking for clicks among many others is bounded too.
                    examined += 1
                    guard examined <= limit else { return nil }
                    continue
                }
                guard try add(recorded.block) else { return nil }
            }
            guard page.count == Self.blockPage, let end = page.last else { break }
            last = end.block.key
            try Task.checkCancellation()
            await Task.yield()
        }
        let isComplete = isWithinRecords(query) ? try await hasNoDeletedLinks(query) : false
        return counter.finished(
            hasVisitors: true, isComplete: isComplete, links: Self.ordered(links))
    }

    // MARK: Totals

    private func reportFromTotals(_ query: ClickReportQuery) async throws -> ClickReport? {
        var counter = ClickReportCounter(query)
        var hasVisitors = true
        let quarters =
            Int(query.seconds.lowerBound / ClickTotal.quarter)..<Int(query.seconds.upperBound / ClickTotal.quarter)
        // At most a day at a time, because intervals are settled in their order.
        let step = min(ClickTotal.quartersOfDay, max(1, Self.totalsPage / max(1, query.applications.count)))
        var start = quarters.lowerBound
        while start < quarters.upperBound {
            let day = Timestamp(seconds: Int64(start) * ClickTotal.quarter).day
            let end = min(start + step, (day + 1) * ClickTotal.quartersOfDay, quarters.upperBound)
            counter.begin(day: day)
            for row in try await store.clickTotals.totals(of: query.applications, quarters: start..<end) {
                if try !counter.add(row, query) { hasVisitors = false }
            }
            start = end
            try Task.checkCancellation()
            await Task.yield()
        }
        var isComplete = try await isWithinTotals(query)
        var links: [(id: LinkID, count: ClickCount)] = []
        if query.top.contains(.links) {
            guard let found = try await linkTotals(query) else { return nil }
            links = Self.ordered(found.counts)
            if !found.areAll { isComplete = false }
        }
        return counter.finished(hasVisitors: hasVisitors, isComplete: isComplete, links: links)
    }

    /// The clicks of each link of the applications, from totals if the time consists of whole days, else from records.
    ///
    /// - Returns: Nil if there are too many records.
    private func linkTotals(
        _ query: ClickReportQuery
    ) async throws -> (counts: [LinkID: ClickCount], areAll: Bool)? {
        let seconds = query.seconds
        let day = Timestamp.secondsOfDay
        // The rest of today has no clicks.
        let endsWithDay = seconds.upperBound % day == 0 || seconds.upperBound >= dependencies.now().seconds
        guard seconds.lowerBound % day == 0, endsWithDay else {
            var whole = query
            whole.by = []
            whole.top = [.links]
            guard let report = try await reportFromRecords(whole) else { return nil }
            return (Dictionary(uniqueKeysWithValues: report.links.map { ($0.id, $0.count) }), report.isComplete)
        }
        let counts = try await countsOfLinks(of: query.applications, days: query.days)
        return (counts, try await hasNoDeletedLinks(query, counts: counts))
    }

    private func countsOfLinks(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws -> [LinkID: ClickCount] {
        var known: Set<LinkID> = []
        for application in applications {
            var last: LinkID?
            while true {
                let ids = try await store.clickTotals.linkIDs(of: application, after: last, limit: Self.linkPage)
                known.formUnion(ids)
                guard ids.count == Self.linkPage else { break }
                last = ids.last
            }
        }
        var counts: [LinkID: ClickCount] = [:]
        var last: TotalsChange.PageKey?
        while true {
            let rows = try await store.clickTotals.linkTotals(days: days, after: last, limit: Self.linkPage)
            for row in rows {
                let totals = try LinkTotals(encoded: row.bytes)
                for (link, count) in totals.links(of: row.key.page) where known.contains(link) {
                    counts[link, default: ClickCount()] += count
                }
            }
            guard rows.count == Self.linkPage, let end = rows.last else { return counts }
            last = end.key
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Whether all clicks of the applications on these days are of links that exist.
    private func hasNoDeletedLinks(
        _ query: ClickReportQuery, counts: [LinkID: ClickCount]? = nil
    ) async throws -> Bool {
        let days = query.days
        var all = ClickCount()
        for day in days {
            let quarters = day * ClickTotal.quartersOfDay..<(day + 1) * ClickTotal.quartersOfDay
            for row in try await store.clickTotals.totals(of: query.applications, quarters: quarters) {
                all += try ClickTotal(encoded: row.bytes, dimensions: [], withVisitors: false).count
            }
        }
        var ofLinks = ClickCount()
        let known: [LinkID: ClickCount]
        if let counts { known = counts } else { known = try await countsOfLinks(of: query.applications, days: days) }
        for count in known.values { ofLinks += count }
        return all == ofLinks
    }

    // MARK: Selected links

    private func reportFromLinks(_ query: ClickReportQuery) async throws -> ClickReport? {
        guard let selected = query.links, query.domains == nil else { return try await reportFromRecords(query) }
        let clicks = try await clicksByDay(of: selected, query.days)
        let total = clicks.values.reduce(into: ClickCount()) { sum, links in for count in links.values { sum += count }
        }
        let records = total.sum <= Self.reportRecordLimit ? try await recordsOfLinks(query, clicks) : nil
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

    private func clicksByDay(
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
        _ query: ClickReportQuery, _ clicks: [Int: [LinkID: ClickCount]]
    ) async throws -> ClickReport? {
        guard clicks.values.reduce(0, { $0 + $1.count }) <= Self.lookUpLimit else { return nil }
        var counter = ClickReportCounter(query)
        var examined = 0
        var links: [LinkID: ClickCount] = [:]
        for (day, ofDay) in clicks.sorted(by: { $0.key < $1.key }) {
            for link in ofDay.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                var last: ClickBlock.Key?
                while true {
                    let page = try await store.clickRecords.blocks(
                        of: link, days: day...day, after: last, limit: Self.blockPage)
                    for block in page {
                        let added = try counter.add(block, query)
                        examined += added.examined
                        if added.count.sum > 0 { links[link, default: ClickCount()] += added.count }
                    }
                    guard examined <= Self.reportRecordLimit else { return nil }
                    guard page.count == Self.blockPage, let end = page.last else { break }
                    last = end.key
                }
            }
            try Task.checkCancellation()
            await Task.yield()
        }
        let isComplete = isWithinRecords(query) ? try await hasNoDeletedLinks(query) : false
        return counter.finished(
            hasVisitors: true, isComplete: isComplete, links: query.top.contains(.links) ? Self.ordered(links) : [])
    }

    // MARK: Completeness

    /// Whether records of the whole time are kept.
    private func isWithinRecords(_ query: ClickReportQuery) -> Bool {
        query.days.lowerBound >= dependencies.now().day - configuration.clickRetentionDays
    }

    /// Whether totals of the whole time are kept.
    private func isWithinTotals(_ query: ClickReportQuery) async throws(StoreError) -> Bool {
        let today = dependencies.now().day
        guard query.days.lowerBound >= today - configuration.clickTotalsRetentionDays else { return false }
        guard let start = try await store.clickTotals.totalsStart() else { return true }
        return query.days.lowerBound >= start
    }

    private static func ordered(_ counts: [LinkID: ClickCount]) -> [(id: LinkID, count: ClickCount)] {
        // The most clicks of people first; of equal ones the older link.
        counts.sorted {
            ($1.value.people, $1.value.bots, $0.key.rawValue) < ($0.value.people, $0.value.bots, $1.key.rawValue)
        }
        .map { (id: $0.key, count: $0.value) }
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
