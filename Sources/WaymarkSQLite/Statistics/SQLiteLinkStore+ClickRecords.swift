internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore: ClickStore {
    package var clickRecords: any ClickStore { self }

    package func append(_ blocks: [ClickBlock]) async throws(StoreError) {
        guard !blocks.isEmpty else { return }
        try await write(as: .appendClicks, weight: blocks.count) { try $0.append(blocks) }
    }

    package func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock] {
        // Several statements without a common snapshot: blocks are immutable, so the page is valid for any time in
        // between.
        try await read(as: .clickBlocks) { try $0.clickBlocks(of: link, days: days, after: after, limit: limit) }
    }

    package func longLinkNumbers(
        of application: ApplicationID, on domains: [HostName]
    ) async throws(StoreError) -> [HostName: LinkID] {
        try await write(as: .setDerivedParts) { session in
            guard let number = try session.application(application)?.number else { return [:] }
            var numbers = try session.database.longLinkNumbers(ofApplication: number)
            let missing = Set(domains).subtracting(numbers.keys)
            for domain in missing { numbers[domain] = .ofLongLinks() }
            try session.add(numbers.filter { missing.contains($0.key) }, ofApplication: number)
            return numbers
        }
    }

    package func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try await write(as: .dropClicks) { try $0.dropClicks(before: day, limit: limit) }
    }
}

extension Database {
    fileprivate func clickBlocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) throws -> [ClickBlock] {
        let isThere = try row("SELECT 1 FROM link WHERE id = ?", [link.rawValue]) { try $0.number(0) } != nil
        guard isThere, limit > 0 else { return [] }
        var page: [ClickBlock] = []
        var order = (day: Int64(days.lowerBound), number: Int64.min)
        if let after, after.day >= days.lowerBound { order = (Int64(after.day), after.number) }
        while order.day <= days.upperBound, page.count < limit {
            page += try rows(ClickRows.ofDay, [order.day, link.rawValue, order.number, limit - page.count]) {
                ClickBlock(
                    key: ClickBlock.Key(link: link, day: Int(order.day), number: try $0.number(0)),
                    bytes: try $0.bytes(1))
            }
            let next = try row(ClickRows.nextDay, [order.day]) { try $0.optionalNumber(0) } ?? nil
            guard let next else { break }
            order = (next, .min)
        }
        return page
    }
}

extension Database {
    fileprivate func longLinkNumbers(ofApplication number: Int64) throws -> [HostName: LinkID] {
        let found = try rows(
            "SELECT name, long_link.number FROM long_link JOIN host ON host.number = long_link.host WHERE application = ?",
            [number]
        ) { row in
            guard let domain = HostName(try row.text(0)) else { throw Row.damaged }
            return (domain, LinkID(rawValue: try row.number(1)))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }
}

extension WriteSession {
    /// Adds numbers of long links; they replace others of the same domains.
    func add(_ longLinks: [HostName: LinkID], ofApplication application: Int64) throws {
        for (domain, id) in longLinks {
            try database.run(
                """
                INSERT INTO long_link (number, application, host) VALUES (?, ?, ?)
                ON CONFLICT (application, host) DO UPDATE SET number = excluded.number
                """, [id.rawValue, application, try number(of: domain)])
        }
    }

    /// Adds blocks, and the ones that were not there to totals.
    func append(_ blocks: [ClickBlock]) throws {
        try database.yielding {
            var change = TotalsChange()
            let reportsClicks = try subscriptions().includes(.linkClicked)
            let shipsClicks = try shipsClicks()
            var reported: [ClickBlock] = []
            var note = ClickNote()
            try insert(blocks) { block, application, host in
                change.add(block, application: application, host: host)
                if reportsClicks { reported.append(block) }
                if shipsClicks { note.add(block) }
            }
            try add(change)
            try add(note)
            try reportClicks(reported)
        }
    }

