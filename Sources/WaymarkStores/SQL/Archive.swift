package import WaymarkLinks

// MARK: Reading

extension SQLArchive {
    package func isEmpty() throws(StoreError) -> Bool {
        let isUsed = SQLStatement(
            """
            SELECT EXISTS (SELECT 1 FROM link) OR EXISTS (SELECT 1 FROM application) OR EXISTS (SELECT 1 FROM api_key)
                OR EXISTS (SELECT 1 FROM idempotency) OR EXISTS (SELECT 1 FROM webhook)
                OR EXISTS (SELECT 1 FROM person)
            """)
        return try rows(isUsed) { try $0.number(0) } == [0]
    }

    package func linkCount() throws(StoreError) -> Int { try count(SQLStatement("SELECT count(*) FROM link")) }

    package func records(after scope: [UInt8]?, limit: Int) throws(StoreError) -> [ArchivedRecord] {
        // No scope is empty, and all others come after the empty one.
        let page = SQLStatement(
            """
            SELECT scope, fingerprint, expires_at, kind, answer FROM idempotency
            WHERE scope > $1 ORDER BY scope LIMIT $2
            """, .bytes(scope ?? []), .number(limit))
        return try rows(page) { row in
            ArchivedRecord(
                scope: try row.bytes(0), fingerprint: try row.bytes(1), expiresAt: try row.timestamp(2),
                kind: try row.number(3), answer: try row.bytes(4))
        }
    }

    package func clickBlocks(after key: ClickBlock.Key?, limit: Int) throws(StoreError) -> [ClickBlock] {
        let page = SQLStatement(
            """
            SELECT day, link, number, bytes FROM click_block
            WHERE (day, link, number) > ($1, $2, $3) AND coalesce(
                (SELECT 1 FROM link WHERE id = click_block.link),
                (SELECT 1 FROM long_link WHERE long_link.number = click_block.link)) IS NOT NULL
            ORDER BY day, link, number LIMIT $4
            """, .number(key?.day ?? .min), .number(key?.link.rawValue ?? .min), .number(key?.number ?? .min),
            .number(limit))
        return try rows(page) { row in
            ClickBlock(
                key: ClickBlock.Key(
                    link: LinkID(rawValue: try row.number(1)), day: Int(try row.number(0)),
                    number: try row.number(2)),
                bytes: try row.bytes(3))
        }
    }

    package func shippedBlocks(
        days: ClosedRange<Int>, after key: ClickBlock.Key?, limit: Int
    ) throws(StoreError) -> [ShippedBlock] {
        let page = SQLStatement(
            """
            SELECT day, block.link, block.number, bytes, coalesce(
                (SELECT name FROM link JOIN application ON application.number = link.application
                    WHERE link.id = block.link),
                (SELECT name FROM long_link JOIN application ON application.number = long_link.application
                    WHERE long_link.number = block.link)), coalesce(
                (SELECT name FROM link JOIN host ON host.number = link.host WHERE link.id = block.link),
                (SELECT name FROM long_link JOIN host ON host.number = long_link.host
                    WHERE long_link.number = block.link)),
                (SELECT slug FROM link WHERE link.id = block.link)
            FROM click_block AS block
            WHERE (day, block.link, block.number) > ($1, $2, $3) AND day <= $4 AND coalesce(
                (SELECT 1 FROM link WHERE link.id = block.link),
                (SELECT 1 FROM long_link WHERE long_link.number = block.link)) IS NOT NULL
            ORDER BY day, block.link, block.number LIMIT $5
            """, .number(key?.day ?? days.lowerBound), .number(key?.link.rawValue ?? .min),
            .number(key?.number ?? .min), .number(days.upperBound), .number(limit))
        return try rows(page) { row in
            let key = ClickBlock.Key(
                link: LinkID(rawValue: try row.number(1)), day: Int(try row.number(0)), number: try row.number(2))
            return ShippedBlock(
                block: ClickBlock(key: key, bytes: try row.bytes(3)),
                application: try row.present(ApplicationID(row.text(4))),
                domain: try row.present(HostName(row.text(5))), slug: try row.optionalUnicode(6))
        }
    }

    package func activity(after key: DailyActivity.Key?, limit: Int) throws(StoreError) -> [DailyActivity] {
        let page = SQLStatement(
            """
            SELECT link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs
            FROM link_activity
            WHERE (link, day) > ($1, $2) AND EXISTS (SELECT 1 FROM link WHERE link.id = link_activity.link)
            ORDER BY link, day LIMIT $3
            """, .number(key?.link.rawValue ?? .min), .number(key?.day ?? .min), .number(limit))
        return try rows(page) { row in
            DailyActivity(
                link: LinkID(rawValue: try row.number(0)), day: Int(try row.number(1)),
                counts: LinkActivity(values: try (2...8).map { Int(try row.number($0)) }))
        }
    }

