internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

/// The columns of a change in a link's history.
enum HistoryRow {
    private static let selection =
        "SELECT version, at, author, author_name, fields, slug, content, link FROM link_change "
    /// Of the versions up to one that changed something, newest first.
    static let ofLink =
        selection + "WHERE link = ? AND version <= ? AND (fields <> '' OR version = 1) ORDER BY version DESC LIMIT ?"
    /// The one that made a version, and the next one that changed something.
    static let from =
        selection + """
            WHERE link = ?1 AND version IN (
                ?2, (SELECT min(version) FROM link_change AS made
                    WHERE made.link = ?1 AND made.version > ?2 AND made.fields <> ''))
            ORDER BY version
            """
    /// The last change until a time, and the one after it; without the first, the two earliest.
    static let around =
        selection + """
            WHERE link = ?1 AND version >= coalesce(
                (SELECT max(version) FROM link_change AS made WHERE made.link = ?1 AND made.at <= ?2), 0)
            ORDER BY version LIMIT 2
            """
    /// Of a range of links, for archives.
    static let ofLinks = selection + "WHERE link >= ? AND link <= ? ORDER BY link, version LIMIT ?"
    static let content = 6
    static let link = 7

    static func entry(_ row: Row) throws -> LinkHistoryEntry {
        var author: ChangeAuthor?
        if let id = try row.optionalText(2) { author = ChangeAuthor(id: id, name: try row.optionalText(3) ?? "") }
        return LinkHistoryEntry(
            version: try row.count(0), at: try row.timestamp(1), author: author,
            fields: try row.text(4).split(separator: " ").map(String.init),
            former: LinkHistoryEntry.Former(slug: try row.optionalText(5), content: try row.optionalBytes(content)))
    }
}

extension WriteSession {
    func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, restoring content: LinkContent?,
        at now: Timestamp
    ) throws -> RenameOutcome {
        guard let link = try database.link(id), let rules = try application(link.application)?.slugRules else {
            return .unknown
        }
        let address = LinkAddress(domain: link.domain, slug: slug)
        let host = try number(of: link.domain)
        let outcome = try link.renaming(
            to: slug, expecting: expecting, by: rules, at: now,
            isTaken: { try owner(of: slug, host: host, besides: id) != nil },
            isFoldedTaken: { try isFoldedTaken(address, besides: id) })
        guard case .renamed(let renamed) = outcome, renamed.version != link.version else { return outcome }
        if rules.contains(.ignoreCase) { try addFolded([address], of: id) }
        try database.run("DELETE FROM link_alias WHERE slug = ? AND host = ?", [slug.text, host])
        try database.run("UPDATE link SET slug = ? WHERE id = ?", [slug.text, id.rawValue])
        try addAliases([LinkAddress(domain: link.domain, slug: link.slug)], of: id)
        var session = self
        if let content {
            var change = LinkChange(content: content, author: author)
            change.slug = slug
            let update = LinkUpdate(id: id, expecting: nil, change: change)
            guard case .updated(let restored) = try session.update(update, of: link, at: now) else { return .unknown }
            return .renamed(restored)
        }
        try save(renamed, replacing: link)
        try add(
            LinkHistoryEntry(
                version: renamed.version, at: now, author: author, fields: ["slug"], former: .init(link)),
            toHistoryOf: id)
        try report(.linkUpdated, renamed, at: now, [.init("changed", .list(["slug"]))])
        try session.audit(renamed: link, to: renamed)
        return outcome
    }

    func addAliases(_ aliases: [LinkAddress], of id: LinkID) throws {
        for alias in aliases {
            hasAliases = true
            try database.run(
                "INSERT INTO link_alias (slug, host, link) VALUES (?, ?, ?)",
                [alias.slug.text, try number(of: alias.domain), id.rawValue])
        }
    }

    /// Whether a link has the slug as an alias. Most databases have none: then it is one lookup in a transaction.
    func isAlias(_ slug: Slug, host: Int64) throws -> Bool {
        if hasAliases == nil { hasAliases = try RawStatement("SELECT 1 FROM link_alias LIMIT 1", database).isThere() }
        guard hasAliases == true else { return false }
        let lookup = try RawStatement("SELECT 1 FROM link_alias WHERE slug = ?1 AND host = ?2", database)
        lookup.bind(1, slug.text)
        lookup.bind(2, host)
        return try lookup.isThere()
    }

    /// The link that has the slug or alias, besides this one's aliases.
    func owner(of slug: Slug, host: Int64, besides id: LinkID? = nil) throws -> LinkID? {
        try database.row(
            """
            SELECT id FROM link WHERE slug = ?1 AND host = ?2
            UNION ALL SELECT link FROM link_alias WHERE slug = ?1 AND host = ?2 AND link IS NOT ?3
            """, [slug.text, host, id?.rawValue]
        ) { LinkID(rawValue: try $0.number(0)) }
    }

    func add(_ entry: LinkHistoryEntry, toHistoryOf id: LinkID) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO link_change (link, version, at, author, author_name, fields, slug, content)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id.rawValue, entry.version, entry.at.rawValue, entry.author?.id, entry.author?.name,
                entry.fields.joined(separator: " "), entry.former?.slug.text,
                entry.former.map { LinkContentCodec.encode($0.content).blob },
            ])
    }
}
