internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func aliasClashes(limit: Int) throws(StoreError) -> [AliasClash] {
        try perform { database in
            try database.rows(
                """
                SELECT host.name, link.slug, link_alias.link, link.id FROM link_alias
                    JOIN link ON link.slug = link_alias.slug AND link.host = link_alias.host
                    JOIN host ON host.number = link.host
                ORDER BY link_alias.link, link.slug LIMIT ?
                """, [limit]
            ) { row in
                guard let domain = HostName(try row.text(0)), let slug = Slug(try row.text(1)) else {
                    throw Row.damaged
                }
                return AliasClash(
                    domain: domain, slug: slug, owner: LinkID(rawValue: try row.number(2)),
                    taker: LinkID(rawValue: try row.number(3)))
            }
        }
    }

    package func isFree(_ slug: Slug, on domain: HostName) throws(StoreError) -> Bool {
        try perform { database in
            try database.row(
                """
                SELECT 1 FROM host WHERE name = ?1 AND (
                    EXISTS (SELECT 1 FROM link WHERE slug = ?2 AND host = host.number)
                    OR EXISTS (SELECT 1 FROM link_alias WHERE slug = ?2 AND host = host.number))
                """, [domain.text, slug.text]
            ) { try $0.number(0) } == nil
        }
    }

    package func move(_ clash: AliasClash, to slug: Slug, at now: Timestamp) throws(StoreError) {
        try transact { database in
            let session = WriteSession(database, metadataKeys: .none)
            try session.move(clash.taker, to: slug, at: now)
            try session.finish()
        }
    }

    package func removeAlias(of clash: AliasClash) throws(StoreError) {
        try transact { database in
            try database.run(
                "DELETE FROM link_alias WHERE slug = ? AND host = (SELECT number FROM host WHERE name = ?)",
                [clash.slug.text, clash.domain.text])
        }
    }

    package func removeOrphanedAliases() throws(StoreError) -> Int {
        try transact { database in
            try database.run("DELETE FROM link_alias WHERE link NOT IN (SELECT id FROM link)")
            return database.changesCount
        }
    }

    package func forgetSlugRules() throws(StoreError) {
        try transact { database in
            try database.run("DELETE FROM link_folded")
            try database.run("UPDATE application SET slug_rules = 0")
        }
    }
}

extension WriteSession {
    /// Gives a link another slug, and leaves no alias: the present one is another link's.
    fileprivate func move(_ id: LinkID, to slug: Slug, at now: Timestamp) throws {
        guard var link = try database.link(id) else { throw Row.damaged }
        link.slug = slug
        link.version += 1
        link.updatedAt = now
        try database.run(
            "UPDATE link SET slug = ?, version = ?, updated_at = ?, identity = NULL WHERE id = ?",
            [slug.text, link.version, now.rawValue, id.rawValue])
        try noteSearchChange(of: id, version: link.version)
        try add(LinkHistoryEntry(version: link.version, at: now, author: nil, fields: ["slug"]), toHistoryOf: id)
        try report(.linkUpdated, link, at: now, [.init("changed", .list(["slug"]))])
    }
}
