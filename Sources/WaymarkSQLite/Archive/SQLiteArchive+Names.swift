internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
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
        let former = LinkHistoryEntry.Former(link)
        link.slug = slug
        link.version += 1
        link.updatedAt = now
        try database.run(
            "UPDATE link SET slug = ?, version = ?, updated_at = ?, identity = NULL WHERE id = ?",
            [slug.text, link.version, now.rawValue, id.rawValue])
        try noteSearchChange(of: id, version: link.version)
        try add(
            LinkHistoryEntry(version: link.version, at: now, author: nil, fields: ["slug"], former: former),
            toHistoryOf: id)
        try report(.linkUpdated, link, at: now, [.init("changed", .list(["slug"]))])
    }
}