    /// - Parameter added: Called for each block that was not there, with the numbers of its link's application and host.
    func insert(_ blocks: [ClickBlock], added: (ClickBlock, Int64, Int64) throws -> Void) throws {
        let link = try RawStatement(ClickRows.link, database)
        let insertion = try RawStatement(ClickRows.insertion, database)
        // In the order of the table: each page is visited once.
        for block in blocks.sorted(by: { $0.key.order < $1.key.order }) {
            link.bind(1, block.key.link.rawValue)
            guard let (application, host) = try link.numbers() else { continue }
            insertion.bind(1, Int64(block.key.day))
            insertion.bind(2, block.key.link.rawValue)
            insertion.bind(3, block.key.number)
            insertion.bind(4, block.bytes)
            if try insertion.run() > 0 { try added(block, application, host) }
        }
    }

    /// Deletes a limited number of a deleted link's blocks; the rest is recorded for later.
    ///
    /// - Returns: The number of blocks deleted.
    func dropClicks(ofDeleted link: LinkID) throws -> Int {
        let dropped = try dropClicks(of: link.rawValue, limit: ClickBlock.deletedAtOnce)
        if dropped == ClickBlock.deletedAtOnce {
            try database.run("INSERT OR IGNORE INTO click_leftover (link) VALUES (?)", [link.rawValue])
        }
        return dropped
    }

    func dropClicks(before day: Int, limit: Int) throws -> Int {
        var dropped = 0
        while dropped < limit {
            let link = try database.row("SELECT min(link) FROM click_leftover", []) { try $0.optionalNumber(0) } ?? nil
            guard let link else { break }
            dropped += try dropClicks(of: link, limit: limit - dropped)
            if dropped < limit { try database.run("DELETE FROM click_leftover WHERE link = ?", [link]) }
        }
        guard dropped < limit else { return dropped }
        try database.yielding { try database.run(ClickRows.removalOfDays, [day, limit - dropped]) }
        return dropped + database.changesCount
    }

    private func dropClicks(of link: Int64, limit: Int) throws -> Int {
        try database.run(ClickRows.removalOfLink, [link, limit])
        return database.changesCount
    }
}

/// Statements for blocks of clicks. Each takes a few lookups in the table's tree, which is ordered by day: a query
/// for one link probes each existing day.
enum ClickRows {
    /// The owner of a block: a link, or a number of long links.
    static let link = """
        SELECT application, host FROM link WHERE id = ?1
        UNION ALL SELECT application, host FROM long_link WHERE number = ?1
        """
    /// Whether a block has an owner.
    static let isOwned = """
        coalesce((SELECT 1 FROM link WHERE id = click_block.link), (SELECT 1 FROM long_link WHERE number = click_block.link))
            IS NOT NULL
        """
    static let insertion = "INSERT OR IGNORE INTO click_block (day, link, number, bytes) VALUES (?1, ?2, ?3, ?4)"
    static let ofDay = """
        SELECT number, bytes FROM click_block WHERE day = ? AND link = ? AND number > ? ORDER BY number LIMIT ?
        """
    static let nextDay = "SELECT min(day) FROM click_block WHERE day > ?"
    /// Jumps from one day to the next without scanning the blocks in between; CROSS JOIN keeps SQLite from
    /// reordering.
    static let removalOfLink = """
        WITH RECURSIVE held (day) AS (
            SELECT min(day) FROM click_block
            UNION ALL
            SELECT (SELECT min(day) FROM click_block WHERE day > held.day) FROM held WHERE held.day IS NOT NULL
        )
        DELETE FROM click_block WHERE (day, link, number) IN (
            SELECT block.day, block.link, block.number
            FROM held CROSS JOIN click_block AS block ON block.day = held.day AND block.link = ? LIMIT ?
        )
        """
    static let removalOfDays = """
        DELETE FROM click_block WHERE (day, link, number) IN (
            SELECT day, link, number FROM click_block WHERE day < ? ORDER BY day, link, number LIMIT ?
        )
        """
}
