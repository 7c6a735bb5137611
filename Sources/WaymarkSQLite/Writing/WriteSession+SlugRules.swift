internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

/// Slugs and aliases of applications that ignore case are stored folded as well, where one of a host is unique. Rows go with
/// their link.
extension WriteSession {
    func isFoldedTaken(_ address: LinkAddress) throws -> Bool { try isFoldedTaken(address, besides: nil) }

    func isFoldedTaken(_ address: LinkAddress, besides link: LinkID?) throws -> Bool {
        let owner = try foldedOwner(address.slug, host: number(of: address.domain))
        return owner != nil && owner != link
    }

    func addFolded(_ addresses: [LinkAddress], of id: LinkID) throws {
        for address in addresses { try addFolded(address.slug, host: number(of: address.domain), link: id) }
    }

    private func addFolded(_ slug: Slug, host: Int64, link: LinkID) throws {
        try database.run(
            "INSERT OR IGNORE INTO link_folded (slug, host, link) VALUES (?, ?, ?)",
            [slug.caseFolded, host, link.rawValue])
    }

    private func foldedOwner(_ slug: Slug, host: Int64) throws -> LinkID? {
        try database.row("SELECT link FROM link_folded WHERE slug = ? AND host = ?", [slug.caseFolded, host]) {
            LinkID(rawValue: try $0.number(0))
        }
    }

    /// Replaces the rules of an application.
    ///
    /// - Parameter refusing: whether nothing is changed if its links break them; else they are applied as far as possible.
    /// - Returns: How the links break them, if refusing.
    func replaceSlugRules(of application: Int64, by rules: SlugRules, refusing: Bool) throws -> SlugClash? {
        let old = try database.row("SELECT slug_rules FROM application WHERE number = ?", [application]) {
            SlugRules(rawValue: try $0.count(0))
        }
        guard let old, old != rules else { return nil }
        if refusing, rules.contains(.reserveCompatibility), !old.contains(.reserveCompatibility),
            let clash = try reservedSlug(of: application)
        {
            return clash
        }
        if rules.contains(.ignoreCase) != old.contains(.ignoreCase) {
            try removeFolded(of: application)
            if rules.contains(.ignoreCase), let clash = try addFolded(of: application, rules, refusing: refusing) {
                try removeFolded(of: application)
                return clash
            }
        }
        try database.run("UPDATE application SET slug_rules = ? WHERE number = ?", [rules.rawValue, application])
        forget()
        return nil
    }

    private func removeFolded(of application: Int64) throws {
        try database.run(
            "DELETE FROM link_folded WHERE link IN (SELECT id FROM link WHERE application = ?)", [application])
    }

    private func addFolded(of application: Int64, _ rules: SlugRules, refusing: Bool) throws -> SlugClash? {
        let names = try Row.fetchCursor(
            database,
            sql: """
                SELECT link.slug, link.host, link.id FROM link WHERE application = ?1
                UNION ALL SELECT link_alias.slug, link_alias.host, link_alias.link FROM link_alias
                    JOIN link ON link.id = link_alias.link WHERE link.application = ?1
                """, arguments: [application])
        while let row = try names.next() {
            guard let slug = Slug(try row.text(0)) else { throw Row.damaged }
            let (host, id) = (try row.number(1), LinkID(rawValue: try row.number(2)))
            if refusing, !rules.permit(slug), let link = try database.link(id) {
                return link.reserved(slug)
            }
            try addFolded(slug, host: host, link: id)
            guard refusing, database.changesCount == 0 else { continue }
            guard let owner = try foldedOwner(slug, host: host), owner != id, let other = try database.link(owner)
            else { continue }
            return other.clash(with: slug)
        }
        return nil
    }

    /// A slug or alias that calls of Firebase or HOKO have.
    private func reservedSlug(of application: Int64) throws -> SlugClash? {
        for segment in SlugRules.compatibilitySegments.sorted() {
            let found = try database.row(
                """
                SELECT host.name, named.slug FROM (
                    SELECT slug, host, application FROM link
                        WHERE slug = ?2 OR (slug >= ?2 || '/' AND slug < ?2 || '0')
                    UNION ALL SELECT link_alias.slug, link_alias.host, link.application FROM link_alias
                        JOIN link ON link.id = link_alias.link
                        WHERE link_alias.slug = ?2 OR (link_alias.slug >= ?2 || '/' AND link_alias.slug < ?2 || '0')
                ) AS named JOIN host ON host.number = named.host
                WHERE named.application = ?1 LIMIT 1
                """, [application, segment]
            ) { row in (HostName(try row.text(0)), Slug(try row.text(1))) }
            guard let found else { continue }
            guard let host = found.0, let slug = found.1 else { throw Row.damaged }
            return .reserved(host, slug)
        }
        return nil
    }
}