    package func conversions(after key: ConversionKey?, limit: Int) throws(StoreError) -> [ArchivedConversions] {
        let page = SQLStatement(
            """
            SELECT application.name, day, link, campaign, conversion.name, currency, count, whole, micros, scale
            FROM application JOIN conversion ON conversion.application = application.number
            WHERE (application.name, day, link, campaign, conversion.name, currency) > ($1, $2, $3, $4, $5, $6)
            ORDER BY application.name, day, link, campaign, conversion.name, currency LIMIT $7
            """, .text(key?.application.text ?? ""), .number(key?.day ?? .min), .number(key?.link.rawValue ?? .min),
            .unicode(key?.campaign ?? ""), .unicode(key?.name ?? ""), .unicode(key?.currency ?? ""), .number(limit))
        return try rows(page) { row in
            ArchivedConversions(
                key: ConversionKey(
                    application: try row.present(ApplicationID(row.text(0))), day: Int(try row.number(1)),
                    link: LinkID(rawValue: try row.number(2)), campaign: try row.unicode(3),
                    name: try row.unicode(4), currency: try row.unicode(5)),
                total: ConversionTotal(
                    count: try row.count(6),
                    sum: Money(whole: try row.number(7), micros: try row.number(8), scale: try row.count(9))))
        }
    }

    package func metadata(after id: LinkID?, limit: Int) throws(StoreError) -> [StoredMetadata] {
        let page = SQLStatement(
            "SELECT link, metadata FROM link_metadata WHERE link > $1 ORDER BY link LIMIT $2",
            .number(id?.rawValue ?? .min), .number(limit))
        return try rows(page) {
            StoredMetadata(link: LinkID(rawValue: try $0.number(0)), bytes: try $0.bytes(1))
        }
    }

    package func totalsStart() throws(StoreError) -> Int? {
        try rows(SQLStatement("SELECT day FROM click_total_start")) { Int(try $0.number(0)) }.first
    }

    private func count(_ statement: SQLStatement) throws(StoreError) -> Int {
        try rows(statement) { try $0.count(0) }.first ?? 0
    }
}

// MARK: Checking and repairing

extension SQLArchive {
    package func searchChanges(in range: ClosedRange<Int64>) throws(StoreError) -> Set<LinkID> {
        let changes = SQLStatement(
            "SELECT DISTINCT link FROM search_change WHERE link >= $1 AND link <= $2", .number(range.lowerBound),
            .number(range.upperBound))
        return Set(try rows(changes) { LinkID(rawValue: try $0.number(0)) })
    }

    package func clickOrder(in range: ClosedRange<Int64>) throws(StoreError) -> [LinkID: Int] {
        let order = SQLStatement(
            "SELECT link, clicks FROM click_order WHERE link >= $1 AND link <= $2", .number(range.lowerBound),
            .number(range.upperBound))
        let clicks = try rows(order) { (LinkID(rawValue: try $0.number(0)), Int(try $0.number(1))) }
        return Dictionary(clicks) { first, _ in first }
    }

    package func historyStart() throws(StoreError) -> Timestamp? {
        try rows(SQLStatement("SELECT at FROM link_change_start")) { try $0.timestamp(0) }.first
    }

    package func uses() throws(StoreError) -> [StoredUse] {
        let uses = SQLStatement(
            """
            SELECT application.name, kind, application_use.name, CAST(sum(links) AS bigint)
            FROM application_use JOIN application ON application.number = application_use.application
            GROUP BY application.name, kind, application_use.name HAVING sum(links) <> 0
            """)
        return try rows(uses) { row in
            StoredUse(
                application: try row.text(0), kind: try row.present(StoredUse.Kind(rawValue: row.number(1))),
                name: try row.unicode(2), links: try row.count(3))
        }
    }

    package func tagCount() throws(StoreError) -> Int { try count(SQLStatement("SELECT count(*) FROM link_tag")) }

    package func aliasCount() throws(StoreError) -> Int { try count(SQLStatement("SELECT count(*) FROM link_alias")) }

    package func aliasClashes(limit: Int) throws(StoreError) -> [AliasClash] {
        let clashes = SQLStatement(
            """
            SELECT host.name, link.slug, link_alias.link, link.id
            FROM link_alias JOIN link ON link.slug = link_alias.slug AND link.host = link_alias.host
                JOIN host ON host.number = link.host
            ORDER BY link_alias.link, link.slug LIMIT $1
            """, .number(limit))
        return try rows(clashes) { row in
            AliasClash(
                domain: try row.present(HostName(row.text(0))), slug: try row.present(Slug(row.text(1))),
                owner: LinkID(rawValue: try row.number(2)), taker: LinkID(rawValue: try row.number(3)))
        }
    }

    package func removeAlias(of clash: AliasClash) throws(StoreError) {
        try run(
            SQLStatement(
                "DELETE FROM link_alias WHERE slug = $1 AND host = (SELECT number FROM host WHERE name = $2)",
                .text(clash.slug.text), .text(clash.domain.text)))
    }

    package func removeOrphanedAliases() throws(StoreError) -> Int {
        try run(
            SQLStatement("DELETE FROM link_alias WHERE NOT EXISTS (SELECT 1 FROM link WHERE link.id = link_alias.link)")
        )
    }
}
