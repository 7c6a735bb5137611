package import WaymarkLinks
package import WaymarkStores

/// Compares the click records of a database with the rows in ClickHouse, link by link. Both may be written meanwhile: what differs
/// is looked at again, until it has had time to arrive.
package struct ClickComparison {
    /// What one query compares, at most: links of a day, clicks, and days. ClickHouse counts distinct places in memory.
    private static let page = 20_000
    private static let clicks = 5_000_000
    private static let days = 31
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

    /// A link on a day.
    private struct Key: Hashable, Comparable {
        var day: Int
        var link: Int64

        static func < (one: Key, other: Key) -> Bool { (one.day, one.link) < (other.day, other.link) }
    }

    private struct Row {
        var key: Key
        var application: String
        var clicks: Int
        var places: Int
    }

    /// - Throws: `StoreError`, `ClickHouseFailure`.
    package func run(_ days: ClosedRange<Int>) async throws -> Report {
        var report = Report()
        var next: Key? = Key(day: days.lowerBound, link: .min)
        while let first = next {
            let (clicks, end, differing) = try await compare(from: first, through: days.upperBound)
            report.clicks += clicks
            if let differing {
                report.days = differing.day - days.lowerBound
                report.difference = try await difference(differing.day, differing.link)
                return report
            }
            next = end
        }
        report.days = days.count
        return report
    }

    // MARK: Links

    /// Compares the next links.
    ///
    /// - Returns: The clicks here, where to go on, and the first link that differs.
    private func compare(
        from first: Key, through lastDay: Int
    ) async throws -> (clicks: Int, next: Key?, differing: Key?) {
        var attempt = 1
        while true {
            // Before ClickHouse is asked, so that what it has of today may be more.
            let (own, next) = try counts(from: first, through: lastDay)
            let rows = try await self.rows(from: first, before: next ?? Key(day: lastDay + 1, link: .min))
            guard let differing = Self.firstDifference(own, rows, today: now().day) else {
                return (own.reduce(0) { $0 + $1.clicks }, next, nil)
            }
            guard attempt < tries else { return (0, next, differing) }
            attempt += 1
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// - Parameter today: clicks may have been added to it since `own` was counted.
    private static func firstDifference(_ own: [(key: Key, clicks: Int)], _ rows: [Row], today: Int) -> Key? {
        var (index, place) = (0, 0)
        while index < own.count || place < rows.count {
            guard index < own.count, place < rows.count, own[index].key == rows[place].key else {
                let isOnlyThere = index == own.count || place < rows.count && rows[place].key < own[index].key
                let key = isOnlyThere ? rows[place].key : own[index].key
                guard isOnlyThere, key.day >= today else { return key }
                place += 1
                continue
            }
            let (here, row) = (own[index], rows[place])
            let isEqual =
                row.clicks == row.places
                && (here.clicks == row.clicks || here.key.day >= today && here.clicks < row.clicks)
            guard isEqual else { return here.key }
            index += 1
            place += 1
        }
        return nil
    }

    /// Clicks by day and link, in order.
    ///
    /// - Returns: Also where to go on; nil at the end of the last day.
    private func counts(
        from first: Key, through lastDay: Int
    ) throws(StoreError) -> (counts: [(key: Key, clicks: Int)], next: Key?) {
        let end = min(first.day + Self.days - 1, lastDay)
        let next = end < lastDay ? Key(day: end + 1, link: .min) : nil
        var counts: [(key: Key, clicks: Int)] = []
        var clicks = 0
        var last = ClickBlock.Key(link: LinkID(rawValue: first.link), day: first.day, number: .min)
        while true {
            let blocks = try archive.clickBlocks(after: last, limit: Self.blocks)
            for block in blocks {
                let key = Key(day: block.key.day, link: block.key.link.rawValue)
                guard key.day <= end else { return (counts, next) }
                if counts.last?.key != key {
                    guard counts.count < Self.page, clicks < Self.clicks else { return (counts, key) }
                    counts.append((key, 0))
                }
                counts[counts.count - 1].clicks += block.clickCount
                clicks += block.clickCount
            }
            guard let end = blocks.last else { return (counts, next) }
            last = end.key
        }
    }

    private func rows(from first: Key, before end: Key) async throws(ClickHouseFailure) -> [Row] {
        let lastDay = end.link == .min ? end.day - 1 : end.day
        return try await client.rows(
            "SELECT toUInt32(day), link, toString(any(app)), count(), uniqExact(block, place) FROM \(tables.clicks) "
                + "WHERE \(ClickHouseTables.within(first.day...max(first.day, lastDay))) "
                + "AND (day > toDate(\(first.day)) OR link >= \(first.link)) "
                + (end.link == .min ? "" : "AND (day < toDate(\(end.day)) OR link < \(end.link)) ")
                + "GROUP BY day, link ORDER BY day, link"
        ).compactMap { row in
            guard row.count == 5, let day = Int(row[0]), let link = Int64(row[1]), let clicks = Int(row[3]),
                let places = Int(row[4])
            else { return nil }
            return Row(key: Key(day: day, link: link), application: row[2], clicks: clicks, places: places)
        }
    }

    // MARK: Differences

    private func difference(_ day: Int, _ link: Int64) async throws -> Difference {
        var difference = Difference(day: day, link: LinkID(rawValue: link))
        difference.blocks = try await blocks(of: link, on: day)
        var applications: [Int64: String] = [:]
        var own: [(link: Int64, clicks: Int)] = []
        var next: Key? = Key(day: day, link: .min)
        while let first = next {
            let counts: [(key: Key, clicks: Int)]
            (counts, next) = try self.counts(from: first, through: day)
            for row in try await rows(from: first, before: next ?? Key(day: day + 1, link: .min)) {
                applications[row.key.link] = row.application
            }
            own += counts.map { ($0.key.link, $0.clicks) }
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
