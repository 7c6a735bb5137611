internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension Database {
    /// A page of a search by words, from one snapshot: parts of the index come and go.
    func search(
        _ words: SearchWords, _ listing: LinkListing, after: LinkPosition?, _ candidates: CandidateCheck,
        into builder: inout LinkPageBuilder
    ) throws {
        try inTransaction(.deferred) {
            let scan = SearchScan(
                SearchReader(database: self, candidates: candidates), of: listing.filter.application, words: words,
                ascending: listing.sort.isAscending)
            try scan.run(after: after?.id, into: &builder)
            return .commit
        }
    }

    func searchState() throws -> SearchState {
        let parts = try rows("SELECT segment, part, links FROM search_part ORDER BY segment, part") {
            SearchPart(segment: try $0.number(0), number: try $0.number(1), links: try $0.count(2))
        }
        let indexed = try indexedID()
        return SearchState(parts: parts, unindexed: indexed == .max ? nil : indexed + 1 ... .max)
    }

    /// New links up to this ID are indexed.
    func indexedID() throws -> Int64 {
        try row("SELECT indexed FROM search_state", []) { try $0.number(0) } ?? 0
    }
}

/// Reads the search index on a reading connection.
private struct SearchReader: SearchIndexReader {
    let database: Database
    let candidates: CandidateCheck

    var segmentsAtOnce: ClosedRange<Int> { 1...8 }

    func state() throws -> SearchState { try database.searchState() }

    func changed(after id: LinkID?, ascending: Bool, limit: Int) throws -> [LinkID] {
        try database.rows(
            ascending ? SearchRows.changedAscending : SearchRows.changedDescending,
            [id?.rawValue ?? (ascending ? .min : .max), limit]
        ) { LinkID(rawValue: try $0.number(0)) }
    }

    func links(
        of application: ApplicationID, after id: LinkID?, ascending: Bool, limit: Int
    ) throws -> [LinkID] {
        try database.rows(
            ascending ? SearchRows.ofApplicationAscending : SearchRows.ofApplicationDescending,
            [id?.rawValue ?? (ascending ? .min : .max), limit, application.text]
        ) { LinkID(rawValue: try $0.number(0)) }
    }

    func links(_ prefix: [UInt8], in segments: [[SearchPart]]) throws -> [SearchBitmap] {
        let lookup = try RawStatement(SearchRows.leaf, database)
        lookup.bind(3, prefix)
        return try segments.map { parts in
            var links = SearchBitmap()
            for part in parts {
                lookup.bind(1, part.segment)
                lookup.bind(2, part.number)
                if let leaf = try lookup.bytes(), try !SearchLeaf.collect(prefix, in: leaf, into: &links) { continue }
                let further = try Row.fetchCursor(
                    database.cachedStatement(sql: SearchRows.furtherLeaves),
                    arguments: [part.segment, part.number, prefix.blob])
                while let row = try further.next() {
                    guard try SearchLeaf.collect(prefix, in: row.bytes(0), into: &links) else { break }
                }
            }
            return links
        }
    }

    func examine(_ ids: [LinkID], into page: inout LinkPageBuilder) throws -> Bool {
        let statement = try database.cachedStatement(sql: SearchRows.link)
        for id in ids {
            guard case .goOn = page.begin() else { return false }
            page.pass(LinkPosition(id))
            let cursor = try Row.fetchCursor(statement, arguments: [id.rawValue])
            while let row = try cursor.next() {
                guard try candidates.mayMatch(row) else { continue }
                try page.add(id) { try LinkRow.link(row) }
            }
        }
        return true
    }

    func examine(_ range: ClosedRange<Int64>, ascending: Bool, into page: inout LinkPageBuilder) throws -> Bool {
        let cursor = try Row.fetchCursor(
            database.cachedStatement(sql: ascending ? SearchRows.ascending : SearchRows.descending),
            arguments: [range.lowerBound, range.upperBound])
        return try database.examine(cursor, candidates, into: &page)
    }
}

enum SearchRows {
    /// The last leaf that begins with this word or an earlier one.
    static let leaf = """
        SELECT bytes FROM search_leaf WHERE segment = ?1 AND part = ?2 AND first <= ?3 ORDER BY first DESC LIMIT 1
        """
    static let furtherLeaves =
        "SELECT bytes FROM search_leaf WHERE segment = ? AND part = ? AND first > ? ORDER BY first"
    static let changedAscending =
        "SELECT DISTINCT link FROM search_change WHERE link > ? ORDER BY link LIMIT ?"
    static let changedDescending =
        "SELECT DISTINCT link FROM search_change WHERE link < ? ORDER BY link DESC LIMIT ?"
    private static let ofApplication =
        "SELECT id FROM link WHERE application = (SELECT number FROM application WHERE name = ?3) AND id "
    static let ofApplicationAscending = ofApplication + "> ?1 ORDER BY id LIMIT ?2"
    static let ofApplicationDescending = ofApplication + "< ?1 ORDER BY id DESC LIMIT ?2"
    static let leaves = "SELECT bytes FROM search_leaf WHERE segment = ? AND part = ? ORDER BY first"
    static let removal = """
        DELETE FROM search_leaf WHERE segment = ?1 AND part = ?2 AND first IN (
            SELECT first FROM search_leaf WHERE segment = ?1 AND part = ?2 ORDER BY first LIMIT ?3)
        """
    /// The next part of which there are leaves.
    static let nextPart = """
        SELECT segment, part FROM search_leaf WHERE (segment, part) > (?, ?) ORDER BY segment, part LIMIT 1
        """
    static let link = LinkRow.byID
    /// What is indexed of new links.
    static let indexed = """
        SELECT link.id, link.slug, link.content, \(ClickCountPage.column) FROM link
        WHERE link.id BETWEEN ?1 AND ?2 ORDER BY link.id
        """
    static let ascending = LinkRow.between + "ORDER BY link.id"
    static let descending = LinkRow.between + "ORDER BY link.id DESC"
}
