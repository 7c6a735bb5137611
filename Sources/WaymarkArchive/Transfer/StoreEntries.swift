package import WaymarkLinks
package import WaymarkStores

/// All entries of a store in an order that can be imported: first the proofs of the metadata keys, then links by ID,
/// then their clicks, then their activity, then conversions, then totals of clicks. Only one page is in memory at a time.
package struct StoreEntries {
    private enum Part {
        case small, applicationChanges, records, audit, links, clicks, activity, conversions, totals, linkTotals, end
    }

    static let page = 500
    /// Of documents of applications, which may be large.
    private static let documents = 10

    private let archive: any StoreArchive
    private var part = Part.small
    private var waiting: ArraySlice<ArchiveEntry> = []
    private var lastApplicationChange: ArchivedApplicationChange.Key?
    private var lastScope: [UInt8]?
    private var lastAudit: Int64?
    private var lastLink: LinkID?
    private var lastBlock: ClickBlock.Key?
    private var lastActivity: DailyActivity.Key?
    private var lastConversions: ConversionKey?
    private var lastTotal: ArchivedTotal.Key?
    private var lastLinkTotals: TotalsChange.PageKey?
    /// Links created after reading the others are skipped, and so are their clicks and activity.
    private var highestLink: LinkID?
    /// Clicks of other numbers of long links are skipped: nobody knows whose they are. Nil for those of all.
    private let longLinks: Set<LinkID>?

    /// - Parameters:
    ///   - link: only links with higher IDs, and everything after them.
    ///   - block: only clicks after these, of links up to `link`.
    ///   - activity: only activity after this, of links up to `link`.
    ///   - conversions: only conversions after these.
    ///   - total: only totals after this.
    ///   - linkTotals: only totals of links after these.
    ///   - longLinks: the numbers of long links whose clicks are read; nil for all.
    package init(
        _ archive: any StoreArchive, after link: LinkID? = nil, _ block: ClickBlock.Key? = nil,
        _ activity: DailyActivity.Key? = nil, _ conversions: ConversionKey? = nil,
        _ total: ArchivedTotal.Key? = nil, _ linkTotals: TotalsChange.PageKey? = nil, longLinks: Set<LinkID>? = nil
    ) {
        self.archive = archive
        self.longLinks = longLinks
        lastConversions = conversions
        lastTotal = total
        lastLinkTotals = linkTotals
        guard total == nil, linkTotals == nil else {
            part = linkTotals == nil ? .totals : .linkTotals
            return
        }
        guard conversions == nil else {
            part = .conversions
            return
        }
        guard let link else { return }
        lastLink = link
        part = .links
        guard block != nil || activity != nil else { return }
        highestLink = link
        lastBlock = block
        lastActivity = activity
        part = activity == nil ? .clicks : .activity
    }

    /// - Throws: `StoreError`, or `ArchiveFailure` if a row is damaged.
    package mutating func next() throws -> ArchiveEntry? {
        while waiting.isEmpty {
            guard try fill() else { return nil }
        }
        return waiting.popFirst()
    }

    private mutating func fill() throws -> Bool {
        switch part {
        case .small:
            // The secrets used to count visitors are deleted after a day, and must not survive in a file.
            let secrets = try archive.secrets().filter {
                $0.name != ImportProgress.secretName && !$0.name.hasPrefix(StoredSecret.visitorsPrefix)
            }
            var entries: [ArchiveEntry] = secrets.map { .secret($0) }
            entries += try archive.applications().map { .application($0) }
            entries += try archive.extras().map { .extra($0) }
            entries += try archive.people().map { .person($0) }
            entries += try archive.keys().filter { !$0.isSession }.map { .key($0) }
            entries += try archive.routes().map { .route($0) }
            entries += try archive.webhooks().map { .webhook($0) }
            entries.append(.lastID(try archive.lastID()))
            if let day = try archive.totalsStart() { entries.append(.totalsStart(day)) }
            waiting = entries[...]
            part = .applicationChanges
        case .applicationChanges:
            let changes = try archive.applicationChanges(after: lastApplicationChange, limit: Self.documents)
            lastApplicationChange = changes.last?.key ?? lastApplicationChange
            waiting = ArraySlice(changes.map { .applicationChange($0) })
            if changes.isEmpty { part = .records }
        case .records:
            let records = try archive.records(after: lastScope, limit: Self.page)
            lastScope = records.last?.scope ?? lastScope
            waiting = ArraySlice(records.map { .record($0) })
            if records.isEmpty { part = .audit }
        case .audit:
            let entries = try archive.auditEntries(after: lastAudit, limit: Self.page)
            lastAudit = entries.last?.number ?? lastAudit
            waiting = ArraySlice(entries.map { .audit($0.entry) })
            if entries.isEmpty { part = .links }
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
            if rows.isEmpty { part = .clicks }
        case .clicks:
            let blocks = try archive.clickBlocks(after: lastBlock, limit: Self.page)
            lastBlock = blocks.last?.key ?? lastBlock
            let highest = highestLink?.rawValue ?? .max
            let longLinks = longLinks
            let isRead = { (link: LinkID) in
                link.isOfLongLinks ? longLinks?.contains(link) ?? true : link.rawValue <= highest
            }
            waiting = ArraySlice(blocks.filter { isRead($0.key.link) }.map { .clicks($0) })
            if blocks.isEmpty { part = .activity }
        case .activity:
            let days = try archive.activity(after: lastActivity, limit: Self.page)
            lastActivity = days.last?.key ?? lastActivity
            let highest = highestLink?.rawValue ?? .max
            waiting = ArraySlice(
                try days.filter { $0.link.rawValue <= highest }.map { activity in
                    guard activity.isReadable else {
                        throw ArchiveFailure(
                            "the activity of the link with the id \(activity.link.rawValue) is damaged "
                                + "on the day \(activity.day)")
                    }
                    return .activity(activity)
                })
            if days.isEmpty { part = .conversions }
        case .conversions:
            let rows = try archive.conversions(after: lastConversions, limit: Self.page)
            lastConversions = rows.last?.key ?? lastConversions
            waiting = ArraySlice(rows.map { .conversions($0) })
            if rows.isEmpty { part = .totals }
        case .totals:
            let totals = try archive.totals(after: lastTotal, limit: Self.page)
            lastTotal = totals.last?.key ?? lastTotal
            waiting = ArraySlice(totals.map { .total($0) })
            if totals.isEmpty { part = .linkTotals }
        case .linkTotals:
            let rows = try archive.linkTotals(after: lastLinkTotals, limit: Self.page)
            lastLinkTotals = rows.last?.key ?? lastLinkTotals
            waiting = ArraySlice(rows.map { .linkTotals($0) })
            if rows.isEmpty { part = .end }
        case .end: return false
        }
        return true
    }
}
