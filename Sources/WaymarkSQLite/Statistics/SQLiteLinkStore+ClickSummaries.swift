internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func summaries(within days: Range<Int>) async throws(StoreError) -> [ClickSummaryKey: [UInt8]] {
        try await readListing(as: .clickTotals) { database in
            var found: [ClickSummaryKey: [UInt8]] = [:]
            for span in [ClickSummaryKey.applications] + ClickSummaryKey.spans {
                let rows = try database.rows(
                    SummaryRows.states, [span, days.lowerBound, days.upperBound - max(1, span)]
                ) { (day: Int(try $0.number(0)), bytes: try $0.bytes(1)) }
                for row in rows where row.bytes.first == SummaryRows.complete {
                    found[ClickSummaryKey(span: span, day: row.day)] = Array(row.bytes.dropFirst())
                }
            }
            return found
        }
    }

    package func beginSummary(_ key: ClickSummaryKey, token: [UInt8]) async throws(StoreError) {
        try await write(as: .addSummary) { session in
            try session.database.run(SummaryRows.removal, [key.span, key.day])
            try session.database.run(
                SummaryRows.insertion, [key.span, key.day, SummaryRows.state, ([SummaryRows.begun] + token).blob])
        }
    }

    package func addSummary(
        _ key: ClickSummaryKey, parts: [(part: Int64, bytes: [UInt8])], token: [UInt8], directory: [UInt8]?
    ) async throws(StoreError) -> Bool {
        try await write(as: .addSummary) { session in
            let database = session.database
            let state = try database.row(SummaryRows.part, [key.span, key.day, SummaryRows.state]) { try $0.bytes(0) }
            guard state == [SummaryRows.begun] + token else { return false }
            for (part, bytes) in parts {
                try database.run(SummaryRows.insertion, [key.span, key.day, part, bytes.blob])
            }
            if let directory {
                try database.run(
                    SummaryRows.insertion,
                    [key.span, key.day, SummaryRows.state, ([SummaryRows.complete] + directory).blob])
            }
            return true
        }
    }

    package func summaryParts(
        of keys: [ClickSummaryKey], parts: [Int64]
    ) async throws(StoreError) -> [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])]? {
        try await readListing(as: .clickTotals) { database in
            var found: [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])] = []
            for key in keys {
                let state = try database.row(SummaryRows.part, [key.span, key.day, SummaryRows.state]) {
                    try $0.bytes(0)
                }
                guard state?.first == SummaryRows.complete else { return nil }
                for part in parts {
                    let bytes = try database.row(SummaryRows.part, [key.span, key.day, part]) { try $0.bytes(0) }
                    if let bytes { found.append((key, part, bytes)) }
                }
            }
            return found
        }
    }

    package func narrowTotals(of application: ApplicationID, quarters: [Int]) async throws(StoreError) {
        try await write(as: .addSummary) { session in
            let database = session.database
            let number = try database.row("SELECT number FROM application WHERE name = ?", [application.text]) {
                try $0.number(0)
            }
            guard let number else { return }
            for quarter in quarters {
                try session.unpackTotals(of: TotalsChange.Key(application: number, quarter: quarter).ofDay)
                let stored = try database.row(TotalRows.reading, [number, quarter]) { try $0.bytes(0) }
                guard let stored, let narrowed = try ApplicationTotal.narrowed(stored) else { continue }
                try database.run(TotalRows.writing, [number, quarter, narrowed.blob])
            }
        }
    }

    package func firstDayOfTotals() async throws(StoreError) -> Int? {
        try await read(as: .clickTotals) { database in
            (try database.row("SELECT min(day) FROM click_total_link", []) { try $0.optionalNumber(0) } ?? nil)
                .map { Int($0) }
        }
    }

    package func applications(
        ofLinks ids: Range<Int64>
    ) async throws(StoreError) -> [(id: LinkID, application: ApplicationID)] {
        try await readListing(as: .list) { database in
            var found: [(id: LinkID, application: ApplicationID)] = []
            let applications = try database.rows("SELECT number, name FROM application") {
                (number: try $0.number(0), name: try $0.text(1))
            }
            // By application, because its index is much smaller than the table of links.
            for (number, name) in applications {
                guard let application = ApplicationID(name) else { throw Row.damaged }
                found += try database.rows(
                    "SELECT id FROM link WHERE application = ? AND id >= ? AND id < ?",
                    [number, ids.lowerBound, ids.upperBound]
                ) { (LinkID(rawValue: try $0.number(0)), application) }
            }
            return found
        }
    }

    package func hasDeletedLinks(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws(StoreError) -> Bool {
        try await readListing(as: .clickTotals) { database in
            try applications.contains { application in
                try database.row(
                    """
                    SELECT 1 FROM link_deletion
                    WHERE application = (SELECT number FROM application WHERE name = ?) AND day >= ? AND since < ?
                    LIMIT 1
                    """, [application.text, days.lowerBound, days.upperBound]
                ) { try $0.number(0) } != nil
            }
        }
    }
}

extension WriteSession {
    /// Deletes the summaries that the days are part of.
    func dropSummaries(of days: Set<Int>) throws {
        let removal = try RawStatement(SummaryRows.removal, database)
        for day in days {
            for key in ClickSummaryKey.all(of: day) {
                removal.bind(1, Int64(key.span))
                removal.bind(2, Int64(key.day))
                try removal.run()
            }
        }
    }

    /// Records that a link with clicks was deleted.
    func noteDeletion(of link: Link, application: Int64) throws {
        try database.run(
            """
            INSERT INTO link_deletion (application, day, since)
            VALUES (?, CAST(strftime('%s', 'now') AS INTEGER) / 86400, ?)
            ON CONFLICT DO UPDATE SET since = min(since, excluded.since)
            """, [application, link.createdAt.day])
    }
}

/// Statements for summaries of clicks.
enum SummaryRows {
    /// The part that is the state.
    static let state = -1
    static let begun: UInt8 = 0
    static let complete: UInt8 = 1

    static let states =
        "SELECT day, bytes FROM click_summary WHERE span = ? AND part = -1 AND day >= ? AND day <= ?"
    static let part = "SELECT bytes FROM click_summary WHERE span = ? AND day = ? AND part = ?"
    static let insertion = """
        INSERT INTO click_summary (span, day, part, bytes) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET bytes = excluded.bytes
        """
    static let removal = "DELETE FROM click_summary WHERE span = ?1 AND day = ?2"
}
