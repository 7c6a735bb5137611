internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore: ClickTotalStore {
    package var clickTotals: any ClickTotalStore { self }

    package func totals(
        of applications: [ApplicationID], quarters: Range<Int>
    ) async throws(StoreError) -> [ApplicationTotal] {
        guard let last = quarters.last else { return [] }
        return try await readListing(as: .clickTotals) { database in
            let days = ClickTotal.day(ofQuarter: quarters.lowerBound)...ClickTotal.day(ofQuarter: last)
            var rows: [ApplicationTotal] = []
            for application in applications {
                rows += try database.totals(
                    TotalRows.ofApplication,
                    [application.text, quarters.lowerBound, quarters.upperBound, days.lowerBound, days.upperBound],
                    within: quarters)
            }
            return rows
        }
    }

    package func recordedBlocks(
        days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [RecordedBlock] {
        let begin = after ?? ClickBlock.Key(link: LinkID(rawValue: .min), day: days.lowerBound, number: .min)
        return try await readListing(as: .clickBlocks) { database in
            try database.rows(
                TotalRows.recordedBlocks,
                [begin.day, begin.link.rawValue, begin.number, days.upperBound, max(0, limit)]
            ) { row in
                guard let application = ApplicationID(try row.text(4)), let domain = HostName(try row.text(5)) else {
                    throw Row.damaged
                }
                let key = ClickBlock.Key(
                    link: LinkID(rawValue: try row.number(1)), day: Int(try row.number(0)), number: try row.number(2))
                return RecordedBlock(
                    block: ClickBlock(key: key, bytes: try row.bytes(3)), application: application, domain: domain)
            }
        }
    }

    package func linkIDs(
        of application: ApplicationID, after: LinkID?, limit: Int
    ) async throws(StoreError) -> [LinkID] {
        try await readListing(as: .list) { database in
            try database.rows(TotalRows.linkIDs, [application.text, after?.rawValue ?? .min, max(0, limit)]) {
                LinkID(rawValue: try $0.number(0))
            }
        }
    }

    package func linkTotals(
        days: Range<Int>, after: TotalsChange.PageKey?, limit: Int
    ) async throws(StoreError) -> [LinkTotalsRow] {
        try await readListing(as: .clickTotals) { database in
            try database.rows(
                TotalRows.ofDays,
                [
                    max(after?.day ?? .min, days.lowerBound - 1),
                    after.map { $0.day < days.lowerBound ? .max : $0.page } ?? .max,
                    days.upperBound, max(0, limit),
                ]
            ) { try LinkTotalsRow($0) }
        }
    }

    package func linkTotals(pages: [Int64], days: Range<Int>) async throws(StoreError) -> [LinkTotalsRow] {
        try await readListing(as: .clickTotals) { database in
            var rows: [LinkTotalsRow] = []
            for day in days {
                for page in pages {
                    rows += try database.rows(TotalRows.ofPage, [day, page]) { try LinkTotalsRow($0) }
                }
            }
            return rows
        }
    }

    package func addUnknownVisits(_ days: [UnknownVisitsOfDay]) async throws(StoreError) {
        guard !days.isEmpty else { return }
        try await write(as: .addUnknownVisits) { session in
            for day in days {
                let name = day.application.text
                let stored = try session.database.row(TotalRows.unknownVisitsOfDay, [name, day.day]) { try $0.bytes(0) }
                let bytes = try day.visits.added(to: stored)
                try session.database.run(TotalRows.writingUnknownVisits, [name, day.day, bytes.blob])
            }
        }
    }

    package func unknownVisits(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws(StoreError) -> [UnknownVisits] {
        try await readListing(as: .clickTotals) { database in
            try applications.flatMap { application in
                try database.rows(
                    TotalRows.unknownVisits, [application.text, days.lowerBound, days.upperBound]
                ) { try UnknownVisits(encoded: try $0.bytes(0)) }
            }
        }
    }

    package func totalsStart() async throws(StoreError) -> Int? {
        try await read(as: .clickTotals) { database in
            let start = try database.row("SELECT day FROM click_total_start", []) { try $0.number(0) }
            return start.map { Int($0) }
        }
    }

    package func dropTotals(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await write(as: .dropTotals) { try $0.dropTotals(before: day, limit: limit) }
    }
}

extension LinkTotalsRow {
    init(_ row: Row) throws {
        self.init(
            key: TotalsChange.PageKey(day: Int(try row.number(0)), page: try row.number(1)), bytes: try row.bytes(2))
    }
}

extension WriteSession {
    /// Adds to the stored totals.
    func add(_ change: TotalsChange) throws {
        guard !change.isEmpty else { return }
        let totals = try change.totals(domain: { try database.hostName($0) })
        // Before the statements below, which it runs too.
        for day in Set(totals.map(\.key.ofDay)) { try unpackTotals(of: day) }
        let reading = try RawStatement(TotalRows.reading, database)
        let writing = try RawStatement(TotalRows.writing, database)
        for (key, total) in totals {
            reading.bind(1, key.application)
            reading.bind(2, Int64(key.quarter))
            writing.bind(1, key.application)
            writing.bind(2, Int64(key.quarter))
            writing.bind(3, try total.added(to: try reading.bytes()))
            try writing.run()
        }
        let readingLinks = try RawStatement(TotalRows.readingLinks, database)
        let writingLinks = try RawStatement(TotalRows.writingLinks, database)
        for (key, totals) in change.links {
            readingLinks.bind(1, Int64(key.day))
            readingLinks.bind(2, key.page)
            writingLinks.bind(1, Int64(key.day))
            writingLinks.bind(2, key.page)
            writingLinks.bind(3, try totals.added(to: try readingLinks.bytes()))
            try writingLinks.run()
        }
        try dropSummaries(of: change.days)
    }

    func dropTotals(before day: Int, limit: Int) throws -> Int {
        var dropped = 0
        for application in try database.rows("SELECT number FROM application", [], { try $0.number(0) })
        where dropped < limit {
            try database.run(
                TotalRows.removal, [application, day * ClickTotal.quartersOfDay, limit - dropped])
            dropped += database.changesCount
            try database.run(PackedRows.removalOfDays, [application, day, limit - dropped])
            dropped += database.changesCount
            try database.run("DELETE FROM conversion WHERE application = ? AND day < ?", [application, day])
        }
        guard dropped < limit else { return dropped }
        try database.run(TotalRows.removalOfLinks, [day, limit - dropped])
        dropped += database.changesCount
        guard dropped < limit else { return dropped }
        // A row for each application and day: few enough to be found without an index.
        try database.run(TotalRows.removalOfUnknownVisits, [day, limit - dropped])
        dropped += database.changesCount
        // Few rows, and large ones: they don't count.
        try database.run("DELETE FROM click_summary WHERE day < ?", [day])
        try database.run("DELETE FROM link_deletion WHERE day < ?", [day])
        return dropped
    }
}

/// Statements for totals of clicks.
enum TotalRows {
    /// Rows, and packed ones of days. One statement, because rows may be packed meanwhile.
    static let ofApplication = """
        SELECT quarter, bytes, 0 FROM click_total
        WHERE application = (SELECT number FROM application WHERE name = ?1) AND quarter >= ?2 AND quarter < ?3
        UNION ALL
        SELECT day, bytes, 1 FROM click_total_day
        WHERE application = (SELECT number FROM application WHERE name = ?1) AND day >= ?4 AND day <= ?5
        """
    /// CROSS JOIN keeps SQLite from reordering: the blocks are in the order of their table.
    static let recordedBlocks = """
        SELECT block.day, block.link, block.number, block.bytes, application.name, host.name
        FROM click_block AS block LEFT JOIN link ON link.id = block.link
            LEFT JOIN long_link ON long_link.number = block.link
            CROSS JOIN application ON application.number = coalesce(link.application, long_link.application)
            CROSS JOIN host ON host.number = coalesce(link.host, long_link.host)
        WHERE (block.day, block.link, block.number) > (?, ?, ?) AND block.day <= ?
        ORDER BY block.day, block.link, block.number LIMIT ?
        """
    static let linkIDs = """
        SELECT id FROM link WHERE application = (SELECT number FROM application WHERE name = ?) AND id > ?
        ORDER BY id LIMIT ?
        """
    static let ofDays = """
        SELECT day, page, bytes FROM click_total_link WHERE (day, page) > (?, ?) AND day < ?
        ORDER BY day, page LIMIT ?
        """
    static let ofPage = "SELECT day, page, bytes FROM click_total_link WHERE day = ? AND page = ?"
    static let reading = "SELECT bytes FROM click_total WHERE application = ?1 AND quarter = ?2"
    static let writing = """
        INSERT INTO click_total (application, quarter, bytes) VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET bytes = excluded.bytes
        """
    static let readingLinks = "SELECT bytes FROM click_total_link WHERE day = ?1 AND page = ?2"
    static let writingLinks = """
        INSERT INTO click_total_link (day, page, bytes) VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET bytes = excluded.bytes
        """
    static let unknownVisits = """
        SELECT bytes FROM unknown_visit
        WHERE application = (SELECT number FROM application WHERE name = ?) AND day >= ? AND day < ?
        """
    static let unknownVisitsOfDay = """
        SELECT bytes FROM unknown_visit
        WHERE application = (SELECT number FROM application WHERE name = ?) AND day = ?
        """
    static let writingUnknownVisits = """
        INSERT INTO unknown_visit (application, day, bytes) SELECT number, ?2, ?3 FROM application WHERE name = ?1
        ON CONFLICT DO UPDATE SET bytes = excluded.bytes
        """
    static let removalOfUnknownVisits = """
        DELETE FROM unknown_visit WHERE (application, day) IN (
            SELECT application, day FROM unknown_visit WHERE day < ? LIMIT ?
        )
        """
    static let removal = """
        DELETE FROM click_total WHERE (application, quarter) IN (
            SELECT application, quarter FROM click_total WHERE application = ? AND quarter < ?
            ORDER BY quarter LIMIT ?
        )
        """
    static let removalOfLinks = """
        DELETE FROM click_total_link WHERE (day, page) IN (
            SELECT day, page FROM click_total_link WHERE day < ? ORDER BY day, page LIMIT ?
        )
        """
}
