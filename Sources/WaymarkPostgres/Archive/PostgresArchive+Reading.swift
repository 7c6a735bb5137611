#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresArchive {
        package func isEmpty() throws(StoreError) -> Bool {
            let result = try run(
                """
                SELECT EXISTS (SELECT FROM waymark.link) OR EXISTS (SELECT FROM waymark.application)
                    OR EXISTS (SELECT FROM waymark.api_key) OR EXISTS (SELECT FROM waymark.idempotency)
                    OR EXISTS (SELECT FROM waymark.webhook)
                """)
            return try result.number(0, 0) == 0
        }

        package func linkCount() throws(StoreError) -> Int {
            try run("SELECT count(*) FROM waymark.link").count(0, 0)
        }

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

        package func conversions(after key: ConversionKey?, limit: Int) throws(StoreError) -> [ArchivedConversions] {
            let result = try run(
                """
                SELECT application.name, day, link, campaign, conversion.name, currency, count, whole, micros, scale
                FROM waymark.application JOIN waymark.conversion ON conversion.application = application.number
                WHERE (application.name, day, link, campaign, conversion.name, currency)
                    > ($1::text COLLATE "C", $2::int8, $3::int8, $4::bytea, $5::bytea, $6::bytea)
                ORDER BY application.name, day, link, campaign, conversion.name, currency LIMIT $7::int8
                """, .text(key?.application.text ?? ""), .number(key.map { Int64($0.day) } ?? .min),
                .number(key?.link.rawValue ?? .min), .bytes(Array((key?.campaign ?? "").utf8)),
                .bytes(Array((key?.name ?? "").utf8)), .bytes(Array((key?.currency ?? "").utf8)),
                .number(Int64(limit)))
            return try rows(result) { row in
                guard let application = ApplicationID(try result.text(row, 0)) else { throw QueryResult.damaged }
                func text(_ column: Int) throws -> String {
                    String(decoding: try result.bytes(row, column), as: UTF8.self)
                }
                return ArchivedConversions(
                    key: ConversionKey(
                        application: application, day: Int(try result.number(row, 1)),
                        link: LinkID(rawValue: try result.number(row, 2)), campaign: try text(3), name: try text(4),
                        currency: try text(5)),
                    total: ConversionTotal(
                        count: try result.count(row, 6),
                        sum: Money(
                            whole: try result.number(row, 7), micros: try result.number(row, 8),
                            scale: try result.count(row, 9))))
            }
        }

        package func records(after scope: [UInt8]?, limit: Int) throws(StoreError) -> [ArchivedRecord] {
            let result = try run(
                """
                SELECT scope, fingerprint, expires_at, kind, answer FROM waymark.idempotency
                WHERE scope > $1::bytea ORDER BY scope LIMIT $2::int8
                """, .bytes(scope ?? []), .number(Int64(limit)))
            return try rows(result) { row in
                ArchivedRecord(
                    scope: try result.bytes(row, 0), fingerprint: try result.bytes(row, 1),
                    expiresAt: try result.timestamp(row, 2), kind: try result.number(row, 3),
                    answer: try result.bytes(row, 4))
            }
        }

        package func clickBlocks(after key: ClickBlock.Key?, limit: Int) throws(StoreError) -> [ClickBlock] {
            let result = try run(
                """
                SELECT day, link, number, bytes FROM waymark.click_block
                WHERE (day, link, number) > ($1::int8, $2::int8, $3::int8)
                    AND \(Statement.isOwned("click_block"))
                ORDER BY day, link, number LIMIT $4::int8
                """, .number(key.map { Int64($0.day) } ?? .min), .number(key?.link.rawValue ?? .min),
                .number(key?.number ?? .min), .number(Int64(limit)))
            return try rows(result) { row in
                ClickBlock(
                    key: ClickBlock.Key(
                        link: LinkID(rawValue: try result.number(row, 1)), day: Int(try result.number(row, 0)),
                        number: try result.number(row, 2)),
                    bytes: try result.bytes(row, 3))
            }
        }

        package func activity(after key: DailyActivity.Key?, limit: Int) throws(StoreError) -> [DailyActivity] {
            let result = try run(
                """
                SELECT link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs
                FROM waymark.link_activity
                WHERE (link, day) > ($1::int8, $2::int8)
                    AND EXISTS (SELECT FROM waymark.link WHERE link.id = link_activity.link)
                ORDER BY link, day LIMIT $3::int8
                """, .number(key?.link.rawValue ?? .min), .number(key.map { Int64($0.day) } ?? .min),
                .number(Int64(limit)))
            return try rows(result) { row in
                DailyActivity(
                    link: LinkID(rawValue: try result.number(row, 0)), day: Int(try result.number(row, 1)),
                    counts: LinkActivity(values: try (2...8).map { Int(try result.number(row, $0)) }))
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
            guard let first = found.first, let last = found.last else { return [] }
            let changes = try run(
                """
                SELECT version, at, author, author_name, fields, link FROM waymark.link_change
                WHERE link >= $1::int8 AND link <= $2::int8 ORDER BY link, version
                """, .number(first.id.rawValue), .number(last.id.rawValue))
            return found.adding(
                try rows(changes) { row in
                    (link: LinkID(rawValue: try changes.number(row, 5)), entry: try LinkHistoryEntry(changes, row))
                })
        }

        private static func archived(_ result: QueryResult, _ row: Int) throws -> ArchivedLink {
            ArchivedLink(
                link: try LinkRow.link(result, row), identity: try result.optionalBytes(row, 14),
                metadata: try result.optionalBytes(row, 15),
                events: EventCounts(opens: try result.count(row, 16), installs: try result.count(row, 17)),
                redeemLimit: try result.count(row, 18), maxClicks: try result.optionalNumber(row, 19).map { Int($0) })
        }

        package func metadata(after id: LinkID?, limit: Int) throws(StoreError) -> [StoredMetadata] {
            let result = try run(
                """
                SELECT link, metadata FROM waymark.link_metadata WHERE link > $1::int8 ORDER BY link LIMIT $2::int8
                """, .number(id?.rawValue ?? .min), .number(Int64(limit)))
            return try rows(result) { row in
                StoredMetadata(link: LinkID(rawValue: try result.number(row, 0)), bytes: try result.bytes(row, 1))
            }
        }
    }
#endif
