package import WaymarkLinks
package import WaymarkStores

extension AliasClash {
    /// What is wrong, for `waymark check`.
    var sentence: String {
        """
        \(domain.text)/\(slug.text) is the slug of the link with the id \(taker.rawValue) and an earlier slug of the link \
        with the id \(owner.rawValue): visitors get the former; waymark check --repair-aliases gives it back to the latter
        """
    }

    static let most = 100
}

/// Gives addresses back to the links that had them first. The links that took them get other slugs.
package struct AliasRepair {
    package struct Report: Sendable, Equatable {
        package struct Change: Sendable, Equatable {
            package var clash: AliasClash
            /// Of the taker; nil if there was no taker but the link itself, whose alias is removed.
            package var slug: Slug?
        }
        package var changes: [Change] = []
        /// Of links that no longer exist.
        package var removedAliases = 0
    }

    private let archive: any StoreArchive

    package init(_ archive: any StoreArchive) { self.archive = archive }

    /// - Throws: `StoreError`; `ArchiveFailure` if a link can't get another slug.
    package func run(at now: Timestamp) throws -> Report {
        var report = Report()
        report.removedAliases = try archive.removeOrphanedAliases()
        try archive.forgetSlugRules()
        while let clash = try archive.aliasClashes(limit: 1).first {
            guard clash.owner != clash.taker else {
                try archive.removeAlias(of: clash)
                report.changes.append(Report.Change(clash: clash, slug: nil))
                continue
            }
            guard let slug = try archive.freeSlug(after: clash) else {
                throw ArchiveFailure(
                    "the link with the id \(clash.taker.rawValue) can't get another slug than \(clash.slug.text); rename it, then repeat the command"
                )
            }
            try archive.move(clash, to: slug, at: now)
            report.changes.append(Report.Change(clash: clash, slug: slug))
        }
        return report
    }
}
