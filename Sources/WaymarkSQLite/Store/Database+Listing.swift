internal import GRDB
internal import GRDBSQLite
internal import WaymarkLinks
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Database {
    /// One page, newest first: a scan of one index, from `before`, bounded by the listing's limits of links and time.
    /// Conditions that the index does not cover (the text, or an application combined with a tag) are checked here,
    /// so that every examined link counts.
    func list(_ listing: LinkListing) throws -> LinkPage {
        let before = listing.before?.rawValue ?? .max
        let examining = max(1, listing.examining)
        let limit = max(1, listing.limit)
        // One more than the limit: it shows whether the scan has reached the end.
        let cursor = try walk(listing, before: before, rows: examining + 1)
        let search = listing.query.map { LiteralSearch($0) }
        let budget = listing.budget.begin()
        var page = LinkPage(links: [], next: nil)
        var examined = 0
        var last = before
        while let row = try cursor.next() {
            if page.links.count == limit || examined == examining
                || (listing.isSearch && examined > 0 && budget.isSpent)
            {
                page.next = LinkID(rawValue: last)
                break
            }
            examined += 1
            last = try row.number(0)
            if let application = listing.application, try row.text(1) != application.text { continue }
            if let search {
                // The content contains text unescaped: most links are skipped without decoding them.
                var mayHold = try search.isFound(in: row.text(3))
                if !mayHold {
                    let content = try row.bytes(4)
                    mayHold = search.isFound(in: content.span)
                }
                guard mayHold else { continue }
                let link = try LinkRow.link(row)
                if link.isFound(by: search) { page.links.append(link) }
            } else {
                page.links.append(try LinkRow.link(row))
            }
        }
        return page
    }

    private func walk(_ listing: LinkListing, before: Int64, rows: Int) throws -> RowCursor {
        if let tag = listing.tag {
            return try Row.fetchCursor(cachedStatement(sql: LinkRow.newestOfTag), arguments: [tag, before, rows])
        }
        if let application = listing.application {
            return try Row.fetchCursor(
                cachedStatement(sql: LinkRow.newestOfApplication), arguments: [application.text, before, rows])
        }
        return try Row.fetchCursor(cachedStatement(sql: LinkRow.newest), arguments: [before, rows])
    }
}

extension Database {
    /// SQLite VM instructions between two yields: with the statements that write clicks, 0.04 to 0.1 ms.
    private static let instructions: Int32 = 500
    /// The maximum time spent yielding during one write: its transaction is open, and the next write waits for it.
    private static let patience = Duration.milliseconds(4)

    /// Runs long background work that regularly yields the processor to other threads. With a kernel that preempts
    /// only at its ticks (4 ms at 250 Hz), event loops would have to wait for one.
    ///
    /// Confined to the database's serial queue, like all use of a connection.
    func yielding<Value>(_ work: () throws -> Value) throws -> Value {
        var budget = CooperativeYield(Self.patience)
        // unsafe because C passes the budget through as an untyped pointer: it lives as long as the handler, which is
        // removed before the connection is used again.
        return try unsafe withUnsafeMutablePointer(to: &budget) { budget in
            unsafe sqlite3_progress_handler(
                sqliteConnection, Self.instructions,
                { budget in
                    unsafe budget?.assumingMemoryBound(to: CooperativeYield.self).pointee.spend { sched_yield() }
                    // Any other value would interrupt the statement.
                    return 0
                }, budget)
            defer { unsafe sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
            return try work()
        }
    }
}
