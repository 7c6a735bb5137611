internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession: LinkTransaction {
    func link(_ id: LinkID) throws -> Link? { try database.link(id) }

    func readableLink(_ id: LinkID) throws -> Link? { try database.readableLink(id) }

    func application(ofLink id: LinkID) throws -> ApplicationID? {
        try database.row(
            """
            SELECT application.name FROM link CROSS JOIN application ON application.number = link.application
            WHERE link.id = ?
            """, [id.rawValue]
        ) { ApplicationID(try $0.text(0)) } ?? nil
    }

    func metadata(of id: LinkID) throws -> [UInt8]? {
        guard let stored = try database.storedMetadata(of: id) else { return nil }
        return try metadataKeys.opened(stored, of: .link(id))
    }

    func domainsAndRules(of application: ApplicationID) throws -> (domains: [HostName], rules: SlugRules)? {
        guard let known = try self.application(application) else { return nil }
        return (known.domains, known.slugRules)
    }

    func link(withIdentity identity: [UInt8], of application: ApplicationID) throws -> Link? {
        guard let number = try self.application(application)?.number else { return nil }
        return try database.row(
            LinkRow.selection + "WHERE link.application = ? AND link.identity = ?", [number, identity.blob]
        ) { try LinkRow.link($0) }
    }

    func removeIdentity(of id: LinkID) throws {
        try database.run("UPDATE link SET identity = NULL WHERE id = ?", [id.rawValue])
    }

    func insert(_ new: EncodedLink) throws -> Link? {
        let link = new.link
        guard let application = try application(link.application) else { return nil }
        let aliases = link.content.furtherAddresses(of: link.domain)
        for alias in aliases where try owner(of: alias.slug, host: number(of: alias.domain)) != nil { return nil }
        let host = try number(of: link.domain)
        if try isAlias(link.storedSlug, host: host) { return nil }
        guard
            let id = try insertion().add(link, application: application.number, host: host, content: new.content)
        else { return nil }
        try addAliases(aliases, of: id)
        return link.link(id: id)
    }

    func save(metadata: [UInt8]?, of id: LinkID) throws {
        guard let metadata else {
            return try database.run("DELETE FROM link_metadata WHERE link = ?", [id.rawValue])
        }
        try database.run(
            """
            INSERT INTO link_metadata (link, metadata) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET metadata = excluded.metadata
            """, [id.rawValue, metadataKeys.stored(metadata, of: .link(id)).blob])
    }

    func add(tags: Set<String>, to id: LinkID) throws {
        for tag in tags {
            try database.run("INSERT OR IGNORE INTO link_tag (tag, link) VALUES (?, ?)", [tag, id.rawValue])
        }
    }

    func remove(tags: Set<String>, from id: LinkID) throws {
        for tag in tags { try database.run("DELETE FROM link_tag WHERE tag = ? AND link = ?", [tag, id.rawValue]) }
    }

    func save(_ link: Link, replacing old: Link) throws {
        try database.run(
            """
            UPDATE link SET version = ?, has_metadata = ?, redeem_limit = ?, max_clicks = ?, updated_at = ?, content = ?,
                identity = NULL
            WHERE id = ?
            """,
            [
                link.version, link.hasMetadata, link.content.redeemLimit, link.content.maxClicks,
                link.updatedAt.rawValue, LinkContentCodec.encode(link.content).blob, link.id.rawValue,
            ])
        try noteSearchChange(from: old, to: link)
    }

    func remove(_ link: Link) throws {
        try database.run("DELETE FROM click_order WHERE link = ?", [link.id.rawValue])
        try database.run("DELETE FROM link WHERE id = ?", [link.id.rawValue])
        try setClicks(0, of: link.id)
        try noteDeletion(ofClicksOf: link.id)
        if try dropClicks(ofDeleted: link.id) > 0 || link.clicks > 0,
            let application = try application(link.application)
        {
            try noteDeletion(of: link, application: application.number)
        }
    }

    func count(_ change: Int, _ uses: [(kind: StoredUse.Kind, name: String)], by link: Link) throws {
        guard !uses.isEmpty, let application = try application(link.application) else { return }
        count(change, uses, application: application.number)
    }

    // MARK: Counts

    func takeRedeem(of link: inout Link, limit: Int) throws -> Bool {
        let number = try database.row(
            """
            UPDATE link SET redeemed = redeemed + 1
            WHERE id = ? AND has_metadata AND redeemed < ? RETURNING redeemed
            """, [link.id.rawValue, limit]
        ) { try $0.count(0) }
        guard let number else { return false }
        link.redeemed = number
        return true
    }

    func setReservedClicks(_ count: Int, of link: Link) throws {
        try database.run("UPDATE link SET reserved = ? WHERE id = ?", [count, link.id.rawValue])
    }

    func subtractReservedClicks(_ count: Int, of id: LinkID) throws {
        try database.run("UPDATE link SET reserved = max(0, reserved - ?) WHERE id = ?", [count, id.rawValue])
    }

    func hasSubscriber(of type: EventType) throws -> Bool { try subscriptions().includes(type) }

    func count(_ kind: AppEvent.Kind, for id: LinkID) throws {
        // SQLite would convert a sum beyond 64 bits to floating point.
        try database.run(
            """
            INSERT INTO link_event (link, opens, installs) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET opens = opens + min(excluded.opens, 9223372036854775807 - opens),
                installs = installs + min(excluded.installs, 9223372036854775807 - installs)
            """, [id.rawValue, kind == .open ? 1 : 0, kind == .open ? 0 : 1])
    }
}

/// The statement that inserts a link. Valid for one transaction.
struct LinkInsertion {
    private let database: Database
    private let statement: RawStatement

    // RETURNING would make SQLite build a temporary table for each link: half of the row's cost. A condition, as that no alias has
    // the slug, would make it open a savepoint for each.
    private static let sql = """
        INSERT INTO link (application, host, slug, version, has_metadata, redeem_limit, redeemed, max_clicks, reserved,
            created_at, updated_at, content, identity)
        VALUES (?1, ?2, ?3, 1, ?4, ?5, 0, ?6, 0, ?7, ?7, ?8, ?9)
        ON CONFLICT (slug, host) DO NOTHING
        """

    init(_ database: Database) throws {
        self.database = database
        statement = try RawStatement(Self.sql, database)
    }

    /// - Parameters:
    ///   - application: and `host`: their numbers.
    ///   - content: as encoded by `LinkContentCodec`.
    /// - Returns: Nil if another link has the slug on the host; nothing is stored then.
    func add(_ link: NewLink, application: Int64, host: Int64, content: [UInt8]) throws -> LinkID? {
        statement.bind(1, application)
        statement.bind(2, host)
        statement.bind(3, link.storedSlug.text)
        statement.bind(4, link.metadata == nil ? 0 : 1)
        statement.bind(5, Int64(link.content.redeemLimit))
        statement.bind(6, link.content.maxClicks.map(Int64.init))
        statement.bind(7, link.createdAt.rawValue)
        statement.bind(8, content)
        statement.bind(9, link.identity)
        guard try statement.run() > 0 else { return nil }
        return LinkID(rawValue: database.lastInsertedRowID)
    }
}
