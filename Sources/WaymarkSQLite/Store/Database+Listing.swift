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
    /// One page: a scan of one index from a position on, bounded by the listing's limits of links and time. Conditions
    /// that the index does not cover are checked here, so that every examined link counts.
    func list(_ listing: LinkListing) throws -> LinkPage {
        var builder = LinkPageBuilder(listing)
        try collect(listing, after: listing.after, into: &builder)
        var page = builder.page
        if listing.counts { page.count = try count(listing) }
        return page
    }

    private func count(_ listing: LinkListing) throws -> LinkCount {
        if let count = try countByIndex(listing.filter) { return count }
        var all = listing
        all.sort = .newest
        all.budget = listing.countBudget
        var builder = LinkPageBuilder(all, counting: true)
        try collect(all, after: nil, into: &builder)
        return builder.total
    }

    /// Nil if no index covers the filter.
    private func countByIndex(_ filter: LinkFilter) throws -> LinkCount? {
        guard filter.isCountedByIndex else { return nil }
        let (sql, argument): (String, String?) =
            switch (filter.indexedTag, filter.application) {
            case (let tag?, _): ("FROM link_tag WHERE tag = ?2", tag)
            case (nil, let application?):
                ("FROM link WHERE application = (SELECT number FROM application WHERE name = ?2)", application.text)
            case (nil, nil): ("FROM link", nil)
            }
        let limit = LinkListing.countLimit
        let count = try row(
            "SELECT count(*) FROM (SELECT 1 \(sql) LIMIT ?1)", argument.map { [limit + 1, $0] } ?? [limit + 1]
        ) { try $0.count(0) }
        return count.map { LinkCount(links: min($0, limit), isLowerBound: $0 > limit) }
    }

    private func collect(_ listing: LinkListing, after: LinkPosition?, into builder: inout LinkPageBuilder) throws {
        let filter = listing.filter
        let candidates = CandidateCheck(filter, builder.matcher)
        let last = after?.id.rawValue ?? (listing.sort.isAscending ? .min : .max)
        // One more than may be examined: it shows whether the scan has reached the end.
        let most = builder.rest == .max ? .max : builder.rest + 1
        switch listing.sort {
        case .newest, .oldest:
            if filter.verified == nil, let words = filter.search {
                return try search(words, listing, after: after, candidates, into: &builder)
            }
            let isAscending = listing.sort == .oldest
            let cursor: RowCursor
            if let verified = filter.verified {
                cursor = try walk(
                    isAscending ? LinkRow.oldestVerified : LinkRow.newestVerified, [last, most, verified.rawValue])
            } else if let tag = filter.indexedTag {
                cursor = try walk(
                    isAscending ? LinkRow.oldestOfTag : LinkRow.newestOfTag, [last, most, tag])
            } else if let application = filter.application {
                cursor = try walk(
                    isAscending ? LinkRow.oldestOfApplication : LinkRow.newestOfApplication,
                    [last, most, application.text])
            } else {
                cursor = try walk(isAscending ? LinkRow.oldest : LinkRow.newest, [last, most])
            }
            _ = try examine(cursor, candidates, into: &builder)
        case .clicks:
            if after == nil || after?.key != LinkPosition.noClicks {
                let cursor = try walk(LinkRow.mostClicked, [last, most, after?.key ?? .max])
                guard try examine(cursor, candidates, into: &builder) else { return }
            }
            let rest = after?.key == LinkPosition.noClicks ? last : .max
            _ = try examine(walk(LinkRow.neverClicked, [rest, most]), candidates, into: &builder)
        case .expiry:
            if after?.key != LinkPosition.neverExpires {
                let cursor = try walk(LinkRow.nextToExpire, [last, most, after?.key ?? .min])
                let isWhole = try examine(cursor, candidates, into: &builder) { link, position in
                    // Not of a change that is written by another version of this program.
                    link.content.expiresAt?.rawValue == position.key
                }
                guard isWhole else { return }
            }
            let rest = after?.key == LinkPosition.neverExpires ? last : .max
            let cursor = try walk(LinkRow.newest, [rest, most])
            _ = try examine(cursor, candidates, key: LinkPosition.neverExpires, into: &builder) { link, _ in
                try !self.hasExpiry(link)
            }
        }
    }

    private func walk(_ sql: String, _ arguments: StatementArguments) throws -> RowCursor {
        try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    }

    private func hasExpiry(_ link: Link) throws -> Bool {
        guard let end = link.content.expiresAt else { return false }
        return try row("SELECT 1 FROM link_expiry WHERE expires_at = ? AND link = ?", [end.rawValue, link.id.rawValue])
        { _ in true } ?? false
    }

    /// Examines rows in the order of the listing; false if the page has ended.
    ///
    /// - Parameter key: the key of the positions, if it is not a column of the rows.
    /// - Parameter include: whether a link has its place here.
    func examine(
        _ cursor: RowCursor, _ candidates: CandidateCheck, key: Int64? = nil, into builder: inout LinkPageBuilder,
        include: ((Link, LinkPosition) throws -> Bool)? = nil
    ) throws -> Bool {
        while let row = try cursor.next() {
            guard case .goOn = builder.begin() else { return false }
            let position = LinkPosition(LinkID(rawValue: try row.number(0)), key: try key ?? row.number(13))
            builder.pass(position)
            guard try candidates.mayMatch(row) else { continue }
            try builder.add(position.id) {
                let link = try LinkRow.link(row)
                return try include?(link, position) ?? true ? link : nil
            }
        }
        return true
    }
}

/// Skips most links that do not match without decoding them: texts are stored unescaped in the content.
struct CandidateCheck {
    private let filter: LinkFilter
    private let matcher: LinkMatcher
    private let query: LiteralSearch?
    private let campaign: LiteralSearch?
    private let owner: LiteralSearch?
    private let word: [UInt8]?

    init(_ filter: LinkFilter, _ matcher: LinkMatcher) {
        self.filter = filter
        self.matcher = matcher
        query = filter.query.map { LiteralSearch($0) }
        campaign = filter.campaign.map { LiteralSearch($0) }
        owner = filter.managedBy.map { LiteralSearch($0) }
        // Of other words the upper-case letters have other bytes.
        word = filter.search?.words.first { $0.allSatisfy { $0 < 0x80 } }
    }

    func mayMatch(_ row: Row) throws -> Bool {
        if let application = filter.application, try row.text(1) != application.text { return false }
        if let domain = filter.domain, try row.text(2) != domain.text { return false }
        if filter.createdFrom != nil || filter.createdTo != nil {
            guard try matcher.isCreated(at: row.timestamp(9)) else { return false }
        }
        guard query != nil || campaign != nil || owner != nil || word != nil else { return true }
        let content = try row.bytes(4)
        if let campaign, !campaign.isFound(in: content.span) { return false }
        if let owner, !owner.isFound(in: content.span) { return false }
        if let query, try !query.isFound(in: row.text(3)), !query.isFound(in: content.span) { return false }
        if let word, !Self.holds(content.span, word) {
            return try Self.holds(row.text(3).utf8.span, word)
        }
        return true
    }

    /// Whether the bytes contain the word in upper or lower case.
    private static func holds(_ bytes: Span<UInt8>, _ word: [UInt8]) -> Bool {
        let first = word[0]
        guard bytes.count >= word.count else { return false }
        for start in 0...(bytes.count - word.count) where bytes[start] | 0x20 == first | 0x20 {
            var length = 1
            while length < word.count, bytes[start + length] | 0x20 == word[length] | 0x20 { length += 1 }
            if length == word.count { return true }
        }
        return false
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
