package import WaymarkLinks

/// Everything in a store, entry by entry and in an order in which an import can take it: what metadata was sealed with
/// comes first, links come last and in the order of their ids. Holds one page at a time.
package struct StoreEntries {
    private enum Part { case small, records, links, end }

    static let page = 500

    private let archive: any StoreArchive
    private var part = Part.small
    private var waiting: ArraySlice<ArchiveEntry> = []
    private var lastScope: [UInt8]?
    private var lastLink: LinkID?

    /// - Parameter link: Only links with higher ids, and nothing else.
    package init(_ archive: any StoreArchive, after link: LinkID? = nil) {
        self.archive = archive
        guard let link else { return }
        lastLink = link
        part = .links
    }

    /// - Throws: `StoreError`, or `ArchiveFailure` where a link's row is damaged.
    package mutating func next() throws -> ArchiveEntry? {
        while waiting.isEmpty {
            guard try fill() else { return nil }
        }
        return waiting.popFirst()
    }

    private mutating func fill() throws -> Bool {
        switch part {
        case .small:
            waiting = ArraySlice(
                try archive.secrets().filter { $0.name != ImportProgress.secretName }.map { .secret($0) }
                    + archive.applications().map { .application($0) } + archive.keys().map { .key($0) }
                    + [.lastID(archive.lastID())])
            part = .records
        case .records:
            let records = try archive.records(after: lastScope, limit: Self.page)
            lastScope = records.last?.scope ?? lastScope
            waiting = ArraySlice(records.map { .record($0) })
            if records.isEmpty { part = .links }
        case .links:
            let rows = try archive.links(after: lastLink, limit: Self.page)
            lastLink = rows.last?.id ?? lastLink
            waiting = ArraySlice(
                try rows.map { row in
                    guard case .link(let link) = row else {
                        throw ArchiveFailure("the link with the id \(row.id.rawValue) is damaged")
                    }
                    return .link(link)
                })
            if rows.isEmpty { part = .end }
        case .end: return false
        }
        return true
    }
}
