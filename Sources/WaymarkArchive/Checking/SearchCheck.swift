import WaymarkLinks
import WaymarkStores

/// Checks that the index finds each word of each link, and that links that expire are in the index of expiries. Links must be
/// added in ascending order of their IDs.
struct SearchCheck {
    private let archive: any StoreArchive
    private let state: SearchState
    private var segment: Int64?
    private var changed: Set<LinkID> = []
    private var words = IndexedWords()
    private var expiries: [(id: LinkID, end: Timestamp)] = []

    init(_ archive: any StoreArchive) throws {
        self.archive = archive
        state = try archive.searchState()
    }

    mutating func add(_ link: Link, _ report: inout StoreCheck.Report) throws {
        let number = SearchSegment.number(of: link.id)
        if segment != number {
            try end(&report)
            segment = number
            changed = try archive.searchChanges(
                in: SearchSegment.id(number, 0).rawValue...SearchSegment.id(number, SearchSegment.size - 1).rawValue)
        }
        // Searches examine these one by one, and servers index them later.
        guard state.unindexed?.contains(link.id.rawValue) != true, !changed.contains(link.id) else { return }
        if let end = link.content.expiresAt { expiries.append((link.id, end)) }
        if expiries.count == StoreEntries.page { try checkExpiries(&report) }
        words.add(link)
        if words.isFull { try checkWords(&report) }
    }

    /// Must be called after the last link.
    mutating func end(_ report: inout StoreCheck.Report) throws {
        try checkWords(&report)
        try checkExpiries(&report)
    }

    private mutating func checkExpiries(_ report: inout StoreCheck.Report) throws {
        for link in try archive.missingExpiries(expiries) {
            report.note(
                "the link with the id \(link.rawValue) expires, and is not in the index of expiries", .rebuildSearch)
        }
        expiries = []
    }

    private mutating func checkWords(_ report: inout StoreCheck.Report) throws {
        guard let segment, !words.isEmpty else { return }
        var words = words
        self.words = IndexedWords()
        words.prepare()
        try report.attempt("the link search", .rebuildSearch) { report in
            for part in state.parts where part.segment == segment {
                try archive.searchLeaves(of: part) { first, bytes in try words.find(in: bytes, first: first) }
            }
            for offset in words.missing {
                let link = SearchSegment.id(segment, offset)
                report.note(
                    "the link with the id \(link.rawValue) is not found by each of its words", .rebuildSearch)
            }
        }
    }
}
