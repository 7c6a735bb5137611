package import WaymarkLinks
package import WaymarkStores

/// Compares the click records of a database with the rows in ClickHouse, link by link. Both may be written meanwhile: what differs
/// is looked at again, until it has had time to arrive.
package struct ClickComparison {
    /// Links that are compared at once.
    private static let page = 20_000
    private static let blocks = 1_000
    /// Blocks that a difference names.
    private static let named = 5

    private let archive: any StoreArchive
    private let client: ClickHouseClient
    private let tables: ClickHouseTables
    /// Looks at what differs, a second apart.
    private let tries: Int
    private let now: () -> Timestamp

    package init(
        _ archive: any StoreArchive, _ client: ClickHouseClient, _ tables: ClickHouseTables, tries: Int,
        now: @escaping () -> Timestamp
    ) {
        self.archive = archive
        self.client = client
        self.tables = tables
        self.tries = tries
        self.now = now
    }

    /// What was compared, up to the first difference.
    package struct Report: Sendable, Equatable {
        package var days = 0
        package var clicks = 0
        package var difference: Difference?
    }

    package struct Difference: Sendable, Equatable {
        package var day: Int
        /// Nil for a link that is in neither.
        package var application: ApplicationID?
        /// Clicks of the application on the day.
        package var here = 0
        package var there = 0
        package var link: LinkID
        /// The first blocks of the link that differ.
        package var blocks: [Block] = []

        package struct Block: Sendable, Equatable {
            package var number: Int64
            package var here: Int
            package var there: Int
            /// Rows in ClickHouse beyond one for each place.
            package var doubles: Int
        }
    }

    private struct Row {
        var link: Int64
        var application: String
        var clicks: Int
        var places: Int
    }

    /// - Throws: `StoreError`, `ClickHouseFailure`.
    package func run(_ days: ClosedRange<Int>) async throws -> Report {
        var report = Report()
        for day in days {
            var first = Int64.min
            while true {
                let (clicks, next, differing) = try await compare(day, from: first)
                report.clicks += clicks
                if let link = differing {
                    report.difference = try await difference(day, link)
                    return report
                }
                guard let next else { break }
                first = next
            }
            report.days += 1
        }
        return report
    }

    // MARK: Links

    /// Compares the next links of a day.
    ///
    /// - Returns: The clicks here, the link to go on from, and the first link that differs.
    private func compare(
        _ day: Int, from first: Int64
    ) async throws -> (clicks: Int, next: Int64?, differing: Int64?) {
        var attempt = 1
        while true {
            // Before ClickHouse is asked, so that what it has of today may be more.
            let (own, next) = try counts(of: day, from: first)
            let rows = try await self.rows(of: day, from: first, to: next.map { $0 - 1 } ?? .max)
            guard let link = Self.firstDifference(own, rows, isOpen: day >= now().day) else {
                return (own.reduce(0) { $0 + $1.clicks }, next, nil)
            }
            guard attempt < tries else { return (0, next, link) }
            attempt += 1
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// - Parameter isOpen: whether clicks may have been added to the day since `own` was counted.
    private static func firstDifference(
        _ own: [(link: Int64, clicks: Int)], _ rows: [Row], isOpen: Bool
    ) -> Int64? {
        var (index, place) = (0, 0)
        while index < own.count || place < rows.count {
            let here = index < own.count ? own[index].link : .max
            let there = place < rows.count ? rows[place].link : .max
            guard here <= there else {
                if !isOpen { return there }
                place += 1
                continue
            }
            // The greatest number also means that there is no further link.
            guard here == there, index < own.count, place < rows.count else { return here }
            let row = rows[place]
            let isEqual =
                row.clicks == row.places
                && (own[index].clicks == row.clicks || isOpen && own[index].clicks < row.clicks)
            guard isEqual else { return here }
            index += 1
            place += 1
        }
        return nil
    }

    /// Clicks of a day by link, in order, from a link on.
    ///
    /// - Returns: Also the link to go on from; nil at the day's end.
    private func counts(
        of day: Int, from first: Int64
    ) throws(StoreError) -> (counts: [(link: Int64, clicks: Int)], next: Int64?) {
        var counts: [(link: Int64, clicks: Int)] = []
        var last = ClickBlock.Key(link: LinkID(rawValue: first), day: day, number: .min)
        while true {
            let blocks = try archive.clickBlocks(after: last, limit: Self.blocks)
            for block in blocks {
                guard block.key.day == day else { return (counts, nil) }
                let link = block.key.link.rawValue
                if counts.last?.link != link {
                    guard counts.count < Self.page else { return (counts, link) }
                    counts.append((link, 0))
                }
                counts[counts.count - 1].clicks += block.clickCount
            }
            guard let end = blocks.last else { return (counts, nil) }
            last = end.key
        }
    }

    private func rows(of day: Int, from first: Int64, to last: Int64) async throws(ClickHouseFailure) -> [Row] {
        try await client.rows(
            "SELECT link, toString(any(app)), count(), uniqExact(block, place) FROM \(tables.clicks) "
                + "WHERE \(ClickHouseTables.within(day...day)) AND link >= \(first) AND link <= \(last) GROUP BY link ORDER BY link"
        ).compactMap { row in
            guard row.count == 4, let link = Int64(row[0]), let clicks = Int(row[2]), let places = Int(row[3]) else {
                return nil
            }
            return Row(link: link, application: row[1], clicks: clicks, places: places)
        }
    }

    // MARK: Differences

    private func difference(_ day: Int, _ link: Int64) async throws -> Difference {
        var difference = Difference(day: day, link: LinkID(rawValue: link))
        difference.blocks = try await blocks(of: link, on: day)
        var applications: [Int64: String] = [:]
        var first = Int64.min
        var own: [(link: Int64, clicks: Int)] = []
        while true {
            let (counts, next) = try self.counts(of: day, from: first)
            for row in try await rows(of: day, from: first, to: next.map { $0 - 1 } ?? .max) {
                applications[row.link] = row.application
            }
            own += counts
            guard let next else { break }
            first = next
        }
        guard let application = try applications[link] ?? self.application(of: link) else { return difference }
        difference.application = ApplicationID(application)
        for (link, clicks) in own {
            let owner = try applications[link] ?? self.application(of: link)
            if owner == application { difference.here += clicks }
        }
        // Letters, digits and hyphens: nothing in it needs quotation.
        difference.there = try await client.number(
            "SELECT count() FROM \(tables.clicks) WHERE day = toDate(\(day)) AND app = '\(application.filter { $0 != "'" && $0 != "\\" })'"
        )
        return difference
    }

    private func application(of link: Int64) throws(StoreError) -> String? {
        guard link > 0, let row = try archive.links(after: LinkID(rawValue: link - 1), limit: 1).first else {
            return nil
        }
        guard case .link(let found) = row, found.link.id.rawValue == link else { return nil }
        return found.link.application.text
    }

    private func blocks(of link: Int64, on day: Int) async throws -> [Difference.Block] {
        var found: [Int64: Difference.Block] = [:]
        var last = ClickBlock.Key(link: LinkID(rawValue: link), day: day, number: .min)
        reading: while true {
            let blocks = try archive.clickBlocks(after: last, limit: Self.blocks)
            for block in blocks {
                guard block.key.day == day, block.key.link.rawValue == link else { break reading }
                let number = block.key.number
                found[number] = Difference.Block(number: number, here: block.clickCount, there: 0, doubles: 0)
            }
            guard let end = blocks.last else { break }
            last = end.key
        }
        let rows = try await client.rows(
            "SELECT block, count(), uniqExact(place) FROM \(tables.clicks) "
                + "WHERE \(ClickHouseTables.within(day...day)) AND link = \(link) GROUP BY block")
        for row in rows where row.count == 3 {
            guard let number = Int64(row[0]), let count = Int(row[1]), let places = Int(row[2]) else { continue }
            var block = found[number] ?? Difference.Block(number: number, here: 0, there: 0, doubles: 0)
            block.there = count
            block.doubles = max(0, count &- places)
            found[number] = block
        }
        let isOpen = day >= now().day
        return Array(
            found.values.filter { $0.doubles > 0 || $0.here != $0.there && !(isOpen && $0.here == 0) }
                .sorted { $0.number < $1.number }.prefix(Self.named))
    }
}
