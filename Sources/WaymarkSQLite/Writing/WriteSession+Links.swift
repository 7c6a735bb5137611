internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession {
    /// - Parameter contents: the links' contents as encoded by `LinkContentCodec`, in their order.
    func create(
        _ drafts: [NewLink], contents: [[UInt8]], idempotency: Idempotency<[CreationOutcome]>?
    ) throws -> Replayable<[CreationOutcome]> {
        if let idempotency {
            switch try kept(scope: idempotency.scope, fingerprint: idempotency.fingerprint, at: idempotency.now) {
            case .nothing: break
            case .answer(let bytes): return .replay(bytes)
            case .mismatch, .redeem, .claim, .event: return .mismatch
            }
        }
        let outcomes = try zip(drafts, contents).map { try create($0, $1) }
        if let idempotency, let answer = idempotency.answer(outcomes) {
            try keep(
                .answer(answer), scope: idempotency.scope, fingerprint: idempotency.fingerprint,
                until: idempotency.expiresAt)
        }
        return .done(outcomes)
    }

    private func create(_ draft: NewLink, _ content: [UInt8]) throws -> CreationOutcome {
        let aliases = draft.content.furtherAddresses(of: draft.domain)
        guard let application = try application(draft.application),
            application.domains.isEmpty || draft.areDomains({ application.domains.contains($0.text) })
        else { return .applicationUnknown }
        if let identity = draft.identity, let existing = try existing(identity, of: application.number, for: draft) {
            return .existing(existing)
        }
        let host = try number(of: draft.domain)
        let (slug, rules) = (draft.storedSlug, application.slugRules)
        let ignoresCase = rules.contains(.ignoreCase)
        // Callers say before that a slug is reserved; only the rules may have changed since.
        if !rules.permit(slug) { return .slugTaken }
        if ignoresCase, try isFoldedTaken(slug, host: host) { return .slugTaken }
        if !aliases.isEmpty, try areTaken(aliases, with: draft, rules) { return .slugTaken }
        guard
            let id = try insertion().add(draft, application: application.number, host: host, content: content)
        else { return .slugTaken }
        try addAliases(aliases, of: id)
        if ignoresCase {
            try addFolded(slug, host: host, link: id)
            for alias in aliases { try addFolded(alias.slug, host: try number(of: alias.domain), link: id) }
        }
        if let metadata = draft.metadata {
            try database.run(
                "INSERT INTO link_metadata (link, metadata) VALUES (?, ?)",
                [id.rawValue, metadataKeys.stored(metadata, of: .link(id)).blob])
        }
        try tag(id, draft.content.tags)
        try addExpiry(draft.content.expiresAt, of: id)
        countCreation(application.number, draft.domain, draft.content)
        let link = draft.link(id: id)
        try report(.linkCreated, link, at: link.createdAt, [])
        return .created(link)
    }

    private func areTaken(_ aliases: [LinkAddress], with draft: NewLink, _ rules: SlugRules) throws -> Bool {
        guard draft.addresses.areDistinct else { return true }
        return try aliases.contains { alias in
            let host = try number(of: alias.domain)
            return try !rules.permit(alias.slug) || owner(of: alias.slug, host: host) != nil
                || rules.contains(.ignoreCase) && isFoldedTaken(alias.slug, host: host)
        }
    }

    /// The link with this identity, if it may be returned again. If not, it never will be (an expired link stays
    /// expired, and a patch removes the identity), so its identity passes to the link that is made now.
    private func existing(_ identity: [UInt8], of application: Int64, for draft: NewLink) throws -> Link? {
        let found = try database.row(
            LinkRow.selection + "WHERE link.application = ? AND link.identity = ?", [application, identity.blob]
        ) { try LinkRow.link($0) }
        guard let found else { return nil }
        if found.isGivenAgain(at: draft.createdAt) { return found }
        try database.run("UPDATE link SET identity = NULL WHERE id = ?", [found.id.rawValue])
        return nil
    }

    func update(_ update: LinkUpdate, at now: Timestamp) throws -> UpdateOutcome {
        let (id, change) = (update.id, update.change)
        guard var link = try database.link(id), let application = try application(link.application) else {
            return .unknown
        }
        if let expecting = update.expecting, expecting != link.version {
            return .versionMismatch(current: link.version)
        }
        let fields = change.fields(of: link)
        switch change.metadata {
        case .keep: break
        case .set(let bytes):
            try database.run(
                """
                INSERT INTO link_metadata (link, metadata) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET metadata = excluded.metadata
                """, [id.rawValue, metadataKeys.stored(bytes, of: .link(id)).blob])
            link.hasMetadata = true
        case .remove:
            try database.run("DELETE FROM link_metadata WHERE link = ?", [id.rawValue])
            link.hasMetadata = false
        }
        if change.content.tags != link.content.tags {
            try untag(id, link.content.tags)
            try tag(id, change.content.tags)
        }
        if change.content.expiresAt != link.content.expiresAt {
            try removeExpiry(link.content.expiresAt, of: id)
            try addExpiry(change.content.expiresAt, of: id)
        }
        count(-1, application: application.number, route: link.content.templateRoute)
        count(1, application: application.number, route: change.content.templateRoute)
        let old = link
        link.replaceContent(by: change.content)
        link.updatedAt = now
        link.version += 1
        try database.run(
            """
            UPDATE link SET version = ?, has_metadata = ?, redeem_limit = ?, max_clicks = ?, updated_at = ?, content = ?,
                identity = NULL
            WHERE id = ?
            """,
            [
                link.version, link.hasMetadata, link.content.redeemLimit, link.content.maxClicks, now.rawValue,
                LinkContentCodec.encode(link.content).blob, id.rawValue,
            ])
        try noteSearchChange(from: old, to: link)
        try note(fields, of: link, by: change.author)
        try report(.linkUpdated, link, at: now, [.init("changed", .list(fields))])
        return .updated(link)
    }

    func delete(_ removal: LinkRemoval) throws -> LinkDeletion {
        let (id, expecting) = (removal.id, removal.expecting)
        guard let link = try database.link(id), let application = try application(link.application) else {
            return .unknown
        }
        if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
        try untag(id, link.content.tags)
        try removeExpiry(link.content.expiresAt, of: id)
        try database.run("DELETE FROM click_order WHERE link = ?", [id.rawValue])
        try database.run("DELETE FROM link WHERE id = ?", [id.rawValue])
        try setClicks(0, of: id)
        if try dropClicks(ofDeleted: id) > 0 || link.clicks > 0 {
            try noteDeletion(of: link, application: application.number)
        }
        count(-1, application: application.number, link.content.uses(on: link.domain))
        try report(.linkDeleted, link, at: removal.at, [])
        return .deleted
    }

    func tag(_ id: LinkID, _ tags: [String]) throws {
        for tag in tags {
            try database.run("INSERT OR IGNORE INTO link_tag (tag, link) VALUES (?, ?)", [tag, id.rawValue])
        }
    }

    private func untag(_ id: LinkID, _ tags: [String]) throws {
        for tag in tags { try database.run("DELETE FROM link_tag WHERE tag = ? AND link = ?", [tag, id.rawValue]) }
    }
}

/// The statement that inserts a link. Valid for one transaction.
struct LinkInsertion {
    private let database: Database
    private let statement: RawStatement

    // RETURNING would make SQLite build a temporary table for each link: half of the row's cost.
    private static let sql = """
        INSERT INTO link (application, host, slug, version, has_metadata, redeem_limit, redeemed, max_clicks, reserved,
            created_at, updated_at, content, identity)
        SELECT ?1, ?2, ?3, 1, ?4, ?5, 0, ?6, 0, ?7, ?7, ?8, ?9
        WHERE NOT EXISTS (SELECT 1 FROM link_alias WHERE link_alias.slug = ?3 AND link_alias.host = ?2)
        ON CONFLICT (slug, host) DO NOTHING
        """

    init(_ database: Database) throws {
        self.database = database
        statement = try RawStatement(Self.sql, database)
    }

    /// - Parameters:
    ///   - application: and `host`: their numbers.
    ///   - content: as encoded by `LinkContentCodec`.
    /// - Returns: Nil if the slug is taken on the host, or is an alias; nothing is stored then.
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
        guard try statement.run() else { return nil }
        return LinkID(rawValue: database.lastInsertedRowID)
    }
}
