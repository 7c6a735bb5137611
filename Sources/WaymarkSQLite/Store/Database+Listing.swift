internal import GRDB
internal import WaymarkLinks

extension Database {
    /// One page, newest first: a walk down one index, from `before`, that looks at no more links than the listing lets
    /// it, and no longer. What the index does not answer (the text, or an application beside a tag) is looked at here, so that every
    /// link that was looked at counts.
    func list(_ listing: LinkListing) throws -> LinkPage {
        let before = listing.before?.rawValue ?? .max
        let examining = max(1, listing.examining)
        let limit = max(1, listing.limit)
        // One more than may be examined: it tells whether the walk is at its end.
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
                // Text stands in the content as it is: most links are passed over without decoding them.
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
