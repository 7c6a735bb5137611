package import WaymarkLinks

/// A change in the history of a link.
package struct ArchivedChange: Sendable {
    /// How many are read at once, unless one link has more.
    package static let page = 5_000

    package var link: LinkID
    package var entry: LinkHistoryEntry
    /// Whether what the change replaced is stored, and can't be read.
    package var isDamaged: Bool

    package init(link: LinkID, entry: LinkHistoryEntry, hasContent: Bool) {
        self.link = link
        self.entry = entry
        isDamaged = hasContent && entry.former == nil
    }
}

extension [ArchivedRow] {
    /// The first rows with the history of their links: those whose histories fit in a page, or one.
    ///
    /// - Parameter changes: of a range of links, in order of links and versions, at most as many as the limit.
    package func addingHistory(
        _ changes: (_ links: ClosedRange<Int64>, _ limit: Int64) throws -> [ArchivedChange]
    ) rethrows -> [ArchivedRow] {
        guard let first = self.first?.id.rawValue, let last = self.last?.id.rawValue else { return [] }
        let page = try changes(first...last, Int64(ArchivedChange.page))
        guard page.count == ArchivedChange.page, let cut = page.last?.link else { return adding(page) }
        // The history of the last link goes on after the page.
        let whole = filter { $0.id.rawValue < cut.rawValue }
        if !whole.isEmpty { return whole.adding(page) }
        return try Array(prefix(1)).adding(changes(first...first, .max))
    }

    private func adding(_ changes: [ArchivedChange]) -> [ArchivedRow] {
        guard !changes.isEmpty else { return self }
        let histories = Dictionary(grouping: changes, by: \.link)
        return map { row in
            guard case .link(var archived) = row, let history = histories[row.id] else { return row }
            archived.history = history.map(\.entry)
            archived.hasDamagedHistory = history.contains(where: \.isDamaged)
            return .link(archived)
        }
    }
}
