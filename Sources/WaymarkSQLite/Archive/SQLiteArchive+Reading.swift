internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func isEmpty() throws(StoreError) -> Bool {
        try perform { database in
            try ["link", "application", "api_key", "idempotency", "webhook"].allSatisfy { table in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT 1)") == 0
            }
        }
    }

    package func linkCount() throws(StoreError) -> Int {
        try perform { try Int.fetchOne($0, sql: "SELECT count(*) FROM link") ?? 0 }
    }

    package func lastID() throws(StoreError) -> Int64 { try perform { try $0.lastLinkID() } }

    package func applications() throws(StoreError) -> [StoredApplication] {
        try perform { try $0.applications().map(\.archived) }
    }

    package func conversions(after key: ConversionKey?, limit: Int) throws(StoreError) -> [ArchivedConversions] {
        try perform { database in
            try database.rows(
                """
                SELECT application.name, day, link, campaign, conversion.name, currency, count, whole, micros, scale
                FROM application JOIN conversion ON conversion.application = application.number
                WHERE (application.name, day, link, campaign, conversion.name, currency) > (?, ?, ?, ?, ?, ?)
                ORDER BY application.name, day, link, campaign, conversion.name, currency LIMIT ?
                """,
                [
                    key?.application.text ?? "", key?.day ?? .min, key?.link.rawValue ?? .min, key?.campaign ?? "",
                    key?.name ?? "", key?.currency ?? "", limit,
                ]
            ) { row in
                guard let application = ApplicationID(try row.text(0)) else { throw Row.damaged }
                return ArchivedConversions(
                    key: ConversionKey(
                        application: application, day: Int(try row.number(1)),
                        link: LinkID(rawValue: try row.number(2)), campaign: try row.text(3), name: try row.text(4),
                        currency: try row.text(5)),
                    total: ConversionTotal(
                        count: try row.count(6),
                        sum: Money(
                            whole: try row.number(7), micros: try row.number(8), scale: try row.count(9))))
            }
        }
    }

    package func records(after scope: [UInt8]?, limit: Int) throws(StoreError) -> [ArchivedRecord] {
        try perform { database in
            // No scope is empty, and every other blob sorts after the empty one.
            try database.rows(
                """
                SELECT scope, fingerprint, expires_at, kind, answer FROM idempotency
                WHERE scope > ? ORDER BY scope LIMIT ?
                """, [(scope ?? []).blob, limit]
            ) { row in
                ArchivedRecord(
                    scope: try row.bytes(0), fingerprint: try row.bytes(1), expiresAt: try row.timestamp(2),
                    kind: try row.number(3), answer: try row.bytes(4))
            }
        }
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
            guard let first = found.first, let last = found.last else { return [] }
            let changes = try database.rows(HistoryRow.ofLinks, [first.id.rawValue, last.id.rawValue]) { row in
                (link: LinkID(rawValue: try row.number(HistoryRow.link)), entry: try HistoryRow.entry(row))
            }
            return found.adding(changes)
        }
    }

    package func clickBlocks(after key: ClickBlock.Key?, limit: Int) throws(StoreError) -> [ClickBlock] {
        try perform { database in
            try database.rows(
                """
                SELECT day, link, number, bytes FROM click_block
                WHERE (day, link, number) > (?, ?, ?) AND \(ClickRows.isOwned)
                ORDER BY day, link, number LIMIT ?
                """, [key?.day ?? .min, key?.link.rawValue ?? .min, key?.number ?? .min, limit]
            ) { row in
                ClickBlock(
                    key: ClickBlock.Key(
                        link: LinkID(rawValue: try row.number(1)), day: Int(try row.number(0)),
                        number: try row.number(2)),
                    bytes: try row.bytes(3))
            }
        }
    }

    package func activity(after key: DailyActivity.Key?, limit: Int) throws(StoreError) -> [DailyActivity] {
        try perform { database in
            try database.rows(
                """
                SELECT link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs
                FROM link_activity WHERE (link, day) > (?, ?) AND EXISTS (SELECT 1 FROM link WHERE id = link_activity.link)
                ORDER BY link, day LIMIT ?
                """, [key?.link.rawValue ?? .min, key?.day ?? .min, limit]
            ) { row in
                DailyActivity(
                    link: LinkID(rawValue: try row.number(0)), day: Int(try row.number(1)),
                    counts: LinkActivity(values: try (2...8).map { Int(try row.number($0)) }))
            }
        }
    }

    private static func archived(_ row: Row) throws -> ArchivedLink {
        ArchivedLink(
            link: try LinkRow.link(row), identity: try row.optionalBytes(13), metadata: try row.optionalBytes(14),
            events: EventCounts(opens: try row.count(15), installs: try row.count(16)),
            redeemLimit: try row.count(17), maxClicks: try row.optionalNumber(18).map { Int($0) })
    }

    package func metadata(after id: LinkID?, limit: Int) throws(StoreError) -> [StoredMetadata] {
        try perform { database in
            try database.rows(
                "SELECT link, metadata FROM link_metadata WHERE link > ? ORDER BY link LIMIT ?",
                [id?.rawValue ?? .min, limit]
            ) { StoredMetadata(link: LinkID(rawValue: try $0.number(0)), bytes: try $0.bytes(1)) }
        }
    }
}
