#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresArchive {
        package func lastID() throws(StoreError) -> Int64 {
            // An unused sequence has the value 1 and `is_called` false.
            try run(
                """
                SELECT greatest((SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM waymark.link_id),
                    (SELECT coalesce(max(id), 0) FROM waymark.link))
                """
            ).number(0, 0)
        }

        package func applications() throws(StoreError) -> [StoredApplication] {
            do {
                return try StoredApplication.all(of: run(Statement.applications.sql)).map(\.archived)
            } catch {
                throw StoreError(error)
            }
        }

        package func links(after id: LinkID?, limit: Int) throws(StoreError) -> [ArchivedRow] {
            let result = try run(
                """
                SELECT link.id, application.name, host.name, link.slug, link.content, link.has_metadata, link.redeemed,
                    link.clicks, link.reserved, link.created_at, link.updated_at, link.version, link.application, link.free_clicks,
                    link.identity, link_metadata.metadata, coalesce(link_event.opens, 0),
                    coalesce(link_event.installs, 0), link.redeem_limit, link.max_clicks
                FROM (SELECT * FROM waymark.link WHERE id > $1::int8 ORDER BY id LIMIT $2::int8) AS link
                    LEFT JOIN waymark.host ON host.number = link.host
                    LEFT JOIN waymark.application ON application.number = link.application
                    LEFT JOIN waymark.link_metadata ON link_metadata.link = link.id
                    LEFT JOIN waymark.link_event ON link_event.link = link.id
                ORDER BY link.id
                """, .number(id?.rawValue ?? .min), .number(Int64(limit)))
            let found: [ArchivedRow] = try rows(result) { row in
                let id = LinkID(rawValue: try result.number(row, 0))
                guard let archived = try? Self.archived(result, row) else { return .damaged(id) }
                return .link(archived)
            }
            do {
                return try found.addingHistory { try changes(of: $0, limit: $1) }
            } catch {
                throw StoreError(error)
            }
        }

        private func changes(of links: ClosedRange<Int64>, limit: Int64) throws(StoreError) -> [ArchivedChange] {
            let result = try run(
                """
                SELECT version, at, author, author_name, fields, slug, content, link FROM waymark.link_change
                WHERE link >= $1::int8 AND link <= $2::int8 ORDER BY link, version LIMIT $3::int8
                """, .number(links.lowerBound), .number(links.upperBound), .number(limit))
            return try rows(result) { row in
                ArchivedChange(
                    link: LinkID(rawValue: try result.number(row, 7)), entry: try LinkHistoryEntry(result, row),
                    hasContent: try result.optionalBytes(row, 6) != nil)
            }
        }

        private static func archived(_ result: QueryResult, _ row: Int) throws -> ArchivedLink {
            ArchivedLink(
                link: try LinkRow.link(result, row), identity: try result.optionalBytes(row, 14),
                metadata: try result.optionalBytes(row, 15),
                events: EventCounts(opens: try result.count(row, 16), installs: try result.count(row, 17)),
                redeemLimit: try result.count(row, 18), maxClicks: try result.optionalNumber(row, 19).map { Int($0) })
        }
    }
#endif
