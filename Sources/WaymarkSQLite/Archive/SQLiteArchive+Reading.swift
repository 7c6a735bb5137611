internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func lastID() throws(StoreError) -> Int64 { try perform { try $0.lastLinkID() } }

    package func applications() throws(StoreError) -> [StoredApplication] {
        try perform { try $0.applications().map(\.archived) }
    }

    package func links(after id: LinkID?, limit: Int) throws(StoreError) -> [ArchivedRow] {
        try perform { database in
            let found = try database.rows(
                """
                SELECT link.id, application.name, host.name, link.slug, link.content, link.has_metadata, link.redeemed,
                    \(ClickCountPage.column), link.reserved, link.created_at, link.updated_at, link.version, link.free_clicks,
                    link.identity, link_metadata.metadata, coalesce(link_event.opens, 0),
                    coalesce(link_event.installs, 0), link.redeem_limit, link.max_clicks
                FROM link
                    LEFT JOIN host ON host.number = link.host
                    LEFT JOIN application ON application.number = link.application
                    LEFT JOIN link_metadata ON link_metadata.link = link.id
                    LEFT JOIN link_event ON link_event.link = link.id
                WHERE link.id > ? ORDER BY link.id LIMIT ?
                """, [id?.rawValue ?? .min, limit]
            ) { row in
                let id = LinkID(rawValue: try row.number(0))
                guard let archived = try? Self.archived(row) else { return ArchivedRow.damaged(id) }
                return .link(archived)
            }
            return try found.addingHistory { links, limit in
                try database.rows(HistoryRow.ofLinks, [links.lowerBound, links.upperBound, limit]) { row in
                    ArchivedChange(
                        link: LinkID(rawValue: try row.number(HistoryRow.link)), entry: try HistoryRow.entry(row),
                        hasContent: try row.optionalBytes(HistoryRow.content) != nil)
                }
            }
        }
    }

    private static func archived(_ row: Row) throws -> ArchivedLink {
        ArchivedLink(
            link: try LinkRow.link(row), identity: try row.optionalBytes(13), metadata: try row.optionalBytes(14),
            events: EventCounts(opens: try row.count(15), installs: try row.count(16)),
            redeemLimit: try row.count(17), maxClicks: try row.optionalNumber(18).map { Int($0) })
    }
}
